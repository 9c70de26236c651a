"""The part of docs/style.md that a machine can check; `known.json` counts what is still wrong, and may only shrink."""

from __future__ import annotations

import json

import pytest
from words import prose

KNOWN: dict[str, int] = json.loads(prose.KNOWN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["long", "idioms", "british"])
def test_the_prose_gets_no_worse(kind: str) -> None:
    """Long sentences, private idioms and British spellings are no more than the number of known ones."""
    assert len(prose.faults()[kind]) <= KNOWN[kind], f"`cd tests && python -m words.prose {kind}` lists them"


def test_a_long_sentence_is_seen() -> None:
    """26 words are too many, 25 are not, and code counts as one word."""
    assert 1 == len(prose.long_sentences("word " * 25 + "end."))
    assert [] == prose.long_sentences("word " * 24 + "end.")
    assert [] == prose.long_sentences("word " * 23 + "`a b c d e f` end.")


def test_british_spelling_and_idioms_are_seen() -> None:
    """Both are found in prose and left alone in code."""
    assert ["normaliser", "behaviour"] == prose.british_words("The normaliser has another behaviour than `normalise`.")
    assert 1 == len(prose.IDIOMS.findall("A recording stands for the engine."))
