"""The gate before a file that no engine can open: whatever else was compared, nothing is known of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokparity import cli, formats, models
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.report.file import read
from tokparity.report.verdict import verdict


def test_a_file_that_no_engine_opens_is_not_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The source was put before other engines, which agree: that says nothing about the GGUF."""
    own = models.load("small-spm").sources["sentencepiece"]
    formats.write(formats.read(own), "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {"general.architecture": b"nonesuch"}, tmp_path / "bad.gguf")
    words = ["--gguf", str(tmp_path / "bad.gguf"), "--sentencepiece", str(own), "--out", str(tmp_path / "out")]
    code = cli.main(["check", *words, "--cases", "5", "--corpus", "prompts"])
    said = capsys.readouterr().out
    assert 3 == code, said
    told = verdict(read(tmp_path / "out" / "report.jsonl"))
    assert told.sentence.startswith("No verdict: llama.cpp could not be run with bad.gguf (")
    assert "Your file is right" not in said
