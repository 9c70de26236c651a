"""Special tokens that an engine reads as regular expressions: their spelling comes from a file, so it is bounded."""

from __future__ import annotations

import time

import pytest

from tokparity.quirks import toys
from tokparity.quirks.reads_specials_as_expressions import as_expressions
from tokparity.reference.specials import leftmost_longest


def match(spelled: str, text: str) -> list[str | int]:
    """The parts of a text where this is the only special token besides those of every toy."""
    toy = toys.spm("a", added=(toys.special(spelled, 9),))
    return as_expressions(toy.vocabulary, toy.behaviour, False)(text, True)


@pytest.mark.parametrize(
    ("spelled", "text", "parts"),
    [
        ("<|ab|>", "x<|ab|>", ["x", "<", "|", "ab", "|", ">"]),
        ("[CS]", "aCb[CS]", ["a", "C", "b[", "C", "S", "]"]),
        ("<s>", "a<s>", ["a", 1]),
        ("[", "a[<s>", ["a[<s>"]),
    ],
    ids=["alternatives", "a class", "no meaning", "no expression"],
)
def test_what_the_spelling_means(spelled: str, text: str, parts: list[str | int]) -> None:
    """A match that is no token is a text of its own; where nothing can be compiled, nothing is found."""
    assert parts == match(spelled, text)


@pytest.mark.parametrize("spelled", ["(a+)+$", "(?R)", "a{9}{9}{9}{9}{9}{9}{9}{9}", "\\1", "a*", "x?"])
def test_what_repeats_or_groups_is_not_run(spelled: str) -> None:
    """A file could make it take for ever, so the quirk changes nothing there."""
    toy, text, started = toys.spm("a", added=(toys.special(spelled, 9),)), "a" * 40 + "!", time.monotonic()
    as_before = leftmost_longest(toy.vocabulary, toy.behaviour, False)
    assert as_before(text + spelled, True) == match(spelled, text + spelled)
    assert time.monotonic() - started < 5
