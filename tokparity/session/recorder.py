"""Counts the answers of one model's engines, stores mismatches as far as there is room, and writes them.

Only the recorder counts mismatches and decides which are stored, so the counts of a report add up.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from tokparity.case import AnyCase
from tokparity.difference import change_of_text, decoded_bytes
from tokparity.finding import Control, Finding, Mismatch
from tokparity.questions import Question
from tokparity.report.extent import LeftOut, Put
from tokparity.report.model import Pair, Vanished
from tokparity.report.tally import Tally
from tokparity.session.again import Lost
from tokparity.session.evidence import Keep, Kept, sampled
from tokparity.session.judge import Batch, Judge, Sighting
from tokparity.session.writer import Writer

_REASONS = 50
"""Reasons at most, of all engines, why cases were left out."""


@dataclass
class Group:
    """Mismatches of one kind and engine: their number, the smallest, the stored ones, and what changes these show."""

    engine: str
    kind: str
    smallest: Mismatch
    mismatches: int = 0
    stored: int = 0
    bytes: int = 0
    changes: set[str] = field(default_factory=set)

    def store(self, mismatch: Mismatch) -> None:
        """Count a stored mismatch."""
        self.stored += 1
        self.bytes += mismatch.stored_bytes
        self.changes.add(change_of_text(*(decoded_bytes(one) for one in (mismatch.expected, mismatch.actual))))


class Recorder:
    """Counts, keeps and writes what is found on one model."""

    def __init__(
        self,
        judge: Judge,
        engines: Sequence[str],
        writer: Writer,
        keep: Keep | None = None,
        notice: Callable[[Mismatch, int], None] = lambda mismatch, index: None,
    ) -> None:
        """`notice` receives the index of every mismatch that is kept."""
        self.judge = judge
        self._notice = notice
        self.engines = tuple(engines)
        self.tallies = {engine: Tally() for engine in engines}
        self.groups: dict[tuple[str, str], Group] = {}
        self.evidence: dict[str, Kept] = {}
        self.lost: dict[str, Lost] = {}  # of each engine the smallest text whose ids do not come back
        self._writer = writer
        self._keep = keep or Keep()
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._stored: set[tuple[str, Question]] = set()  # by an earlier run that this one goes on with
        self._rng = random.Random(0)  # which of many controls are kept; no text depends on it

    @property
    def mismatches(self) -> int:
        """How many there were in all."""
        return sum(group.mismatches for group in self.groups.values())

    def take(self, batch: Batch) -> list[Sighting]:
        """Judge a batch; count, keep and write what differs, and keep some of the cases on which engines are right."""
        seen: list[Sighting] = []
        for engine in self.engines:
            verdict = self.judge.verdict(batch, engine)
            if verdict is None:
                continue
            for place, failure in batch.results[engine].failures:
                if failure.kind in ("unsupported", "unavailable"):
                    self._left_out[engine, failure.message] += batch.count((place,))
            left_out = sum(self._kept(batch, sighting) for sighting in verdict.sightings)
            self.tallies[engine] += verdict.tally + Tally(not_stored=left_out)
            wrong = {sighting.place for sighting in verdict.sightings}
            for control in sampled(self.judge, batch, engine, wrong, self._keep, self._rng):
                self._evidence(engine).offer(control, self._keep.controls, self._rng)
            seen += verdict.sightings
            if lost := Lost.smallest(batch.cases, batch.results[engine], self.lost.get(engine)):
                self.lost[engine] = lost
        self._writer.flush()
        return seen

    def example(self, mismatch: Mismatch) -> int:
        """Keep a mismatch that was made from another one (shrunk): it is shown, but is not a further case."""
        index = self._writer.mismatch(mismatch)
        self._remember(mismatch, index)
        group = self.groups.get((mismatch.engine, mismatch.kind))
        if group is not None and mismatch.case.question.order < group.smallest.case.question.order:
            group.smallest = mismatch
        return index

    def resume(self, mismatches: Iterable[Mismatch], tallies: Mapping[str, Tally], counts: Mapping[str, int]) -> None:
        """Go on with what an earlier run stored; `counts` are all its mismatches by "engine kind"."""
        for index, mismatch in enumerate(mismatches):
            group = self._grouped(mismatch)
            if not mismatch.case.origin.shrunk:
                self._stored.add((mismatch.engine, mismatch.case.question))
                group.store(mismatch)
            self._remember(mismatch, index)
        for (engine, kind), group in self.groups.items():
            group.mismatches = counts.get(f"{engine} {kind}", 0)
            self.evidence[engine].counts[kind] = group.mismatches
        self.tallies.update({engine: tally for engine, tally in tallies.items() if engine in self.tallies})

    def keep_controls(self, engine: str, controls: Iterable[Control]) -> None:
        """Keep cases on which an engine was right that were found elsewhere."""
        for control in controls:
            self._evidence(engine).offer(control, self._keep.controls, self._rng)

    def kept(self, engine: str, indices: Collection[int]) -> list[Mismatch]:
        """The engine's mismatches that the report stores, by their indices."""
        evidence, wanted = self._evidence(engine), set(indices)
        return [m for m, i in zip(evidence.mismatches, evidence.indices, strict=True) if i in wanted]

    def counts(self) -> dict[str, int]:
        """All mismatches by "engine kind", as `resume` takes them."""
        return {f"{engine} {kind}": group.mismatches for (engine, kind), group in self.groups.items()}

    def differing(self) -> Iterator[str]:
        """The engines that have mismatches."""
        return (engine for engine, evidence in self.evidence.items() if evidence.counts)

    # --- what is written at the end

    def finding(self, finding: Finding, members: Sequence[int]) -> None:
        """Write a finding."""
        self._writer.finding(finding, members)

    def vanished(self, vanished: Vanished) -> None:
        """Write that an accepted finding did not occur."""
        self._writer.vanished(vanished)

    def note(self, note: str) -> None:
        """Write what a reader of the report must know."""
        self._writer.note(note)

    def put(self, put: Put) -> None:
        """Write how many texts were put, and which of them engines were not asked."""
        self._writer.extent(put)
        for (engine, why), cases in self._left_out.most_common(_REASONS):
            self._writer.extent(LeftOut(put.model, engine, why, cases))

    def controls(self) -> None:
        """Write the controls of the engines that have mismatches."""
        for evidence in self.evidence.values():
            if evidence.counts:
                for control in evidence.controls:
                    self._writer.control(control)

    def pairs(self, blank: Mapping[str, Pair]) -> list[Pair]:
        """Write the counts so far, one Pair for each engine; `blank` holds all but the counts."""
        pairs = []
        for engine, tally in self.tallies.items():
            kinds = {kind: group.mismatches for (name, kind), group in self.groups.items() if name == engine}
            lost = self.lost[engine].told(self.judge.pieces) if engine in self.lost else {}
            counted = {**asdict(tally), "equal": tally.equal, "kinds": kinds}
            pair = Pair(**{**_shallow(blank[engine]), **counted, **lost})
            pairs.append(pair)
            self._writer.pair(pair)
        self._writer.flush()
        return pairs

    # --- what is kept

    def _kept(self, batch: Batch, seen: Sighting) -> int:
        """Count a mismatch, and keep and write it if it is among those to be kept; how many of it are left out."""
        case = self.judge.case(batch, seen)
        times = batch.count((seen.place,))
        group = self.groups.get((seen.engine, seen.kind))
        self._evidence(seen.engine).counts[seen.kind] += times
        if group is not None:
            group.mismatches += times
            if self._stored and (seen.engine, case.question) in self._stored:
                return times
            if self._is_full(group, batch, seen) and not self._is_smaller(case, group):
                return times
        mismatch = self.judge.mismatch(batch, seen)
        if group is None:
            group = self._grouped(mismatch)
            group.mismatches = times
        elif self._is_smaller(case, group):
            group.smallest = mismatch
        if self._is_full(group, batch, seen):
            return times
        group.store(mismatch)
        self._remember(mismatch, self._writer.mismatch(mismatch))
        return times - 1

    def _grouped(self, mismatch: Mismatch) -> Group:
        """The group of a mismatch, made if it is the first."""
        key = mismatch.engine, mismatch.kind
        if key not in self.groups:
            self.groups[key] = Group(*key, mismatch)
        elif self._is_smaller(mismatch.case, self.groups[key]):
            self.groups[key].smallest = mismatch
        return self.groups[key]

    @staticmethod
    def _is_smaller(case: AnyCase, group: Group) -> bool:
        one, other = case.question, group.smallest.case.question
        return one.size <= other.size and one.order < other.order  # most are longer, which is seen at once

    def _is_full(self, group: Group, batch: Batch, seen: Sighting) -> bool:
        """Whether the group has no room left: of a change of the decoded text that is new to it, twice as many fit."""
        if group.stored >= self._keep.mismatches * 2 or group.bytes > self._keep.bytes:
            return True
        if group.stored > 0 and self._evidence(group.engine).bytes > self._keep.evidence_bytes:
            return True
        return group.stored >= self._keep.mismatches and _change(batch, seen) in group.changes

    def _remember(self, mismatch: Mismatch, index: int) -> None:
        """Keep a mismatch for the diagnosis."""
        self._notice(mismatch, index)
        evidence = self._evidence(mismatch.engine)
        evidence.bytes += mismatch.stored_bytes
        evidence.mismatches.append(mismatch)
        evidence.indices.append(index)

    def _evidence(self, engine: str) -> Kept:
        """What is kept of an engine, made at its first mismatch or control."""
        evidence = self.evidence.get(engine)
        if evidence is None:
            evidence = self.evidence[engine] = Kept()
        return evidence


def _change(batch: Batch, seen: Sighting) -> str:
    """What became of the decoded text of a sighting, whose mismatch is not made yet."""
    results = (batch.results.get(name) for name in (seen.oracle, seen.engine))
    return change_of_text(*((None if one is None else one.text(seen.place)) or b"" for one in results))


def _shallow(pair: Pair) -> dict[str, object]:
    return {name: getattr(pair, name) for name in Pair.__dataclass_fields__}
