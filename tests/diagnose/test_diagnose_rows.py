"""Why rows of ids are decoded otherwise: the diagnosis on mismatches of Decode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokparity import quirks
from tokparity.case import Case
from tokparity.diagnose import Base, Found, diagnose, findings
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Decoding
from tokparity.questions import Decode
from tokparity.quirks import toys

TOY = toys.spm("▁ a b ▁a", byte_pieces=True)
BASE = Base(TOY.vocabulary, TOY.behaviour)
ROWS = ((0,), (0, 4), (5, 0, 3), (4, 0))
HIDES = "hides_unknown_when_decoding"


def decoded(names: Sequence[str], row: tuple[int, ...]) -> bytes:
    """What the toy with these quirks gives, special tokens left out."""
    behaviour = quirks.flip_all([quirks.get(name) for name in names], TOY.behaviour)
    return behaviour.decode(TOY.vocabulary, replace(behaviour, skip_special=True), row)


def wrong(row: tuple[int, ...], text: bytes) -> Mismatch:
    """A row that an engine decoded to this text."""
    pieces = tuple(TOY.vocabulary.pieces[i] for i in row)
    answers = Decoding(decoded((), row)), Decoding(text)
    return Mismatch(Case(Decode(row, True)), "toy", "e", "o", *answers, Difference("decode"), pieces, pieces)


def found(mismatches: Sequence[Mismatch], right: Sequence[tuple[int, ...]] = (), more: int = 0) -> list[Found]:
    """The findings about these rows and some that were decoded well; some more of the first kind were not kept."""
    controls = [Control(Case(Decode(row, True)), "toy", "e", Decoding(decoded((), row))) for row in right]
    explanations = diagnose([BASE], mismatches, controls, quirks.all_quirks())
    return findings(mismatches, explanations, {mismatches[0].kind: len(mismatches) + more})


def test_one_flip_that_gives_all_rows() -> None:
    """It gives all that were kept; what was not kept is said beside it."""
    (one,) = found([wrong(row, decoded([HIDES], row)) for row in ROWS], [(3, 4)], more=7)
    finding = one.finding
    assert ("reproduced", (HIDES,), 4) == (finding.status, finding.quirks, finding.verified)
    assert (4, 7) == (finding.mismatches, finding.unexamined)
    assert (0, 1, 2, 3) == one.members


def test_what_no_flip_gives_is_left() -> None:
    """A second finding, without a cause, about the rows that are left."""
    given = [wrong(row, decoded([HIDES], row)) for row in ROWS]
    one, rest = found([*given, wrong((4,), b"no flip gives this")])
    assert ["reproduced", "unexplained"] == [one.finding.status, rest.finding.status]
    assert [(0, 1, 2, 3), (4,)] == [one.members, rest.members]


def test_flips_that_spoil_what_was_right_explain_nothing() -> None:
    """Another row with an unknown id, which the engine decoded well."""
    (one,) = found([wrong(row, decoded([HIDES], row)) for row in ROWS], [(0, 5)])
    assert ("unexplained", ()) == (one.finding.status, one.finding.quirks)
