"""WPM: greedy longest match within a word."""

from __future__ import annotations

from tests.reference.models import behaviour, vocabulary
from tokparity.reference.wpm import wpm

KNOWN = vocabulary({"un": 0.0, "##aff": 0.0, "##able": 0.0, "##a": 0.0, "unaff": 0.0})


def test_longest_piece_first() -> None:
    """BERT's own example, with a longer first piece that must win."""
    assert [5, 3] == wpm(KNOWN, behaviour(wpm, continuing_prefix="##"))("unaffable")


def test_a_word_with_a_hole_is_unknown_as_a_whole() -> None:
    """Where nothing fits, the pieces already found are given up."""
    assert [0] == wpm(KNOWN, behaviour(wpm, continuing_prefix="##"))("unaffx")


def test_a_word_that_is_too_long_is_unknown() -> None:
    """The limit counts characters."""
    segment = wpm(KNOWN, behaviour(wpm, continuing_prefix="##", max_word_chars=6))
    assert [5, 4] == segment("unaffa")
    assert [0] == segment("unaffaa")


def test_gguf_marks_the_beginning_instead() -> None:
    """The same words with the spelling of a GGUF: "▁" begins a word, nothing continues it."""
    known = vocabulary({"▁un": 0.0, "aff": 0.0, "able": 0.0})
    assert [1, 2, 3] == wpm(known, behaviour(wpm, word_prefix="▁"))("unaffable")
