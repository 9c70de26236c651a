"""Groups of disagreements on generated models, and what is told of them."""

from __future__ import annotations

from tokparity.case import text_case
from tokparity.difference import Difference
from tokparity.finding import Mismatch
from tokparity.fuzz.groups import Example, Total, key_of
from tokparity.generators.blueprint import PLAIN
from tokparity.outcome import Encoding


def example(text: bytes) -> Example:
    """A mismatch on the plain model."""
    mismatch = Mismatch(
        text_case(text), "generated spm", "wrong", "reference", Encoding((3,)), Encoding((4,)), Difference("ids")
    )
    return Example(mismatch, PLAIN, ())


def total_of(*causes: tuple[str, ...]) -> Total:
    """One text for each cause."""
    total = Total()
    for cause in causes:
        total.add(("wrong", "" if cause else "spm, ids", cause), [example(b"ab")])
    return total


def test_what_needs_causes_that_are_told_alone_is_not_told_alone() -> None:
    """Two quirks at once say nothing new where each has a group; where one has none, they do."""
    both = total_of(("a",), ("b",), ("a", "b"), ("a", "c"))
    assert [("a", "b")] == [group.quirks for group in both.combined()]
    assert [("a",), ("a", "c"), ("b",)] == [group.quirks for group in both.shown()]


def test_the_unexplained_come_first() -> None:
    """A reader looks at the top of the list."""
    assert [(), ("a",)] == [group.quirks for group in total_of(("a",), ()).shown()]


def test_a_group_keeps_its_smallest_text_and_counts_all() -> None:
    """From one model after the other."""
    total = total_of(("a",))
    total.add(("wrong", "", ("a",)), [example(b"abab"), example(b"a")])
    (group,) = total.groups.values()
    assert b"a" == group.smallest.mismatch.case.question.text
    assert (2, 3) == (group.models, group.mismatches)


def test_what_nothing_explains_is_grouped_by_algorithm_and_aspect() -> None:
    """Ids and decoded text are told apart."""
    assert ("wrong", "spm, ids", ()) == key_of("spm", (), example(b"ab").mismatch)
    assert ("wrong", "", ("a",)) == key_of("spm", ("a",), example(b"ab").mismatch)
