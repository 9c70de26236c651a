"""What is odd in one file, and that a right one has nothing odd."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers
from sentencepiece import sentencepiece_model_pb2

from tokparity import cli, formats, models
from tokparity.errors import CannotExpressError, FormatError, UsageError
from tokparity.formats import Source
from tokparity.formats.beside import CHAT
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.lint.oddities import odd
from tokparity.vocabulary import AddedToken, Vocabulary


def _changed(source: Source, **fields: object) -> Source:
    return replace(source, vocabulary=replace(source.vocabulary, **fields))  # type: ignore[arg-type]


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A tiktoken file with two names for one id."""
    lines = [base64.b64encode(bytes((i,))) + b" %d\n" % i for i in range(256)]
    (tmp_path / "dup.tiktoken").write_bytes(b"".join(lines))
    said = {"pattern": r"\S+|\s+", "special_tokens": {"<|first|>": 257, "<|second|>": 257, "<|end|>": 256}}
    (tmp_path / "dup.tiktoken.json").write_text(json.dumps(said))
    return tmp_path / "dup.tiktoken"


@pytest.mark.parametrize("name", ["small-spm", "small-unigram", "small-bpe", "small-wordpiece"])
def test_nothing_is_odd_in_a_right_file(name: str) -> None:
    """None of the kinds of models has by itself what is told."""
    assert [] == list(odd(models.primary_source(models.load(name))))


