"""Why rows of ids are decoded otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokparity import quirks
from tokparity.diagnose import Base, Found
from tokparity.finding import Finding, Mismatch
from tokparity.fuzz.row_causes import Decoded, Rows, explained
from tokparity.outcome import Case, Encoding
from tokparity.quirks import toys

TOY = toys.spm("▁ a b ▁a", byte_pieces=True)
BASE = Base(TOY.vocabulary, TOY.behaviour)
ROWS = ((0,), (0, 4), (5, 0, 3), (4, 0))


def decoded(names: Sequence[str], row: tuple[int, ...]) -> bytes:
    """What the toy with these quirks gives, special tokens shown."""
    behaviour = quirks.flip_all([quirks.get(name) for name in names], TOY.behaviour)
    return behaviour.decode(TOY.vocabulary, replace(behaviour, skip_special=False), row)


def wrong(row: tuple[int, ...], text: bytes) -> Mismatch:
    """A row that an engine decoded to this text."""
    case = Case(str(list(row)).encode(), add_special=False, parse_special=True)
    return Mismatch(case, "toy", "e", "o", Encoding(row, decoded((), row)), Encoding(row, text), "decode:0")


def found(mismatches: Sequence[Mismatch], right: Sequence[tuple[int, ...]] = (), more: int = 0) -> list[Found]:
    """The findings about one group, of which some more rows were not kept."""
    finding = Finding("e-decode", "toy", "e", "o", "unexplained", mismatches[0], len(mismatches) + more)
    rows = Rows(finding, [(mismatch, place) for place, mismatch in enumerate(mismatches)])
    return explained([rows], BASE, [Decoded(row, False, decoded((), row)) for row in right], [("omits_bos",)])


def test_one_flip_that_gives_all_rows() -> None:
    """It is verified on all that were kept; what was not kept is counted with it."""
    hides = "hides_unknown_when_decoding"
    (one,) = found([wrong(row, decoded([hides], row)) for row in ROWS], [(3, 4)], more=7)
    assert ("verified", (hides,), 4, 11) == (
        one.finding.status, one.finding.quirks, one.finding.verified, one.finding.mismatches
    )  # fmt: skip
    assert (0, 1, 2, 3) == one.members


def test_what_no_flip_gives_is_left() -> None:
    """A second finding, without a cause, about the rows that are left."""
    given = [wrong(row, decoded(["hides_unknown_when_decoding"], row)) for row in ROWS]
    one, rest = found([*given, wrong((4,), b"no flip gives this")])
    assert ["verified", "unexplained"] == [one.finding.status, rest.finding.status]
    assert [(0, 1, 2, 3), (4,)] == [one.members, rest.members]


def test_flips_that_spoil_what_was_right_explain_nothing() -> None:
    """Another row with an unknown id, which the engine decoded well."""
    (one,) = found([wrong(row, decoded(["hides_unknown_when_decoding"], row)) for row in ROWS], [(0, 5)])
    assert ("unexplained", ()) == (one.finding.status, one.finding.quirks)
