"""The reference gives the ids that each model's own library is known to give, for every file there is."""

from __future__ import annotations

from functools import cache

import pytest

from tests.shared_models import NAMES, SHARED_MODELS, SUFFIXES, skip_the_module
from tokparity import formats
from tokparity.reference.tokenizer import Tokenizer

skip_the_module()
MODELS = [(library, model) for library, models in NAMES.items() for model in models]


def texts_of(part: str) -> list[bytes]:
    """The texts of a part; in `small` and `mixed` each line is one, with escapes of its own."""
    text = (SHARED_MODELS / f"expected/{part}_input.txt").read_text(encoding="utf-8")
    if part == "utf8":
        return [text.encode()]
    lines = text.removesuffix("\n").split("\n")
    return [line.replace("\\n", "\n").replace("\\s", " ").replace("\\x", "").encode() for line in lines]


@cache
def tokenizer_of(library: str, model: str) -> Tokenizer:
    """The reference on a published model; reading one takes longer than all that is asked of it."""
    source = formats.read(SHARED_MODELS / library / f"{model}{SUFFIXES[library]}")
    return Tokenizer(source.vocabulary, source.behaviour)


@pytest.mark.parametrize("part", ["small", "mixed", "utf8"])
@pytest.mark.parametrize(("library", "model"), MODELS)
def test_expected_ids(library: str, model: str, part: str) -> None:
    """Text for text; all libraries but SentencePiece recognize special tokens in a text by themselves."""
    tokenizer = tokenizer_of(library, model)
    rows = (SHARED_MODELS / f"expected/{library}.{model}.{part}.tokens.txt").read_text().removesuffix("\n").split("\n")
    texts = texts_of(part)
    assert len(rows) == len(texts)
    for row, text in zip(rows, texts, strict=True):
        expected = [int(i) for i in row.split(",") if i]
        assert expected == tokenizer.encode(text, add_special=False, parse_special=library != "sentencepiece")
