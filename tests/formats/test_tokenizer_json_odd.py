"""Legal tokenizer.json files that nobody trained: read so that the ids and texts are the library's."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer as Library

from tokparity import Tokenizer
from tokparity.errors import FormatError

LETTERS = [*" abcz<>0x4E9", "▁", "é"]


def bpe(*more: str, merges: list[str] | None = None, **options: Any) -> dict[str, Any]:
    """A BPE of some letters and more pieces."""
    vocab = {piece: i for i, piece in enumerate([*LETTERS, *more])}
    return {"type": "BPE", "vocab": vocab, "merges": merges or [], **options}


def unigram(*more: tuple[str, float], unk_id: int | None = 0, **options: Any) -> dict[str, Any]:
    """A unigram model of some letters and more pieces; the unknown is <unk>."""
    vocab = [("<unk>", 0.0), *((letter, -5.0) for letter in LETTERS), *more]
    return {"type": "Unigram", "vocab": vocab, "unk_id": unk_id, **options}


def token(content: str, i: int, **flags: bool) -> dict[str, Any]:
    """An added token as a file lists it."""
    return {"id": i, "content": content, **dict.fromkeys(("single_word", "lstrip", "rstrip"), False), **flags}


def template(*single: str | None, pair: tuple[str | None, ...] = ("[A]", None, "[B]")) -> dict[str, Any]:
    """A post-processor that puts tokens before and after the text, which is None."""

    def items(names: tuple[str | None, ...]) -> list[dict[str, Any]]:
        texts = iter("AB")
        return [
            {"SpecialToken": {"id": name, "type_id": 0}} if name else {"Sequence": {"id": next(texts), "type_id": 0}}
            for name in names
        ]

    special = {name: {"id": name, "ids": [n], "tokens": [name]} for n, name in enumerate(("[A]", "[B]", "[C]"))}
    return {"type": "TemplateProcessing", "single": items(single), "pair": items(pair), "special_tokens": special}


BERT = {"type": "BertProcessing", "cls": ["[C]", 3], "sep": ["[B]", 4]}
ROBERTA = {**BERT, "type": "RobertaProcessing", "trim_offsets": True, "add_prefix_space": True}
FLAGS = {"special": False, "normalized": True}


def sequence(*processors: Mapping[str, Any]) -> dict[str, Any]:
    """Post-processors one after the other."""
    return {"type": "Sequence", "processors": list(processors)}


FILES: dict[str, dict[str, Any]] = {
    "added tokens with ids that do not follow": {
        "model": bpe(),
        "added_tokens": [token("<x>", 500, special=True, normalized=False), token("<y>", 700, **FLAGS)],
    },
    "added tokens twice, in no order, one of them empty": {
        "model": bpe(),
        "added_tokens": [
            token("<y>", 90, **FLAGS),
            token("", 91, **FLAGS),
            token("<x>", 20, **FLAGS),
            token("<y>", 20, special=False, normalized=True) | {"rstrip": True},
        ],
    },
    "a merge listed twice": {"model": bpe("ab", "bc", "abc", merges=["a b", "b c", "a bc", "ab c", "a b"])},
    "no merges": {"model": bpe("ab", "abc")},
    "no merges, but whole words": {"model": bpe("ab", "abc", ignore_merges=True)},
    "an empty piece and no decoder": {"model": bpe("")},
    "an unknown that is a letter, fused": {"model": bpe(unk_token="z", fuse_unk=True)},
    "an unknown that merges": {"model": bpe("za", merges=["z a"], unk_token="z")},
    "an unknown that merging makes, fused": {"model": bpe("zz", merges=["z z"], unk_token="zz", fuse_unk=True)},
    "byte pieces that merge": {
        "model": bpe("<0xC3>", "<0xA0>", "<0xC3><0xA0>", merges=["<0xC3> <0xA0>"], byte_fallback=True)
    },
    "byte pieces in small letters": {"model": bpe("<0xc3>", "<0xa0>", byte_fallback=True, unk_token="z")},
    "some byte pieces, an unknown that is a letter": {
        "model": bpe("<0xC3>", "<0xA0>", byte_fallback=True, unk_token="z", fuse_unk=True)
    },
    "affixes and an unknown": {
        "model": bpe("##a", "##b", "a</w>", "##b</w>", "ab</w>", "[UNK]", merges=["a ##b</w>"], unk_token="[UNK]")
        | {"continuing_subword_prefix": "##", "end_of_word_suffix": "</w>"},
    },
    "unigram, byte pieces that are spelled in the text": {
        "model": unigram(("<0xC3>", -3.0), ("<0xA0>", -3.0), ("<0x4E>", -3.0), byte_fallback=True)
    },
    "unigram, a piece twice": {"model": unigram(("ab", -3.0), ("ab", -20.0), ("bc", -4.0), unk_id=15)},
    "unigram, scores so high that unknowns become a piece": {
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [("<unk>", 40.0), ("àß", 35.0), ("a", 45.0), ("b", 50.0)]}
    },
    "a decoder of bytes": {"model": bpe("<0x+1>", "<0xC3>", "<0xa0>"), "decoder": {"type": "ByteFallback"}},
    "a prefix before the first word, whose first character goes": {
        "model": bpe(unk_token="z"),
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Strip", "strip_left": True, "strip_right": False},
                {"type": "Replace", "pattern": {"Regex": "^b+"}, "content": ""},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
                {"type": "StripAccents"},
            ],
        },
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True},
    },
    "a prefix before a token that is looked for in the normalized text": {
        "model": bpe(unk_token="z"),
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ],
        },
        "added_tokens": [token("<x>", 500, special=True, normalized=True), token("ab", 501, **FLAGS)],
    },
    "template, then BERT": {"model": bpe(), "post_processor": sequence(template("[A]", "[A]", None, "[B]"), BERT)},
    "BERT, then RoBERTa": {"model": bpe(), "post_processor": sequence(BERT, ROBERTA)},
    "template, then RoBERTa": {"model": bpe(), "post_processor": sequence(template("[A]", None, "[C]"), ROBERTA)},
    "two templates": {
        "model": bpe(),
        "post_processor": sequence(template("[A]", None), template("[C]", None, pair=(None, "[B]", None, "[C]"))),
    },
}


def read(tmp_path: Path, parts: Mapping[str, Any]) -> Path:
    """A file with these parts."""
    whole = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({**whole, "decoder": None, **parts}), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FILES)
def test_is_the_library(name: str, tmp_path: Path) -> None:
    """Encoding with and without special tokens, and decoding of any ids."""
    path = read(tmp_path, FILES[name])
    library, ours = Library.from_file(str(path)), Tokenizer.from_file(path)
    rng = random.Random(name)
    pieces = sorted(piece for piece in library.get_vocab() if piece)
    stock = [*pieces, *LETTERS, *"abcz", "à", "ß", "à", "世", "\u0300", " "]
    texts = ["".join(rng.choices(stock, k=rng.choice((0, 1, 2, 3, 5, 9, 60)))) for _ in range(400)]
    for text in texts:
        for add_special in (True, False):
            expected = library.encode(text, add_special_tokens=add_special).ids
            assert expected == ours.encode(text, add_special=add_special, parse_special=True), text
    for _ in range(200):
        ids = rng.choices(sorted(library.get_vocab().values()), k=rng.randint(0, 6))
        for skip in (True, False):
            assert library.decode(ids, skip_special_tokens=skip) == ours.decode(ids, skip_special=skip), ids


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ({"model": bpe(merges=["a q"])}, r"merges\[0\] needs 'q', which is not a piece"),
        ({"model": bpe(merges=["a b"])}, r"merges\[0\] needs 'ab', which is not a piece"),
        ({"model": bpe(), "post_processor": sequence(template("[A]", None, "[B]"), template(None))}, "3 parts"),
    ],
)
def test_what_the_library_refuses_is_refused(parts: Mapping[str, Any], problem: str, tmp_path: Path) -> None:
    """Also what it opens and then breaks on."""
    with pytest.raises(FormatError, match=problem):
        Tokenizer.from_file(read(tmp_path, parts))


def test_an_added_token_never_takes_the_id_of_a_piece(tmp_path: Path) -> None:
    """The library counts on from the number of pieces; where ids have holes, it gives an id twice."""
    holes = {"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0, "b": 2}}
    with pytest.raises(FormatError, match="of '<x>' becomes 2 in the library, which is another piece's id"):
        Tokenizer.from_file(read(tmp_path, {"model": holes, "added_tokens": [token("<x>", 1, **FLAGS)]}))
