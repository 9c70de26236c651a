"""The reference gives the ids that each model's own library is known to give, for every file there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokparity import formats
from tokparity.reference.tokenizer import Tokenizer

SHARED = Path(__file__).parents[2] / "../shared/models"
FOLDERS = {"sentencepiece": ".model", "tokenizers": ".json", "tiktoken": ".tiktoken"}
MODELS = sorted((path.parent.name, path.stem) for folder in FOLDERS for path in (SHARED / folder).glob("*"))


def texts_of(part: str) -> list[bytes]:
    """The texts of a part; in `small` and `mixed` each line is one, with escapes of its own."""
    text = (SHARED / f"expected/{part}_input.txt").read_text(encoding="utf-8")
    if part == "utf8":
        return [text.encode()]
    lines = text.removesuffix("\n").split("\n")
    return [line.replace("\\n", "\n").replace("\\s", " ").replace("\\x", "").encode() for line in lines]


@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")
@pytest.mark.parametrize("part", ["small", "mixed", "utf8"])
@pytest.mark.parametrize(("library", "model"), MODELS)
def test_expected_ids(library: str, model: str, part: str) -> None:
    """Text for text; all libraries but SentencePiece recognise special tokens in a text by themselves."""
    source = formats.read(SHARED / library / f"{model}{FOLDERS[library]}")
    tokenizer = Tokenizer(source.vocabulary, source.behaviour)
    rows = (SHARED / f"expected/{library}.{model}.{part}.tokens.txt").read_text().removesuffix("\n").split("\n")
    texts = texts_of(part)
    assert len(rows) == len(texts)
    for row, text in zip(rows, texts, strict=True):
        expected = [int(i) for i in row.split(",") if i]
        assert expected == tokenizer.encode(text, add_special=False, parse_special=library != "sentencepiece")
