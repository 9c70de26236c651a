"""Texts of which spans are asked: what the generators make for a model, as far as it is short and UTF-8."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tokparity.case import Case
from tokparity.generators import Prepared
from tokparity.questions import Spans
from tokparity.questions.json_text import is_utf8
from tokparity.sources.random_texts import random_cases

SPANS = 1_000
"""How many a run puts."""

_LONGEST = 400
"""Bytes of a text: to place the ids of a normalized one takes work that grows with its square."""


def span_cases(prepared: Prepared, seed: int, count: int) -> Iterator[Case[Spans]]:
    """`count` texts that follow from the seed alone, special tokens parsed in every fourth pair."""
    texts = (case for case in random_cases((), seed, 1 << 62, prepared) if _is_asked(case.question.text))
    for number, case in enumerate(islice(texts, count)):
        yield Case(Spans(case.question.text, case.question.add_special, number // 2 % 4 == 3), case.origin)


def _is_asked(text: bytes) -> bool:
    return len(text) <= _LONGEST and is_utf8(text)