def test_what_a_library_obeys_and_no_engine_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was saved with truncation, and an added token with another's id: in one file, and of two."""
    own, path = models.primary_source(models.load("small-bpe")), tmp_path / "tokenizer.json"
    said = json.loads(own.path.read_text(encoding="utf-8"))
    said["truncation"] = {"direction": "Right", "max_length": 128, "strategy": "LongestFirst", "stride": 0}
    said["added_tokens"].append({"id": 5, "content": "[PAD]", "special": True})
    path.write_text(json.dumps(said), encoding="utf-8")
    told = "truncation is set: a library that obeys the file gives at most 128 ids for a text"
    size = len(own.vocabulary)
    named = f'the file gives the added token "[PAD]" the id 5, and the library gives it {size}; 5 is the id of '
    found = list(odd(formats.read(path)))
    assert told in found
    assert any(line.startswith(named) for line in found)
    assert 1 == cli.main(["lint", str(own.path), str(path)])
    assert f"setting: on the right, {told}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("truncation", {"max_length": 16}, "truncation is set: a library that obeys the file gives at most 16 ids"),
        ("padding", {"pad_id": 0}, "padding is set: a library that obeys the file fills rows of ids"),
    ],
)
def test_a_setting_of_one_file_is_a_difference_of_two_of_one_format(
    name: str, value: object, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its own library gives other ids; a GGUF has no place for it, and two files that agree do not differ."""
    own, path, gguf = models.primary_source(models.load("small-bpe")), tmp_path / "t.json", tmp_path / "t.gguf"
    path.write_text(json.dumps({**json.loads(own.path.read_text(encoding="utf-8")), name: value}), encoding="utf-8")
    assert 1 == cli.main(["lint", str(path), str(own.path)])
    said = capsys.readouterr().out
    assert (True, False) == (f"setting: on the left, {told}" in said, "No differences" in said)
    assert 0 == cli.main(["lint", str(path), str(path)])
    assert "No differences" in capsys.readouterr().out
    formats.write(own, "gguf", gguf)
    assert 0 == cli.main(["lint", str(path), str(gguf)])
    assert f"note: on the left, {told}" in capsys.readouterr().out


def test_two_names_of_one_id_are_told(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By lint of the one file, and in a check, whose verdict does not depend on it."""
    told = 'the id 257 has 2 added tokens: "<|first|>" and "<|second|>"; an engine decodes it to one of them'
    assert 0 == cli.main(["lint", str(shared)])
    assert f"{told}\n" == capsys.readouterr().out
    words = ["check", "--tiktoken", str(shared), "--quick", "--out", str(shared.with_name("out"))]
    assert 0 == cli.main(words)
    assert f"dup: {told}" in capsys.readouterr().out


@pytest.mark.parametrize("format", ["gguf", "tokenizer.json", "sentencepiece"])
def test_a_format_with_one_name_for_an_id_refuses_two(format: str, shared: Path, tmp_path: Path) -> None:
    """An export that lost one of them would make engines look wrong."""
    with pytest.raises(CannotExpressError, match="two added tokens with one id"):
        formats.write(formats.read(shared), format, tmp_path / "written")
    formats.write(formats.read(shared), "tiktoken", tmp_path / "written.tiktoken")
    assert formats.read(shared).vocabulary == formats.read(tmp_path / "written.tiktoken").vocabulary


def test_each_other_oddity_is_told() -> None:
    """One name with two ids, equal pieces, an id without a piece, and a piece that no merge makes."""
    own = models.primary_source(models.load("small-bpe"))
    vocabulary: Vocabulary = own.vocabulary
    (last_merge, pieces) = vocabulary.merges[-1], vocabulary.pieces
    token = AddedToken(3, "<twice>")
    assert any("has 2 ids: [3, 4]" in line for line in odd(_changed(own, added=(token, replace(token, id=4)))))
    equal = (*pieces[:9], pieces[10], *pieces[10:])
    assert any("has the same text as a later piece" in line for line in odd(_changed(own, pieces=equal)))
    hole = (*pieces[:9], b"", *pieces[10:])
    assert "1 id has no piece: 9" in list(odd(_changed(own, pieces=hole)))
    never = json.dumps((last_merge[0] + last_merge[1]).decode(), ensure_ascii=False)
    (told,) = odd(_changed(own, merges=vocabulary.merges[:-1]))
    assert told.startswith(f"1 piece is made by no merge: {never} [")


def _json_of(name: str, folder: Path) -> tuple[dict[str, Any], Path]:
    """A known model's tokenizer.json, and where a changed one is to be written."""
    own = models.load(name).sources["tokenizer.json"]
    return json.loads(own.read_text(encoding="utf-8")), folder / "tokenizer.json"


def test_an_unknown_token_that_is_no_piece(tmp_path: Path) -> None:
    """The library opens the file, and fails on a word without pieces."""
    said, path = _json_of("small-wordpiece", tmp_path)
    said["model"]["unk_token"] = "<nothing>"
    path.write_text(json.dumps(said), encoding="utf-8")
    told = 'the unknown token "<nothing>" is no piece: the library fails on a text that needs it'
    assert told in odd(formats.read(path))
    with pytest.raises(Exception, match="token from the vocabulary"):
        tokenizers.Tokenizer.from_file(str(path)).encode("\U0001f9ff")


def test_a_fallback_to_bytes_that_are_no_pieces(tmp_path: Path) -> None:
    """SentencePiece refuses such a model."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(models.primary_path(models.load("small-spm")).read_bytes())
    for piece in proto.pieces:
        piece.type = 1 if piece.type == 6 else piece.type
    path = tmp_path / "tokenizer.model"
    path.write_bytes(proto.SerializeToString())
    told = (
        "256 of 256 bytes have no byte piece, and the file falls back to bytes; SentencePiece does not open such a file"
    )
    assert told in odd(formats.read(path))
    with pytest.raises(Exception, match="256 byte pieces"):
        sentencepiece.SentencePieceProcessor(model_file=str(path))


def test_a_special_id_and_a_chat_template_that_are_none(tmp_path: Path) -> None:
    """In a GGUF, where every engine makes of it what it likes."""
    source = models.primary_source(models.load("small-bpe"))
    path, size = tmp_path / "model.gguf", len(source.vocabulary)
    formats.write(source, "gguf", path)
    assert [] == list(odd(formats.read(path)))
    writer = {PREFIX + "eos_token_id": size, CHAT: b"{% if messages %}"}
    rewrite(path, writer, tmp_path / "other.gguf")
    ids, template = odd(formats.read(tmp_path / "other.gguf"))
    assert ids.startswith(f"tokenizer.ggml.eos_token_id is {size}, and the last piece has the id {size - 1}")
    assert template.startswith("tokenizer.chat_template is no template that Jinja can read: TemplateSyntaxError")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "is a Git LFS pointer"),
        (b"<!DOCTYPE html><html>", "is an HTML page"),
        (b'\xef\xbb\xbf{"added_tokens": [], "model": {}}', "begins with a byte order mark"),
    ],
)
def test_what_is_no_tokenizer_file(content: bytes, told: str, tmp_path: Path) -> None:
    """What people have instead of the file is named."""
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(FormatError, match=told):
        formats.read(tmp_path)


@pytest.mark.parametrize("names", [("vocab.txt",), ("vocab.json", "merges.txt"), ()])
def test_a_folder_of_older_files(names: tuple[str, ...], tmp_path: Path) -> None:
    """They are no tokenizer alone, and the error says how to write one."""
    for name in names:
        (tmp_path / name).write_text("a\n", encoding="utf-8")
    with pytest.raises(UsageError) as found:
        formats.read(tmp_path)
    assert bool(names) == ("save_pretrained(" in found.value.hint)
    assert " and ".join(names) in found.value.hint
