"""Patterns without their contractions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokparity.behaviour import Behaviour
from tokparity.quirks import get, toys
from tokparity.reference.pretokenisers import RECORDS, PreTokeniser, by_name

MISSES = get("misses_contractions")


def missing(record: PreTokeniser) -> Behaviour:
    """A behavior with the record's stage, without its contractions."""
    return MISSES.flip(replace(toys.byte_bpe("").behaviour, pretokenise=record.stage))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record.names[0]))
def test_other_words_stay(record: PreTokeniser) -> None:
    """Only the contractions go, be they an alternative or the end of one."""
    split = missing(record).pretokenise
    assert split is not None
    for text in ("Hello World1234 ok!\n", "a B cD Ef gH1 2\u00a0\u4e16\u754c \u17d2\u17d2\u17d2 ..."):
        assert record.stage(text, True) == split(text, True)


@pytest.mark.parametrize(
    ("name", "with_them", "without"),
    [
        ("gpt-2", ["don", "'t", "1", " ok"], ["don", "'", "t", "1", " ok"]),
        ("gpt-4o", ["don't", "1", " ok"], ["don", "'t", "1", " ok"]),
    ],
)
def test_contractions_go(name: str, with_them: list[str], without: list[str]) -> None:
    """What was a contraction is cut as any other text."""
    split = missing(by_name(name)).pretokenise
    assert split is not None
    assert [with_them, without] == [by_name(name).stage("don't1 ok", True), split("don't1 ok", True)]
