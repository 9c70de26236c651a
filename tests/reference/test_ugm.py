"""The unigram model."""

from __future__ import annotations

import tracemalloc
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.reference.models import behaviour, scored_pieces, vocabulary
from tokparity.models import load, primary_source
from tokparity.quirks import get
from tokparity.reference.lattice import PREFIX_ONLY, Lattice
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.ugm import ugm
from tokparity.reference.unknown import fuse_unknown
from tokparity.reference.viterbi import best_path
from tokparity.vocabulary import Kind

TEXTS = st.text("abc▁d", max_size=12)
PLAIN = behaviour(ugm, space_marker="▁")
NARROW = behaviour(ugm, space_marker="▁", score_bits=32, rebase_below=-40.0)
ROUNDED_LATE = behaviour(ugm, space_marker="▁", score_bits=32, compares_unrounded=True)


def all_scores(text: str, pieces: dict[str, float], unknown: float) -> list[float]:
    """The score of every way to cut a text, unknown characters included: 2 ** (n - 1) ways."""
    scores = []
    for cuts in product([False, True], repeat=max(len(text) - 1, 0)):
        ends = [i + 1 for i, cut in enumerate(cuts) if cut] + [len(text)]
        parts = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        if all(part in pieces or len(part) == 1 for part in parts):
            scores.append(sum(pieces.get(part, unknown) for part in parts))
    return scores


@given(scored_pieces(), st.text("abc▁d", min_size=1, max_size=9))
def test_the_path_is_the_best_of_all(pieces: dict[str, float], text: str) -> None:
    """Viterbi's score is the maximum over every segmentation, found by brute force."""
    lattice = Lattice(vocabulary(pieces), PLAIN)
    assert max(all_scores(text, pieces, lattice.unknown_score)) == best_path(lattice, text).end


@given(scored_pieces(), st.lists(TEXTS, max_size=30))
@example({"e": -6.881682395935059, "ee": -10.061906814575195, "▁": -2.1}, ["▁eee"] * 20)
def test_seams_and_memo_change_nothing(pieces: dict[str, float], texts: list[str]) -> None:
    """Cut at seams and remembered, a text gives the ids of one walk through its whole lattice, in 32 bits as well."""
    text = "▁".join(texts)
    for how in (PLAIN, NARROW, ROUNDED_LATE):
        known = vocabulary(pieces)
        lattice = Lattice(known, how)
        rebase = -float("inf") if how.rebase_below is None else how.rebase_below
        late = how.compares_unrounded
        path = best_path(lattice, text, narrow=how.score_bits == 32, rebase_below=rebase, compares_unrounded=late)
        whole = [lattice.ids.get(text[start:end], 0) for start, end in path.spans]
        assert whole == ugm(known, how)(text)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (":::", [3, 182, 19]),
        ("==111-- ~_____", [3, 1704, 1264, 229, 22, 22, 3, 994, 102, 102, 102, 102, 102]),
        ("11111=========o ", [80, 1264, 1264, 1704, 1704, 1704, 1704, 501, 17]),
    ],
)
def test_sums_that_are_compared_before_they_are_rounded(text: str, ids: list[int]) -> None:
    """The ids are those that SentencePiece 0.2.0 gave; 0.2.3 gives the same pieces in another order."""
    source = primary_source(load("small-unigram"))
    before = get("compares_sums_before_rounding").flip(source.behaviour)
    then, now = (
        list(Tokenizer(source.vocabulary, how).encode(text.encode(), add_special=False))
        for how in (before, source.behaviour)
    )
    assert ids == then
    assert ids != now
    assert sorted(ids) == sorted(now)


def test_unknowns_in_a_row_fuse_across_seams() -> None:
    """Two unknown characters are one id where the behavior fuses them, two where it does not."""
    known = vocabulary({"a": -1.0})
    assert [1, 0, 1] == ugm(known, behaviour(ugm, fuse_unknown=True))("axya")
    assert [1, 0, 0, 1] == ugm(known, PLAIN)("axya")


def test_user_defined_pieces_are_chosen_over_better_ones() -> None:
    """A user-defined piece scores 0, or 0.1 for each byte but the first, whatever the file says."""
    known = vocabulary({"ab": -50.0, "a": -0.1, "b": -0.1}, {"ab": Kind.USER_DEFINED})
    for rule in ("zero", "length"):
        assert [1] == ugm(known, behaviour(ugm, user_defined_score=rule))("ab")
    assert [2, 3] == ugm(known, behaviour(ugm, user_defined_score="own"))("ab")


def test_unused_and_control_pieces_stay_out_of_the_lattice() -> None:
    """Only normal and user-defined pieces are edges; unused ones only where the behavior says so."""
    known = vocabulary({"ab": -1.0, "a": -2.0, "b": -2.0, "ba": -1.0}, {"ab": Kind.UNUSED, "ba": Kind.CONTROL})
    assert [2, 3] == ugm(known, PLAIN)("ab")
    assert [1] == ugm(known, behaviour(ugm, unused_pieces="as_normal"))("ab")
    assert [3, 2] == ugm(known, PLAIN)("ba")


def test_fuse_unknown() -> None:
    """Runs of the unknown id become one; other ids and models without an unknown stay."""
    assert [0, 5, 5, 0] == fuse_unknown([0, 0, 5, 5, 0, 0, 0], 0)
    assert [0, 0] == fuse_unknown([0, 0], None)


LONG = "abc" * 60


@given(st.lists(st.sampled_from([LONG[:n] for n in (1, 2, 3, 63, 64, 65, 66, 100, 101, 170)]), max_size=8))
def test_pieces_longer_than_what_is_walked_are_found(pieces: list[str]) -> None:
    """The best path over pieces of every length is the best of all steps, taken one after the other."""
    scored = {piece: -1.0 - 0.01 * len(piece) for piece in ("a", "b", *pieces)}
    lattice = Lattice(vocabulary(scored), PLAIN)
    text = LONG + "b" + LONG[:120]
    best = [0.0] + [-float("inf")] * len(text)
    for end in range(1, len(text) + 1):
        steps = [best[end - len(p)] + s for p, s in scored.items() if text[:end].endswith(p)]
        best[end] = max([*steps, best[end - 1] + lattice.unknown_score])
    assert round(best[-1], 6) == round(best_path(lattice, text).end, 6)
    for piece in pieces:
        assert all(lattice.of_beginning(piece[:n]) == scored.get(piece[:n], PREFIX_ONLY) for n in range(1, len(piece)))
    assert lattice.of_beginning(LONG + "x") is None


def test_a_long_piece_takes_memory_in_proportion() -> None:
    """What is kept of a piece of 100,000 characters is less than 64 times as much."""
    tracemalloc.start()
    Lattice(vocabulary({"ab" * 50_000: -1.0, "a": -2.0}), PLAIN)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * 100_000
