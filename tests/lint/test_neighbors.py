"""A folder whose tokenizer files contradict each other, and one whose files agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokparity import cli, formats, models


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One model as a tokenizer.json and as a tokenizer.model."""
    source = models.primary_source(models.load("small-spm"))
    for format, name in (("tokenizer.json", "tokenizer.json"), ("sentencepiece", "tokenizer.model")):
        formats.write(source, format, tmp_path / name)
    formats.write(source, "gguf", tmp_path.parent / "right.gguf")
    return tmp_path


def _without_bytes(folder: Path) -> None:
    path = folder / "tokenizer.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    said["model"]["byte_fallback"] = False
    path.write_text(json.dumps(said), encoding="utf-8")


def test_lint_of_a_directory_compares_its_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The files agree, and then one of them has lost a setting."""
    assert 0 == cli.main(["lint", str(folder), "--no-engines"])
    assert "left tokenizer.json, right tokenizer.model" in capsys.readouterr().out
    _without_bytes(folder)
    assert 1 == cli.main(["lint", str(folder), "--no-engines"])
    assert "fallback: 'unknown' on the left, 'bytes' on the right" in capsys.readouterr().out
    assert 0 == cli.main(["lint", str(folder / "tokenizer.json"), "--no-engines"])
    assert "fallback" not in capsys.readouterr().out


def test_doctor_says_that_the_files_of_a_source_disagree(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A right GGUF, and a folder that does not say which of two is its source."""
    gguf = str(folder.parent / "right.gguf")
    assert 0 == cli.main(["doctor", gguf, "--against", str(folder)])
    assert "gives other ids" not in capsys.readouterr().out.replace("gives other ids with the GGUF", "")
    _without_bytes(folder)
    assert 1 == cli.main(["doctor", gguf, "--against", str(folder)])
    out = capsys.readouterr().out
    assert f"note: {folder / 'tokenizer.model'} lies beside tokenizer.json and gives other ids: for " in out
    assert f"If tokenizer.model is right: tokparity doctor {gguf} {folder / 'tokenizer.model'}" in out
    assert 0 == cli.main(["doctor", gguf, "--against", str(folder / "tokenizer.model")])


def test_every_file_of_a_directory_is_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also a third one; what cannot be read is said, and loses nothing."""
    (folder / "other.gguf").write_bytes((folder.parent / "right.gguf").read_bytes())
    assert 0 == cli.main(["lint", str(folder), "--no-engines"])
    assert 2 == capsys.readouterr().out.count("holds several tokenizer files: left tokenizer.json, right ")
    (folder / "tokenizer.model").write_bytes(b"no tokenizer")
    assert 0 == cli.main(["lint", str(folder), "--no-engines"])
    out = capsys.readouterr().out
    assert "tokenizer.model is not compared: " in out
    assert 1 == out.count("holds several tokenizer files")
