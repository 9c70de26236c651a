"""`tokparity fuzz`: texts made to break tokenizers, before one model's engines, until time or cases are up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from tokparity import generators
from tokparity.diagnose import Base, Found
from tokparity.diff import Group, Grouping, kind
from tokparity.finding import Finding, Mismatch
from tokparity.fuzz import row_causes
from tokparity.fuzz.decode_search import DecodeSearch
from tokparity.fuzz.plan import FuzzResult, Listener, Options, State
from tokparity.fuzz.row_causes import Rows
from tokparity.fuzz.search import Search, shrunk
from tokparity.fuzz.steering import Steering
from tokparity.generators.subject import Subject
from tokparity.report.file import ReportWriter
from tokparity.report.model import Ended, Footer, Pair
from tokparity.session.acceptance import Acceptance
from tokparity.session.diagnosing import Diagnosing, read_by
from tokparity.session.judge import Batch, Judge, Sighting, Tally
from tokparity.session.panel import EngineSet
from tokparity.session.plan import Clock
from tokparity.session.seats import Seating, seat

if TYPE_CHECKING:
    from tokparity.models import Model

_DECODE_EVERY = 8
"""One case in so many is a row of ids to be decoded."""

_FOR_SHRINKING = 0.15
"""Share of the time that is kept for shrinking."""

_SHRINK_AT_LEAST = 10.0
"""Seconds that shrinking may take even where no time is left (each group takes about a tenth of one)."""


def fuzz(
    model: Model,
    options: Options,
    writer: ReportWriter,
    listener: Listener,
    clock: Clock,
    state: State | None = None,
) -> FuzzResult:
    """Fuzz one model and write the report, footer included; from where `state` stood, if it is given.

    The time that the engines take to open is not counted.
    """
    asked = time.monotonic()
    seating = seat(model, options.engines)
    with EngineSet(seating.seats, options.timeout) as engines:
        run = _Run(model, seating, engines, options, writer, listener)
        if state is not None:
            run.restore(state)
        if clock.deadline is not None:
            clock = Clock(clock.deadline + time.monotonic() - asked, clock.stop)
        return run.run(clock)


class _Run:
    def __init__(
        self,
        model: Model,
        seating: Seating,
        engines: EngineSet,
        options: Options,
        writer: ReportWriter,
        listener: Listener,
    ) -> None:
        self._model = model
        self._seating = seating
        self._engines = engines
        self._options = options
        self._writer = writer
        self._listener = listener
        self._started = time.monotonic()
        self._grouping = Grouping(options.keep)
        self._row_grouping = Grouping(options.keep)
        self._rows: dict[str, list[tuple[Mismatch, int]]] = {}  # of each group those that are kept
        self._diagnosing = Diagnosing(model.name, model.oracle)
        self._mismatches = 0
        subject = Subject(seating.source.vocabulary, seating.source.behaviour)
        judge = Judge(model.name, model.oracle, subject.vocabulary.pieces)
        judge.tallies = {engine: Tally() for engine in seating.shown}
        steering = Steering(subject, options.generators or generators.names(), options.seed)
        self._search = Search(subject, judge, seating.shown, steering)
        self._decoding = DecodeSearch(subject, judge, seating.shown, options.seed)

    def restore(self, state: State) -> None:
        """Go on where an earlier run stood."""
        self._search.cases = state.cases
        self._search.restore(state.steering, state.coverage, state.mismatches)
        self._decoding.rows = state.rows
        for engine, tally in state.tallies.items():
            if engine in self._search.judge.tallies:
                self._search.judge.tallies[engine] = Tally(**tally)
        self._take_rows([mismatch for mismatch in state.mismatches if self._decoding.made(mismatch)])
        for mismatch in (mismatch for mismatch in state.mismatches if not self._decoding.made(mismatch)):
            group = self._grouping.add(mismatch)
            if group is None:
                self._diagnosing.counted(mismatch.engine, kind(mismatch))
            else:
                self._write(mismatch, group)
        for group in self._grouping.groups():
            # What was counted and not kept is counted again.
            for _ in range(state.groups.get(group.name, 0) - group.mismatches):
                self._diagnosing.counted(group.smallest.engine, kind(group.smallest))
            group.mismatches = state.groups.get(group.name, group.mismatches)
        for group in self._row_grouping.groups():
            group.mismatches = state.row_groups.get(group.name, group.mismatches)
        self._mismatches = sum(state.groups.values()) + sum(state.row_groups.values())

    def run(self, clock: Clock) -> FuzzResult:
        """Search, shrink, write."""
        self._listener.started(self._model.name, list(self._engines.versions))
        searching = clock
        if clock.deadline is not None:
            left = clock.deadline - time.monotonic()
            searching = Clock(clock.deadline - _FOR_SHRINKING * left, clock.stop)
        cases = None if self._options.cases is None else self._search.cases + self._options.cases
        for batch, found in self._search.mismatches(self._engines, searching.over, cases):
            self._diagnosing.batch(batch, found, self._seating.shown)
            self._take(batch, found)
            rows = self._search.cases // _DECODE_EVERY - self._decoding.rows
            if rows >= len(batch.cases):
                self._take_rows(self._decoding.mismatches(self._engines, rows))
            self._writer.flush()
            self._listener.advanced(
                self._search.cases, self._mismatches, len(self._search.kinds), self._search.coverage.shares
            )
        ended: Ended = "interrupted" if clock.stop.is_set() else "time" if searching.over() else "complete"
        findings = self._findings(clock)
        coverage = self._search.coverage.shares()
        shares = ", ".join(f"{name} {share.reached} of {share.of}" for name, share in coverage.items())
        fallbacks = ", ".join(self._search.coverage.fallbacks) or "none"
        self._writer.note(f"coverage of {self._model.name}: {shares}; kinds of fallback: {fallbacks}")
        for pair in self.pairs():
            self._writer.pair(pair)
        self._writer.close(Footer(ended, time.monotonic() - self._started))
        return FuzzResult(tuple(self.pairs()), tuple(findings), coverage, ended, self._state())

    def _take(self, batch: Batch, mismatches: Sequence[Sighting]) -> None:
        self._mismatches += len(mismatches)
        judge = self._search.judge
        for seen in mismatches:
            kept = judge.kept(batch, seen, self._grouping)
            if kept is None:
                judge.tallies[seen.engine].not_stored += 1
                self._diagnosing.counted(seen.engine, seen.kind)
            else:
                self._write(*kept)

    def _write(self, mismatch: Mismatch, group: Group) -> None:
        index = self._writer.mismatch(mismatch)
        group.members.append(index)
        self._diagnosing.mismatch(mismatch, index)

    def _take_rows(self, mismatches: Sequence[Mismatch]) -> None:
        self._mismatches += len(mismatches)
        for mismatch in mismatches:
            group = self._row_grouping.add(mismatch)
            if group is not None:
                self._keep_row(group, mismatch)

    def _keep_row(self, group: Group, mismatch: Mismatch) -> None:
        index = self._writer.mismatch(mismatch)
        group.members.append(index)
        self._rows.setdefault(group.name, []).append((mismatch, index))

    def _findings(self, clock: Clock) -> list[Finding]:
        """Each group with its smallest text, as far as there is time; then what explains them; all written down."""
        end = max(clock.deadline or 0.0, time.monotonic() + _SHRINK_AT_LEAST)
        self._shrink_all(lambda: time.monotonic() >= end)
        found = list(self._explained(clock.stop.is_set()))
        found += self._rows_explained(found)
        acceptance = Acceptance(self._model.name, self._model.accepted)
        findings = []
        for one in found:
            findings.append(acceptance.applied(one.finding, one.members))
            self._writer.finding(findings[-1], one.members)
        return findings

    def _explained(self, hasty: bool) -> Iterator[Found]:
        opened = {seat.engine: seat.path for seat in self._seating.seats}
        source = self._seating.source
        for engine in self._diagnosing.engines():
            ask = None if hasty or engine in self._engines.unavailable else partial(self._engines.ask, engine)
            sources = read_by(source, self._model, opened[engine])
            yield from self._diagnosing.findings(engine, sources, ask, hasty)

    def _rows_explained(self, texts: Sequence[Found]) -> Iterator[Found]:
        """The findings about rows of ids, explained by what explains the same engine's texts, if that is why."""
        source = self._seating.source
        groups: dict[str, list[Rows]] = {}
        for group in self._row_grouping.groups():
            groups.setdefault(group.smallest.engine, []).append(Rows(group.finding(), self._rows[group.name]))
        for engine, some in groups.items():
            known = [one.finding.quirks for one in texts if one.finding.engine == engine]
            base, right = Base(source.vocabulary, source.behaviour), self._decoding.right[engine]
            yield from row_causes.explained(some, base, right, known)

    def _shrink_all(self, stop: Callable[[], bool]) -> None:
        groups = [*self._grouping.groups(), *self._row_grouping.groups()]
        for done, group in enumerate(groups):
            if stop():
                return
            small = self._shrunk(group.smallest, stop)
            if small.case != group.smallest.case:
                group.smallest = small
                if self._decoding.made(small):
                    self._keep_row(group, small)
                    continue
                self._write(small, group)
            self._listener.shrinking(done + 1, len(groups))

    def _shrunk(self, found: Mismatch, stop: Callable[[], bool]) -> Mismatch:
        if self._decoding.made(found):
            return self._decoding.shrunk(found, stop, self._engines)
        return shrunk(found, self._engines, self._search.judge, stop)

    def pairs(self) -> list[Pair]:
        """The counts, one Pair for each engine that was to be run."""
        seating, engines = self._seating, self._engines
        sources = {seat.engine: seat.source for seat in seating.seats}
        return [
            Pair(
                self._model.name,
                engine,
                self._model.oracle,
                engines.versions.get(engine, ""),
                sources.get(engine, ""),
                equal=tally.equal,
                **asdict(tally),
                seconds=time.monotonic() - self._started,
                unavailable=seating.unavailable.get(engine, "") or engines.unavailable.get(engine, ""),
            )
            for engine, tally in self._search.judge.tallies.items()
        ]

    def _state(self) -> dict[str, object]:
        tallies = {engine: asdict(tally) for engine, tally in self._search.judge.tallies.items()}
        return {
            "model": self._model.name,
            "seed": self._options.seed,
            "cases": self._search.cases,
            "rows": self._decoding.rows,
            "tallies": tallies,
            "groups": {group.name: group.mismatches for group in self._grouping.groups()},
            "row_groups": {group.name: group.mismatches for group in self._row_grouping.groups()},
            "steering": self._search.steering.state(),
            "coverage": self._search.coverage.state(),
        }
