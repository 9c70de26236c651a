"""`tokparity.check` says what `tokparity check` says: of a wrong file its key, of a right one that it is right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokparity
from tokparity import formats
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.models.record import EMBEDDED


@pytest.fixture
def right(tmp_path: Path) -> Path:
    """A GGUF that says what small-bpe's own tokenizer says."""
    formats.write(formats.read(EMBEDDED / "small-bpe.json"), "gguf", tmp_path / "right.gguf")
    return tmp_path / "right.gguf"


def checked(gguf: Path, out: Path) -> tokparity.Verdict:
    """The verdict on a GGUF beside its source."""
    files = {"gguf": gguf, "tokenizer-json": EMBEDDED / "small-bpe.json"}
    return tokparity.check(files, ["llama.cpp"], corpora=["prompts"], cases=5, out=out)


def test_a_wrong_key_is_named(right: Path, tmp_path: Path) -> None:
    """The sentence names it, its value, and the command that repairs it; the report holds it."""
    rewrite(right, {"tokenizer.ggml.pre": b"llama-bpe"}, tmp_path / "wrong.gguf")
    found = checked(tmp_path / "wrong.gguf", tmp_path / "out")
    assert ("new", 1) == (found.result, found.exit_code)
    assert 'tokenizer.ggml.pre is "llama-bpe", should be "gpt-2"' in found.sentence
    assert found.command.startswith("tokparity doctor ")
    records = map(json.loads, (tmp_path / "out" / "report.jsonl").read_bytes().splitlines())
    assert ["tokenizer.ggml.pre"] == [record["key"] for record in records if record["type"] == "fault"]


def test_a_right_file_has_no_fault(right: Path, tmp_path: Path) -> None:
    """What llama.cpp is known to do otherwise is said, and counts for nothing."""
    found = checked(right, tmp_path / "out")
    assert (0, "") == (found.exit_code, found.command), found.sentence
    assert b'"fault"' not in (tmp_path / "out" / "report.jsonl").read_bytes()
