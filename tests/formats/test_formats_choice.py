"""Choosing a format: by content, by suffix, in a directory; and the errors of those who chose wrongly."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tokparity import formats
from tokparity.errors import CannotExpressError, FormatError, UsageError
from tokparity.models.record import EMBEDDED


def test_every_format_of_the_folder_is_known() -> None:
    """Listing the folder finds the formats, and not the modules that only serve them."""
    assert {"gguf", "sentencepiece"} <= set(formats.names())
    assert not {"gguf_metadata", "expressible"} & set(formats.names())


def test_content_decides_not_the_name(tmp_path: Path) -> None:
    """A SentencePiece model is recognized whatever its name (mistral-common's end in .v1, .v2)."""
    path = tmp_path / "tokenizer.model.v1"
    shutil.copy(EMBEDDED / "small-spm.model", path)
    assert "sentencepiece" == formats.read(path).format


def test_a_directory_is_read_by_the_tokenizer_in_it(tmp_path: Path) -> None:
    """The one tokenizer in a directory is found; two of one kind are ambiguous; none is an error."""
    with pytest.raises(UsageError, match="holds no tokenizer"):
        formats.read(tmp_path)
    shutil.copy(EMBEDDED / "small-spm.model", tmp_path / "a.model")
    assert tmp_path / "a.model" == formats.read(tmp_path).path
    shutil.copy(EMBEDDED / "small-spm.model", tmp_path / "b.model")
    with pytest.raises(UsageError, match=r"holds 2 files \*\.model \(a\.model, b\.model\)"):
        formats.read(tmp_path)


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    """The path is in the message."""
    with pytest.raises(UsageError, match=r"nowhere\.gguf"):
        formats.read(tmp_path / "nowhere.gguf")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b'{"hello": [1, 2, 3]}'),
        ("a.json", b"[]"),
        ("a.json", b"no json"),
        ("a.txt", b"just text"),
        ("a.model", b"\x00\x01\x02\x03 no model"),
        ("a.gguf", b"GGML and no more than that......"),
        ("a.gguf", b""),
        ("a.tiktoken", b"!!! not base64\n"),
        ("empty", b""),
    ],
)
def test_a_file_that_is_no_tokenizer(tmp_path: Path, name: str, content: bytes) -> None:
    """One line, with the path and the next step."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        formats.read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_unknown_formats_and_unwritable_places(tmp_path: Path) -> None:
    """An unknown format lists the known ones; a place that can't be written to is named; nothing is left behind."""
    source = formats.read(EMBEDDED / "small-spm.model")
    assert formats.named("tokenizer.json") is formats.named("tokenizer-json")
    with pytest.raises(UsageError, match="unknown format 'onnx'; known formats: "):
        formats.write(source, "onnx", tmp_path / "x")
    with pytest.raises(UsageError, match="can't write"):
        formats.write(source, "gguf", tmp_path / "no" / "x.gguf")
    with pytest.raises(CannotExpressError):
        formats.write(formats.read(EMBEDDED / "small-bpe.json"), "sentencepiece", tmp_path / "x.model")
    assert [] == list(tmp_path.iterdir())
