"""Judging a batch with arrays against judging it case by case."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokparity.diff import Grouping, kind
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.results import Results
from tokparity.outcome import Case, Encoding, Failure, Outcome
from tokparity.session.judge import NOT_ASKED, REFERENCE, Batch, Judge, Tally, difference_of

PIECES = (b"<unk>", b"a", "▁b".encode(), b"<0x41>")
FAILURES = [Failure("crash", "", 6), Failure("error", "no"), Failure("unsupported", ""), Failure("unavailable", "")]
TEXTS = [b"", b"a", b"a b"]

encodings = st.builds(Encoding, st.lists(st.integers(0, 4), max_size=3).map(tuple), st.sampled_from(TEXTS))
outcomes: st.SearchStrategy[Outcome] = st.one_of(encodings, encodings, st.sampled_from(FAILURES))


def results(answers: Sequence[Outcome]) -> Results:
    """The outcomes as an engine's client gives them."""
    rows = [a.ids if isinstance(a, Encoding) else () for a in answers]
    texts = [(a.decoded or b"") if isinstance(a, Encoding) else b"" for a in answers]
    failures = tuple((i, a) for i, a in enumerate(answers) if isinstance(a, Failure))
    return Results(Ids.from_list(rows), Texts.from_list(texts), failures)


def judged_singly(case: Case, oracle: Outcome, reference: Outcome, actual: Outcome, silent: bool) -> tuple[str, str]:
    """(who judges, difference) of one case; the difference is "" where there is none, "?" where nobody can say."""
    expected, name = (reference, REFERENCE) if silent or isinstance(oracle, Failure) else (oracle, "oracle")
    if isinstance(actual, Failure):
        return ("", "refused") if actual.kind in NOT_ASKED else (name, f"failure:{actual.kind}")
    if isinstance(expected, Failure):
        return name, "?"
    return name, difference_of(case, expected, actual)


@given(st.lists(st.tuples(st.sampled_from(TEXTS), outcomes, outcomes, outcomes), min_size=1, max_size=6))
def test_a_batch_is_judged_as_each_of_its_cases(rows: list[tuple[bytes, Outcome, Outcome, Outcome]]) -> None:
    """The same mismatches by the same judges, the kinds that they have when written out, and the same counts."""
    cases = [Case(row[0], origin=str(place)) for place, row in enumerate(rows)]
    of = {name: results([row[n] for row in rows]) for n, name in ((1, "oracle"), (2, REFERENCE), (3, "engine"))}
    batch, judge = Batch(cases, of), Judge("m", "oracle", PIECES)
    silent = all(isinstance(row[1], Failure) and row[1].kind in NOT_ASKED for row in rows)
    expected = [judged_singly(case, *row[1:], silent) for case, row in zip(cases, rows, strict=True)]

    seen = list(judge.sightings(batch, ["engine"]))
    found = [judge.mismatch(batch, one) for one in seen]

    wrong = [(place, *each) for place, each in enumerate(expected) if each[1] not in ("", "?", "refused")]
    assert wrong == [(int(m.case.origin), m.oracle, m.first_difference) for m in found]
    assert [kind(mismatch) for mismatch in found] == [one.kind for one in seen]
    what = [difference.partition(":")[0] for _, difference in expected]
    assert judge.tallies["engine"] == Tally(
        cases=len(rows), mismatches=what.count("ids"), failures=what.count("failure"),
        unsupported=what.count("refused"), unjudged=what.count("?"), decode=what.count("decode"),
        round_trip=what.count("round_trip"),
    )  # fmt: skip


def test_what_is_not_kept_is_counted() -> None:
    """Of many mismatches of a kind the first are kept and the smallest is known, however many are only counted."""
    right, wrong = Encoding((1,), b"a"), Encoding((2,), b" b")
    judge, grouping = Judge("m", "oracle", PIECES), Grouping(keep=2)
    for text in (b"aaa", b"bbbb", b"cccc", b"dddd", b"e", b"ff"):
        batch = Batch([Case(text)], {"oracle": results([right]), "engine": results([wrong])})
        (seen,) = judge.sightings(batch, ["engine"])
        kept = judge.kept(batch, seen, grouping)
        if kept is not None:
            mismatch, group = kept
            assert text == mismatch.case.text
            group.members.append(len(group.members))
    (group,) = grouping.groups()
    assert (6, b"e", [0, 1]) == (group.mismatches, group.smallest.case.text, group.members)


def test_rows_of_ids_are_not_judged_here() -> None:
    """Where only decoding was asked for there is nothing to compare, and that is said."""
    decoded = Results(None, Texts.from_list([b"a"]))
    with pytest.raises(ValueError, match="something else than ids"):
        list(Judge("m", "oracle", PIECES).sightings(Batch([Case(b"a")], {"oracle": decoded, "e": decoded}), ["e"]))
