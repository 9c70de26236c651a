"""Judging a batch with arrays against judging it case by case."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokparity.case import Case, Origin, TextCase, text_case
from tokparity.difference import difference_of
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.results import Results
from tokparity.outcome import DEADLY, NOT_ASKED, Decoding, Encoding, Failure, Outcome
from tokparity.questions import Decode
from tokparity.report.tally import Tally
from tokparity.session.judge import REFERENCE, Batch, Judge

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


def judged_singly(
    case: TextCase, oracle: Outcome, reference: Outcome, actual: Outcome, silent: bool
) -> tuple[str, str]:
    """(who judges, difference) of one case; the difference is "" where there is none, "?" where nobody can say."""
    expected, name = (reference, REFERENCE) if silent or isinstance(oracle, Failure) else (oracle, "oracle")
    if isinstance(actual, Failure):
        return ("", "refused") if actual.kind in NOT_ASKED else (name, f"failure:{actual.kind}")
    if isinstance(expected, Failure):
        return name, "?"
    assert not isinstance(actual, Decoding)
    assert not isinstance(expected, Decoding)
    difference = difference_of(case, expected, actual)
    return name, "" if difference is None else str(difference)


@given(st.lists(st.tuples(st.sampled_from(TEXTS), outcomes, outcomes, outcomes), min_size=1, max_size=6))
def test_a_batch_is_judged_as_each_of_its_cases(rows: list[tuple[bytes, Outcome, Outcome, Outcome]]) -> None:
    """The same mismatches by the same judges, the kinds that they have when written out, and the same counts."""
    cases = [text_case(row[0], origin=Origin("given", str(place))) for place, row in enumerate(rows)]
    of = {name: results([row[n] for row in rows]) for n, name in ((1, "oracle"), (2, REFERENCE), (3, "engine"))}
    batch, judge = Batch(cases, of), Judge("m", "oracle", PIECES)
    silent = all(isinstance(row[1], Failure) and row[1].kind in NOT_ASKED for row in rows)
    expected = [judged_singly(case, *row[1:], silent) for case, row in zip(cases, rows, strict=True)]

    verdict = judge.verdict(batch, "engine")
    assert verdict is not None
    found = list(judge.mismatches(batch, ["engine"]))

    wrong = [(place, *each) for place, each in enumerate(expected) if each[1] not in ("", "?", "refused")]
    assert wrong == [(int(m.case.origin.name), m.oracle, str(m.difference)) for m in found]
    assert [mismatch.kind for mismatch in found] == [one.kind for one in verdict.sightings]
    what = [difference.partition(":")[0] for _, difference in expected]
    assert verdict.tally == Tally(
        cases=len(rows), mismatches=what.count("ids"), failures=what.count("failure"),
        unsupported=what.count("refused"), unjudged=what.count("?"), decode=what.count("decode"),
        round_trip=what.count("round_trip"),
    )  # fmt: skip


def test_who_was_not_asked_has_no_verdict() -> None:
    """An engine that dropped out, and a batch without cases."""
    judge = Judge("m", "oracle", PIECES)
    assert judge.verdict(Batch([text_case(b"a")], {}), "engine") is None
    assert judge.verdict(Batch([], {"engine": results([])}), "engine") is None


def test_texts_and_rows_are_not_mixed_up() -> None:
    """Where texts were put and only decoding was asked for there is nothing to compare, and that is said."""
    decoded = Results(None, Texts.from_list([b"a"]))
    batch = Batch([text_case(b"a")], {"oracle": decoded, "e": decoded})
    with pytest.raises(ValueError, match="something else than ids"):
        Judge("m", "oracle", PIECES).verdict(batch, "e")


rows = st.lists(st.integers(-1, 4), max_size=3).map(tuple)
decodings = st.builds(Decoding, st.sampled_from(TEXTS))
answers = st.one_of(decodings, decodings, st.sampled_from(FAILURES))


def decoded_results(given: Sequence[Outcome]) -> Results:
    """The outcomes of rows of ids as an engine's client gives them."""
    texts = [a.decoded if isinstance(a, Decoding) else b"" for a in given]
    failures = tuple((i, a) for i, a in enumerate(given) if isinstance(a, Failure))
    return Results(None, Texts.from_list(texts), failures)


def row_judged_singly(row: tuple[int, ...], oracle: Outcome, reference: Outcome, actual: Outcome, silent: bool) -> str:
    """ "judge difference" of one row; "" where there is none."""
    known = all(0 <= i < len(PIECES) for i in row)
    if isinstance(actual, Failure):
        refused = actual.kind in NOT_ASKED or (not known and actual.kind not in DEADLY)
        return "" if refused else f"{REFERENCE if silent else 'oracle'} failure:{actual.kind}"
    for name, expected in ((REFERENCE, reference),) if silent else (("oracle", oracle), (REFERENCE, reference)):
        if isinstance(expected, Decoding) and isinstance(actual, Decoding):
            difference = difference_of(Case(Decode(row)), expected, actual) if known else None
            return "" if difference is None else f"{name} {difference}"
    return ""


@given(st.lists(st.tuples(rows, answers, answers, answers), min_size=1, max_size=6))
def test_rows_of_ids_are_judged_as_each_of_them(table: list[tuple[tuple[int, ...], Outcome, Outcome, Outcome]]) -> None:
    """The text of known ids is the oracle's; others may be refused, but not died of; each is counted as a row."""
    cases = [Case(Decode(row[0]), Origin("given", str(place))) for place, row in enumerate(table)]
    of = {name: decoded_results([row[n] for row in table]) for n, name in ((1, "oracle"), (2, REFERENCE), (3, "e"))}
    batch, judge = Batch(cases, of), Judge("m", "oracle", PIECES)
    silent = all(isinstance(row[1], Failure) and row[1].kind in NOT_ASKED for row in table)
    verdict = judge.verdict(batch, "e")
    found = list(judge.mismatches(batch, ["e"]))
    assert verdict is not None
    assert [row_judged_singly(*row, silent) for row in table if row_judged_singly(*row, silent)] == [
        f"{m.oracle} {m.difference}" for m in found
    ]
    assert [m.kind for m in found] == [seen.kind for seen in verdict.sightings]
    assert all(m.kind.startswith("row-") for m in found)
    assert Tally(rows=len(table), rows_differ=len(found)) == verdict.tally
