"""Differences, their kinds, and mismatches put together by kind."""

from __future__ import annotations

import pytest

from tokparity.case import Case, text_case
from tokparity.diagnose.findings import findings
from tokparity.difference import Difference, change_of_text, first_difference, piece_class
from tokparity.finding import Mismatch
from tokparity.outcome import Decoding, Encoding, Failure
from tokparity.questions import Decode

CRASH = Difference("failure", failure="crash")


def mismatch(text: str, expected: list[str], actual: list[str], difference: Difference) -> Mismatch:
    """A mismatch whose pieces are what they are."""
    pieces = tuple(p.encode() for p in expected), tuple(p.encode() for p in actual)
    right, wrong = (Encoding(tuple(range(len(p)))) for p in pieces)
    return Mismatch(text_case(text.encode()), "m", "e", "o", right, wrong, difference, *pieces)


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
    assert "mark-became-nothing" == mismatch("a", ["a", "\u0301"], ["a"], Difference("ids", 1)).kind
    assert "word-became-byte" == mismatch("a", ["▁a"], ["<0x20>", "a"], Difference("ids")).kind
    assert "decode" == mismatch("a", ["a"], ["a"], Difference("decode", 3)).kind
    assert "failure-crash-6" == Mismatch(
        text_case(b""), "m", "e", "o", Encoding(()), Failure("crash", "", 6), CRASH
    ).kind  # fmt: skip


@pytest.mark.parametrize(
    ("right", "given", "change"),
    [
        ("a b", " a b", "nothing-became-space"), ("a b", "ab", "space-became-nothing"),
        ("a.b", "a", "punctuation-became-nothing"), ("né", "nè", "letter-became-letter"),
        ("aa", "aaa", "nothing-became-letter"), (" ⁇ ", "", "word-became-nothing"),
        ("😀", "🙂", "symbol-became-symbol"), ("", "7", "nothing-became-number"),
        ("a b c", " a b x", "letter-became-word"),
    ],
)  # fmt: skip
def test_change_of_a_decoded_text(right: str, given: str, change: str) -> None:
    """The change is read off what stands between the beginning and the end that both texts have, in characters."""
    assert change == change_of_text(right.encode(), given.encode())


def test_rows_of_ids_have_kinds_of_their_own() -> None:
    """How ids are decoded that nobody had encoded is another question."""
    row = Case(Decode((3,)))
    decoded = Mismatch(row, "m", "e", "o", Decoding(b"a"), Decoding(b"b"), Difference("decode"), (b"a",), (b"a",))
    died = Mismatch(row, "m", "e", "o", Decoding(b"a"), Failure("crash", "", 6), CRASH)
    assert ["row-decode", "row-failure-crash-6"] == [decoded.kind, died.kind]


@pytest.mark.parametrize("written", ["ids:0", "decode:17", "round_trip:3", "failure:crash", "failure:error"])
def test_a_difference_is_written_and_read(written: str) -> None:
    """What a report says is the difference again."""
    assert written == str(Difference.parse(written))


@pytest.mark.parametrize(
    ("written", "words"),
    {
        "ids:9": "in the ids, from index 9 on",
        "round_trip:3": "in the decoded text, from byte 3 on",
        "decode:17": "in the decoded text, from byte 17 on",
        "failure:crash": "the engine gave no answer (crash)",
        "stream-late:2": "in the stream, at the text of id 2",
    }.items(),
)
def test_a_difference_is_said_in_words(written: str, words: str) -> None:
    """A reader is told of what the place is an index."""
    assert words == Difference.parse(written).words


@pytest.mark.parametrize("written", ["", "ids", "ids:x", "failure:5", "crash:0", "decode:"])
def test_what_is_no_difference(written: str) -> None:
    """A damaged report does not become a difference of another kind."""
    with pytest.raises(ValueError, match=r"is not a difference|invalid literal"):
        Difference.parse(written)


def test_findings_have_the_smallest_and_count_all() -> None:
    """One finding per kind, with the shortest text whatever the order of arrival."""
    texts = ["aaa", "b", "aa"]
    for order in (texts, texts[::-1]):
        (found,) = findings([mismatch(text, ["a"], ["<unk>"], Difference("ids")) for text in order], [])
        assert b"b" == found.finding.smallest.case.question.shown
        assert (3, "e-letter-became-special") == (found.finding.mismatches, found.finding.name)
        assert (0, 1, 2) == found.members


def test_a_finding_that_nothing_has_explained() -> None:
    """It has a status that says so, its count and who judged."""
    (found,) = findings([mismatch("é", ["a"], [], Difference("ids"))], [])
    assert ("unexplained", 1, "o") == (found.finding.status, found.finding.mismatches, found.finding.oracle)
