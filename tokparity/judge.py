"""Outcomes of all engines on one batch against the model's oracle: counts, and a Mismatch where one is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tokparity.diff import first_difference
from tokparity.finding import Mismatch
from tokparity.outcome import Case, Encoding, Failure, Outcome

if TYPE_CHECKING:
    from tokparity.engines.results import Results

REFERENCE = "reference"
NOT_ASKED = ("unsupported", "unavailable")
"""Kinds of Failure that say nothing about the engine's answer."""

Verdict = Literal["equal", "unjudged"]


@dataclass
class Tally:
    """Counts of one engine before one model, as they grow; see `report.Pair` for what each means."""

    cases: int = 0
    mismatches: int = 0
    failures: int = 0
    unsupported: int = 0
    unjudged: int = 0
    decode: int = 0
    round_trip: int = 0
    not_stored: int = 0

    @property
    def equal(self) -> int:
        """Cases on which the engine gave the expected ids."""
        return self.cases - self.mismatches - self.failures - self.unsupported - self.unjudged


@dataclass(frozen=True)
class Batch:
    """Cases with the same flags, and each engine's results on them."""

    cases: Sequence[Case]
    results: Mapping[str, Results]


@dataclass
class Judge:
    """Judges one model's engines by its oracle, and by the reference where the oracle cannot be asked.

    `pieces` are the model's pieces by id, for the mismatches.
    """

    model: str
    oracle: str
    pieces: Sequence[bytes]
    tallies: dict[str, Tally] = field(default_factory=dict)

    def judge(self, batch: Batch, engines: Sequence[str]) -> Iterator[Mismatch]:
        """Count what each engine did and give its mismatches; a batch on which all agree costs nothing per case."""
        oracle = self._oracle(batch)
        for engine in engines:
            results = batch.results.get(engine)
            if results is None:
                continue
            tally = self.tallies.setdefault(engine, Tally())
            tally.cases += len(batch.cases)
            refused = {i for i, failure in results.failures if failure.kind in NOT_ASKED}
            tally.unsupported += len(refused)
            for index in self._suspects(results, batch.results.get(oracle), refused):
                found = self._judge_case(batch, index, engine, oracle)
                if isinstance(found, Mismatch):
                    self._count(tally, found)
                    yield found
                elif found == "unjudged":
                    tally.unjudged += 1

    def _oracle(self, batch: Batch) -> str:
        """Who judges: the oracle, unless it has not one answer to the batch (it was asked what it cannot be asked)."""
        results = batch.results.get(self.oracle)
        if results is None:
            return REFERENCE
        silent = [failure for failure in results.failed.values() if failure.kind in NOT_ASKED]
        return REFERENCE if batch.cases and len(silent) == len(batch.cases) else self.oracle

    @staticmethod
    def _suspects(actual: Results, expected: Results | None, refused: Collection[int]) -> list[int]:
        """The cases that must be looked at one by one: those that differ, and those without an answer.

        Those that the engine cannot be asked are not among them.
        """
        from tokparity.engines.buffers import differing

        if expected is None or expected.ids is None or actual.ids is None:
            return [i for i in range(len(actual)) if i not in refused]
        suspects = {*differing(expected.ids, actual.ids).tolist(), *actual.failed, *expected.failed}
        if expected.decoded is not None and actual.decoded is not None:
            suspects.update(differing(expected.decoded, actual.decoded).tolist())
        return sorted(suspects.difference(refused))

    def _judge_case(self, batch: Batch, index: int, engine: str, oracle: str) -> Mismatch | Verdict:
        case, actual = batch.cases[index], batch.results[engine].outcome(index)
        judge = oracle
        expected = self._answer(batch, oracle, index)
        if expected is None:
            judge, expected = REFERENCE, self._answer(batch, REFERENCE, index)
        if isinstance(actual, Failure):
            # An engine that dies is wrong, whatever the right answer is.
            known = expected or Failure("unavailable", "nobody gave an answer")
            return self._mismatch(case, engine, judge, known, actual, f"failure:{actual.kind}")
        if expected is None:
            return "unjudged"
        difference = difference_of(case, expected, actual)
        return self._mismatch(case, engine, judge, expected, actual, difference) if difference else "equal"

    @staticmethod
    def _answer(batch: Batch, engine: str, index: int) -> Encoding | None:
        results = batch.results.get(engine)
        outcome = None if results is None else results.outcome(index)
        return outcome if isinstance(outcome, Encoding) else None

    def _mismatch(
        self, case: Case, engine: str, oracle: str, expected: Outcome, actual: Outcome, difference: str
    ) -> Mismatch:
        pieces = self._spell(expected)
        same = isinstance(expected, Encoding) and isinstance(actual, Encoding) and expected.ids == actual.ids
        return Mismatch(
            case, self.model, engine, oracle, expected, actual, difference,
            pieces, pieces if same else self._spell(actual),
        )  # fmt: skip

    def _spell(self, outcome: Outcome) -> tuple[bytes, ...]:
        if isinstance(outcome, Failure):
            return ()
        if outcome.ids and 0 <= min(outcome.ids) and max(outcome.ids) < len(self.pieces):
            return tuple(map(self.pieces.__getitem__, outcome.ids))
        return tuple(self.pieces[i] if 0 <= i < len(self.pieces) else b"" for i in outcome.ids)

    @staticmethod
    def _count(tally: Tally, mismatch: Mismatch) -> None:
        what = mismatch.first_difference.partition(":")[0]
        tally.failures += what == "failure"
        tally.mismatches += what == "ids"
        tally.decode += what == "decode"
        tally.round_trip += what == "round_trip"


def difference_of(case: Case, expected: Encoding, actual: Encoding) -> str:
    """Where two encodings of a case first differ, "" where they do not; see `Mismatch.first_difference`."""
    if expected.ids != actual.ids:
        return f"ids:{first_difference(expected.ids, actual.ids)}"
    if expected.decoded is None or actual.decoded is None or expected.decoded == actual.decoded:
        return ""
    if expected.decoded == case.text:
        return f"round_trip:{first_difference(case.text, actual.decoded)}"
    return f"decode:{first_difference(expected.decoded, actual.decoded)}"
