"""Texts of which spans are asked: what the generators make for a model, as far as it is short and UTF-8."""

from __future__ import annotations

from collections.abc import Iterator

from tokparity import generators
from tokparity.case import Case, Origin
from tokparity.generators import BLOCK, Prepared
from tokparity.questions import Spans
from tokparity.questions.json_text import is_utf8

SPANS = 1_000
"""How many a run puts."""

LONG = (1_100, 5_000, 70_000)
"""Characters of the long texts that are put beside these."""
_LINE = 200
"""Bytes of one of their lines."""

_LONGEST = 400
"""Bytes of each of the others."""


def span_cases(prepared: Prepared, seed: int, count: int, start: int = 0) -> Iterator[Case[Spans]]:
    """`count` texts that follow from the seed alone, from the number `start` on; special tokens are parsed in some."""
    names = generators.names()
    for number in range(start, start + count):
        name, index = names[number % len(names)], number // len(names)
        text = prepared.block(name, seed, index // BLOCK)[index % BLOCK]
        question = Spans(text if _is_asked(text) else _cut(text), index % 2 == 0, index % 8 in (3, 6))
        yield Case(question, Origin("generator", name, index, seed))


def long_cases(prepared: Prepared, seed: int) -> Iterator[Case[Spans]]:
    """Texts of words that are longer than what engines cut, batch, or count in 16 bits."""
    words = prepared.block("vocabulary_words", seed, 0)
    line = b" ".join(word for word in words if is_utf8(word))[:_LINE].decode("utf-8", "ignore") or "a"
    for number, size in enumerate(LONG):
        text = "\n".join([line] * (size // len(line) + 1))[:size]
        yield Case(Spans(text.encode(), add_special=False), Origin("generator", "long_spans", number, seed))


def _is_asked(text: bytes) -> bool:
    return len(text) <= _LONGEST and is_utf8(text)


def _cut(text: bytes) -> bytes:
    """The beginning of a text, as far as it is UTF-8."""
    return text[:_LONGEST].decode("utf-8", "ignore").encode()
