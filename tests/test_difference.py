"""Kinds of difference, and mismatches put together."""

from __future__ import annotations

import pytest

from tokparity.diff import Grouping, first_difference, group, kind, piece_class
from tokparity.finding import Mismatch
from tokparity.outcome import Case, Encoding, Failure


def mismatch(text: str, expected: list[str], actual: list[str], difference: str) -> Mismatch:
    """A mismatch whose pieces are what they are."""
    pieces = tuple(p.encode() for p in expected), tuple(p.encode() for p in actual)
    right, wrong = (Encoding(tuple(range(len(p)))) for p in pieces)
    return Mismatch(Case(text.encode()), "m", "e", "o", right, wrong, difference, *pieces)


@pytest.mark.parametrize(
    ("expected", "actual", "at"), [([], [], 0), ([1], [1, 2], 1), ([1, 2], [3, 2], 0), ([1, 2, 3], [1, 2, 4], 2)]
)
def test_first_difference(expected: list[int], actual: list[int], at: int) -> None:
    """The first index that differs, or the length of the shorter."""
    assert at == first_difference(expected, actual)


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ("▁the", "word"), ("Ġthe", "word"), ("▁▁", "space"), ("a", "letter"), ("##a", "letter"), ("7", "number"),
        ("\u0301", "mark"), ("<0x0A>", "byte"), ("<unk>", "special"), ("[SEP]", "special"), ("!", "punctuation"),
        ("\n", "control"), ("", "nothing"), ("+", "symbol"),
    ],
)  # fmt: skip
def test_class_of_a_piece(piece: str, expected: str) -> None:
    """A piece is classed by what it begins with."""
    assert expected == piece_class(piece.encode())


def test_kind_says_what_became_what() -> None:
    """The kind is read off the pieces at the first difference."""
    assert "mark-became-nothing" == kind(mismatch("a", ["a", "\u0301"], ["a"], "ids:1"))
    assert "word-became-byte" == kind(mismatch("a", ["▁a"], ["<0x20>", "a"], "ids:0"))
    assert "decode" == kind(mismatch("a", ["a"], ["a"], "decode:3"))
    crash = Mismatch(Case(b""), "m", "e", "o", Encoding(()), Failure("crash", "", 6), "failure:crash")
    assert "failure-crash-6" == kind(crash)


def test_groups_keep_the_smallest_and_count_all() -> None:
    """One group per kind, with the shortest text whatever the order of arrival."""
    texts = ["aaa", "b", "aa"]
    for order in (texts, texts[::-1]):
        (found,) = group([mismatch(text, ["a"], ["<unk>"], "ids:0") for text in order])
        assert (b"b", 3, "e-letter-became-special") == (found.smallest.case.text, found.mismatches, found.name)
        assert [0, 1, 2] == found.members


def test_only_so_many_are_kept() -> None:
    """Counts stay exact when the room for mismatches is used up, in number or in bytes."""
    grouping = Grouping(keep=2)
    kept = [grouping.add(mismatch("x" * n, ["a"], ["b"], "ids:0")) for n in range(5)]
    for found in kept[:2]:
        assert found is not None
        found.members.append(0)
    assert [5] == [found.mismatches for found in grouping.groups()]
    bounded = Grouping(keep=100, keep_bytes=10)
    assert [True, False] == [bounded.add(mismatch("x", ["a"], ["b"], "ids:0")) is not None for _ in range(2)]


def test_finding_of_a_group() -> None:
    """A group is a finding that nothing has explained yet."""
    (found,) = group([mismatch("é", ["a"], [], "ids:0")])
    assert ("unexplained", 1, "o") == (found.finding().status, found.finding().mismatches, found.finding().oracle)
