"""Outcomes of all engines on one batch against the model's oracle: counts, and a Mismatch where one is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tokparity.diff import UNKNOWN, Group, Grouping, first_difference, kind_of_decoded, kind_of_failure, kind_of_ids
from tokparity.finding import Mismatch
from tokparity.outcome import Case, Encoding, Failure, Outcome

if TYPE_CHECKING:
    from tokparity.engines.results import Results

REFERENCE = "reference"
NOT_ASKED = ("unsupported", "unavailable")
"""Kinds of Failure that say nothing about the engine's answer."""


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


class Sighting(NamedTuple):
    """A mismatch that is not written out: the case's place in its batch, the engine, who judges, what `diff.kind` says.

    Many thousands may be of one kind, of which few are kept.
    """

    place: int
    engine: str
    oracle: str
    kind: str


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
        """Count what each engine did and give its mismatches, by engine and then in the batch's order."""
        return (self.mismatch(batch, seen) for seen in self.sightings(batch, engines))

    def sightings(self, batch: Batch, engines: Sequence[str]) -> Iterator[Sighting]:
        """The mismatches as `judge` gives them, not written out: what all agree on costs nothing per case."""
        for engine in engines:
            results = batch.results.get(engine)
            if results is None:
                continue
            tally = self.tallies.setdefault(engine, Tally())
            tally.cases += len(batch.cases)
            refused = {i for i, failure in results.failures if failure.kind in NOT_ASKED}
            tally.unsupported += len(refused)
            seen: list[Sighting] = []
            unjudged = set(range(len(batch.cases))) - refused
            for oracle in dict.fromkeys((self._oracle(batch), REFERENCE)):
                expected = batch.results.get(oracle)
                judged = set() if expected is None else unjudged.difference(expected.failed)
                seen += self._differing(batch, engine, oracle, judged, tally)
                unjudged -= judged
            # An engine that dies is wrong, whatever the right answer is.
            seen += [self._failure(results, index, engine, REFERENCE) for index in unjudged if index in results.failed]
            tally.unjudged += len(unjudged.difference(results.failed))
            tally.failures += len(results.failed) - len(refused)
            yield from sorted(seen)

    def mismatch(self, batch: Batch, seen: Sighting) -> Mismatch:
        """The mismatch written out."""
        case, actual = batch.cases[seen.place], batch.results[seen.engine].outcome(seen.place)
        expected: Outcome | None = self._answer(batch, seen.oracle, seen.place)
        if isinstance(actual, Failure):
            difference = f"failure:{actual.kind}"
            expected = expected or Failure("unavailable", "nobody gave an answer")
        elif isinstance(expected, Encoding):
            difference = difference_of(case, expected, actual)
        else:
            raise ValueError(f"{seen.oracle} has no answer to case {seen.place}, by which it judged {seen.engine}")
        pieces = self._spell(expected)
        same = isinstance(expected, Encoding) and isinstance(actual, Encoding) and expected.ids == actual.ids
        return Mismatch(
            case, self.model, seen.engine, seen.oracle, expected, actual, difference,
            pieces, pieces if same else self._spell(actual),
        )  # fmt: skip

    def kept(self, batch: Batch, seen: Sighting, grouping: Grouping) -> tuple[Mismatch, Group] | None:
        """Count a mismatch; with its group if it is among those to keep in full, and else not even written out."""
        if grouping.counts(self.model, seen.engine, seen.kind, batch.cases[seen.place]):
            return None
        mismatch = self.mismatch(batch, seen)
        group = grouping.add(mismatch)
        return None if group is None else (mismatch, group)

    def _oracle(self, batch: Batch) -> str:
        """Who judges: the oracle, unless it has not one answer to the batch (it was asked what it cannot be asked)."""
        results = batch.results.get(self.oracle)
        if results is None:
            return REFERENCE
        silent = [failure for failure in results.failed.values() if failure.kind in NOT_ASKED]
        return REFERENCE if batch.cases and len(silent) == len(batch.cases) else self.oracle

    def _differing(
        self, batch: Batch, engine: str, oracle: str, judged: Collection[int], tally: Tally
    ) -> Iterator[Sighting]:
        """Of the cases that this oracle judges, those on which the engine gave something else."""
        from tokparity.engines.buffers import differing

        if not judged:
            return
        expected, actual = batch.results[oracle], batch.results[engine]
        if expected.ids is None or actual.ids is None:
            raise ValueError(f"{oracle} or {engine} was asked for something else than ids")
        failed = actual.failed.keys() & judged
        yield from (self._failure(actual, index, engine, oracle) for index in failed)
        answered = set(judged) - failed
        by_ids = answered.intersection(differing(expected.ids, actual.ids).tolist())
        tally.mismatches += len(by_ids)
        for index in by_ids:
            yield Sighting(index, engine, oracle, self._kind_of_ids(expected.row(index), actual.row(index)))
        if expected.decoded is None or actual.decoded is None:
            return
        by_text = answered.intersection(differing(expected.decoded, actual.decoded).tolist()) - by_ids
        for index in by_text:
            same = expected.text(index) == batch.cases[index].text
            tally.round_trip += same
            tally.decode += not same
            unknown = not self._unknown.isdisjoint(expected.row(index))
            yield Sighting(index, engine, oracle, kind_of_decoded(unknown, same))

    def _kind_of_ids(self, expected: Sequence[int], actual: Sequence[int]) -> str:
        place = first_difference(expected, actual)
        return kind_of_ids(self._spelled(expected), self._spelled(actual), place)

    @staticmethod
    def _failure(results: Results, index: int, engine: str, oracle: str) -> Sighting:
        return Sighting(index, engine, oracle, kind_of_failure(results.failed[index]))

    @staticmethod
    def _answer(batch: Batch, engine: str, index: int) -> Encoding | None:
        results = batch.results.get(engine)
        outcome = None if results is None else results.outcome(index)
        return outcome if isinstance(outcome, Encoding) else None

    def _spell(self, outcome: Outcome) -> tuple[bytes, ...]:
        return () if isinstance(outcome, Failure) else self._spelled(outcome.ids)

    def _spelled(self, ids: Sequence[int]) -> tuple[bytes, ...]:
        if ids and 0 <= min(ids) and max(ids) < len(self.pieces):
            return tuple(map(self.pieces.__getitem__, ids))
        return tuple(self.pieces[i] if 0 <= i < len(self.pieces) else b"" for i in ids)

    @cached_property
    def _unknown(self) -> frozenset[int]:
        """The ids of the pieces that show an unknown token."""
        return frozenset(i for i, piece in enumerate(self.pieces) if piece in UNKNOWN)


def difference_of(case: Case, expected: Encoding, actual: Encoding) -> str:
    """Where two encodings of a case first differ, "" where they do not; see `Mismatch.first_difference`."""
    if expected.ids != actual.ids:
        return f"ids:{first_difference(expected.ids, actual.ids)}"
    if expected.decoded is None or actual.decoded is None or expected.decoded == actual.decoded:
        return ""
    if expected.decoded == case.text:
        return f"round_trip:{first_difference(case.text, actual.decoded)}"
    return f"decode:{first_difference(expected.decoded, actual.decoded)}"
