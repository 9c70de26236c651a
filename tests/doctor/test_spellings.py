"""A tokenizer.json that spells its patterns in another way than the table of pre-tokenizers names the same key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokparity import cli, formats, models
from tokparity.doctor import changes
from tokparity.errors import CannotExpressError
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.questions.json_text import is_utf8
from tokparity.reference.byte_alphabet import ALPHABET, from_alphabet
from tokparity.reference.pretokeniser_patterns import DEEPSEEK_V3
from tokparity.vocabulary import Kind

RAW = DEEPSEEK_V3[2].replace(r"\r\n", "\r\n").replace(r"\"", '"')
"""With real line ends and an unescaped quotation mark, as DeepSeek's own file has it."""


def deepseek(path: Path, last: str) -> Path:
    """A tokenizer.json with the letters of bytes, two merges, and the three splits of DeepSeek V3."""
    pieces = [*ALPHABET, "Ġ!", "ab"]
    splits = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in (*DEEPSEEK_V3[:2], last)
    ]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    model = {"type": "BPE", "vocab": {piece: i for i, piece in enumerate(pieces)}, "merges": ["Ġ !", "a b"]}
    data = {
        "added_tokens": [],
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*splits, level]},
        "decoder": level,
        "model": model,
    }
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_another_spelling_has_the_same_pre(tmp_path: Path) -> None:
    """Real line ends and an unescaped quotation mark are written under the name that the escaped ones have."""
    said = []
    for name, last in (("escaped", DEEPSEEK_V3[2]), ("raw", RAW)):
        source = formats.read(deepseek(tmp_path / f"{name}.json", last))
        formats.write(source, "gguf", tmp_path / f"{name}.gguf")
        said.append(formats.read(tmp_path / f"{name}.gguf").metadata[PREFIX + "pre"])
    assert RAW != DEEPSEEK_V3[2]
    assert ["deepseek-v3", "deepseek-v3"] == said


def test_doctor_changes_pre_where_the_source_spells_it_otherwise(tmp_path: Path) -> None:
    """The wrong name is the one change; the right name is none."""
    source = formats.read(deepseek(tmp_path / "raw.json", RAW))
    right, wrong = tmp_path / "right.gguf", tmp_path / "wrong.gguf"
    formats.write(source, "gguf", right)
    rewrite(right, {PREFIX + "pre": b"default"}, wrong)
    assert [] == changes(right, source)
    assert [(PREFIX + "pre", b"default", b"deepseek-v3")] == [
        (change.key, change.before, change.after) for change in changes(wrong, source)
    ]


def test_a_pattern_that_matches_something_else_is_refused_by_name(tmp_path: Path) -> None:
    """A pattern that takes seven spaces apart, as no known one does, has no name."""
    path = deepseek(tmp_path / "other.json", RAW.replace(r"\s+(?!\S)", r"\s{7}(?!\S)"))
    with pytest.raises(CannotExpressError, match=r"pre-tokeni[sz]er"):
        formats.write(formats.read(path), "gguf", tmp_path / "other.gguf")


def test_pieces_out_of_the_byte_alphabet_are_put_back(tmp_path: Path) -> None:
    """A converter that decoded them wrote another spelling of the same model, not another model."""
    own = models.primary_source(models.load("small-bpe"))
    formats.write(own, "gguf", tmp_path / "good.gguf")
    pieces = [from_alphabet(piece.decode()) if kind is Kind.NORMAL else piece
              for piece, kind in zip(own.vocabulary.pieces, own.vocabulary.kinds, strict=True)]  # fmt: skip
    spelled = [piece if is_utf8(piece) else own.vocabulary.pieces[i] for i, piece in enumerate(pieces)]
    rewrite(tmp_path / "good.gguf", {PREFIX + "tokens": spelled}, tmp_path / "bad.gguf")
    bad, fixed = str(tmp_path / "bad.gguf"), str(tmp_path / "fixed.gguf")
    assert 0 == cli.main(["doctor", bad, "--against", str(own.path), "--write", fixed])
    assert [] == changes(Path(fixed), own)
