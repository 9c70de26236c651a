"""What an accepted entry of a text does not cover: another fault that the same text shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokparity.case import Origin, text_case
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.models.record import AcceptedFinding
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.session.acceptance import Acceptance
from tokparity.session.as_accepted import as_it_shows, damage

Row = tuple[int, ...]
WORDS = {b"!": (1, 9), b"a!": (1, 2, 9), b"ab!": (1, 2, 3, 9), b"a! b": (1, 2, 9, 3)}


def wrong(text: bytes, right: Row, given: Outcome | Row, source: str = "corpus") -> Mismatch:
    """A mismatch of ids, or a failure."""
    actual = Encoding(given) if isinstance(given, tuple) else given
    case = text_case(text, origin=Origin(source, "words", 0))  # type: ignore[arg-type]
    difference = Difference("failure", failure=actual.kind) if isinstance(actual, Failure) else Difference("ids")
    return Mismatch(case, "m", "e", "o", Encoding(right), actual, difference)


def about(mismatches: list[Mismatch], cases: int = 0) -> Finding:
    """An unexplained finding about these."""
    return Finding("f", "m", "e", "o", "unexplained", mismatches[0], cases or len(mismatches))


LAST_LOST = [wrong(text, right, right[:-1]) for text, right in WORDS.items()][:3]
ENTRY = as_it_shows(AcceptedFinding("e", "so", text='"!"'), LAST_LOST[0], LAST_LOST, 3, 100)


def judged(entry: AcceptedFinding, mismatches: list[Mismatch], cases: int = 0, put: int = 100) -> Finding:
    """The finding about these mismatches, once the entry has been looked at; its text is put for it first."""
    acceptance = Acceptance("m", (entry,))
    first = replace(mismatches[0], case=replace(mismatches[0].case, origin=Origin("accepted")))
    every = [first, *mismatches]
    for index, mismatch in enumerate(every):
        acceptance.met(mismatch, index)
    finding = about(every, cases)
    applied = acceptance.applied(finding, range(len(every)), put)
    gone = [one.what for one in acceptance.vanished(["e"])]
    assert ([] if applied.accepted else ['ids on "!", as it was accepted']) == gone
    return applied


def test_an_entry_says_what_makes_its_finding() -> None:
    """What the engine gives on some texts, what damage it does, and how many cases show it."""
    assert ('"!": [1], not [1, 9]', '"a!": [1, 2], not [1, 2, 9]', '"ab!": [1, 2, 3], not [1, 2, 3, 9]') == ENTRY.gives
    assert (("the last id is missing",), "3 of 100") == (ENTRY.damage, ENTRY.cases)


def test_the_same_fault_stays_accepted() -> None:
    """Also on further texts that contain the accepted one, in a shorter and in a longer run."""
    more = [*LAST_LOST, wrong(b"cd!", (1, 4, 5, 9), (1, 4, 5))]
    assert judged(ENTRY, more).accepted
    assert judged(ENTRY, LAST_LOST[:1], put=8).accepted
    assert judged(ENTRY, more, cases=20, put=2000).accepted
    assert judged(ENTRY, more, cases=5, put=10).accepted


@pytest.mark.parametrize(
    ("mismatches", "expected"),
    [
        ([wrong(b"!", (1, 9), (7,))], 'changed: "!": [7]; [1] is accepted'),
        (
            [LAST_LOST[0], wrong(b"a! b", (1, 2, 9, 3), (3, 9, 2, 1))],
            "changed: the ids are in another order; accepted is: the last id is missing",
        ),
        (
            [LAST_LOST[0], wrong(b"a! b", (1, 2, 9, 3), ())],
            "changed: the last ids are missing; accepted is: the last id is missing",
        ),
    ],
)
def test_another_fault_on_the_accepted_text_is_new(mismatches: list[Mismatch], expected: str) -> None:
    """Another answer to a text whose answer is told, or another damage to a text that contains the accepted one."""
    finding = judged(ENTRY, mismatches)
    assert (True, expected) == (finding.is_new, finding.beyond)
    assert mismatches[-1].case.question == finding.smallest.case.question


@pytest.mark.parametrize(
    ("damage", "given", "is_accepted"),
    [
        ("the id 0 is added behind the others", (1, 2, 9, 0), True),
        ("the id 0 is added behind the others", (5, 1, 2, 9), False),
        ("ids are added", (5, 1, 2, 9), True),
    ],
)
def test_another_id_that_is_added_is_new(damage: str, given: Row, is_accepted: bool) -> None:
    """Which one, and where; an entry of an earlier version does not say it."""
    entry = AcceptedFinding("e", "so", text='"!"', gives=('"!": [1, 9, 0], not [1, 9]',), damage=(damage,))
    finding = judged(entry, [wrong(b"!", (1, 9), (1, 9, 0)), wrong(b"a!", (1, 2, 9), given)], cases=2)
    assert is_accepted == finding.accepted


def test_many_more_texts_are_new() -> None:
    """By number and by share: a run of ten times the texts has ten times the cases."""
    finding = judged(ENTRY, LAST_LOST, cases=8, put=100)
    assert "changed: 7 of 100 cases show it; 3 of 100 are accepted" == finding.beyond
    assert finding.is_new


def test_an_entry_that_says_no_more_than_its_text_covers_what_it_covered() -> None:
    """Such entries were written by earlier versions, and by hand."""
    entry = AcceptedFinding("e", "so", text='"!"')
    assert judged(entry, [wrong(b"!", (1, 9), (7,)), wrong(b"a!", (1, 2, 9), ())], cases=90).accepted


def test_entries_of_one_text_are_met_together() -> None:
    """The text is put once; what each of them accepts is accepted, and none has vanished."""
    other = as_it_shows(ENTRY, wrong(b"!", (1, 9), (7,)), [wrong(b"!", (1, 9), (7,))], 1, 100)
    acceptance = Acceptance("m", (ENTRY, other))
    mismatch = wrong(b"!", (1, 9), (7,), "accepted")
    acceptance.met(replace(mismatch, case=replace(mismatch.case, origin=Origin("accepted", number=0))), 0)
    assert acceptance.applied(about([mismatch]), [0], 100).accepted
    assert [] == acceptance.vanished(["e"])


@pytest.mark.parametrize(
    ("right", "given", "expected"),
    [
        ((1, 2, 3), (1, 2), "the last id is missing"),
        ((1, 2, 3), (), "the last ids are missing"),
        ((1, 2, 3), (2, 3), "the first id is missing"),
        ((1, 2, 3), (3,), "the first ids are missing"),
        ((1, 2, 3), (1, 3), "ids are missing inside"),
        ((1, 3), (1, 2, 3), "ids are added"),
        ((1, 3), (1, 3, 0), "the id 0 is added behind the others"),
        ((1, 3), (5, 1, 3), "the id 5 is added before the others"),
        ((1, 3), (1, 3, 0, 0), "ids are added behind the others"),
        ((1, 2, 3), (3, 2, 1), "the ids are in another order"),
        ((1, 2, 3), (1, 5, 3), "other ids"),
        ((1,) * 300, (1,), ""),
        ((1, 2), Failure("crash", "dead"), "no answer (crash)"),
    ],
)
def test_damage_is_told_without_the_text(right: Row, given: Outcome | Row, expected: str) -> None:
    """The words are those of every text that the same fault shows on; of a long row a report holds the beginning."""
    assert expected == damage(wrong(b"a", right, given))


def test_damage_of_decoded_text() -> None:
    """Where ids are right and their text is not."""
    mismatch = replace(
        wrong(b"a b", (1, 2), (1, 2)), expected=Encoding((1, 2), b"a b"), actual=Encoding((1, 2), b"ab"),
        difference=Difference("decode", 1),
    )  # fmt: skip
    assert "bytes are missing inside" == damage(mismatch)
