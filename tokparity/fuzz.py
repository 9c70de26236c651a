"""`tokparity fuzz`: texts made to break tokenizers, before one model's engines, until time or cases are up."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tokparity import generators
from tokparity.acceptance import Acceptance
from tokparity.coverage import Share
from tokparity.decode_search import DecodeSearch
from tokparity.diff import Group, Grouping
from tokparity.engine_set import EngineSet
from tokparity.finding import Finding, Mismatch
from tokparity.generators.subject import Subject
from tokparity.judge import Judge, Tally
from tokparity.plan import Clock
from tokparity.report import Ended, Footer, Pair
from tokparity.report_file import ReportWriter
from tokparity.search import Search, shrunk
from tokparity.seating import Seating, seat
from tokparity.steering import Steering

if TYPE_CHECKING:
    from tokparity.models import Model

SECONDS = 60.0
"""How long to fuzz where neither --seconds nor --cases says."""

_DECODE_EVERY = 8
"""One case in so many is a row of ids to be decoded."""

_FOR_SHRINKING = 0.15
"""Share of the time that is kept for shrinking."""

_SHRINK_AT_LEAST = 10.0
"""Seconds that shrinking may take even where no time is left (each group takes about a tenth of one)."""


@dataclass(frozen=True)
class Options:
    """What to fuzz with. Empty `engines` and `generators` mean all; `cases` None means until the clock is over.

    `keep` is how many mismatches of a kind are stored in full.
    """

    engines: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    cases: int | None = None
    seed: int = 0
    keep: int = 50
    timeout: float = 20.0


class Listener(Protocol):
    """Who is told how it goes, after each batch."""

    def started(self, model: str, engines: Sequence[str]) -> None:
        """The engines are open."""

    def advanced(self, cases: int, mismatches: int, groups: int, coverage: Callable[[], Mapping[str, Share]]) -> None:
        """The counts so far; `coverage` is worked out when it is called."""

    def shrinking(self, done: int, groups: int) -> None:
        """So many groups have their smallest text."""


@dataclass(frozen=True)
class State:
    """Where a run stood, to go on from: counts of each engine, and what the steering had learned."""

    cases: int
    rows: int
    tallies: Mapping[str, Mapping[str, int]]
    groups: Mapping[str, int]
    steering: Mapping[str, Any]
    coverage: Mapping[str, Any]
    mismatches: Sequence[Mismatch]


@dataclass(frozen=True)
class FuzzResult:
    """What came of it. `state` is what a later run needs to go on."""

    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    coverage: Mapping[str, Share]
    ended: Ended
    state: Mapping[str, object]

    @property
    def new(self) -> tuple[Finding, ...]:
        """Findings that nobody has accepted."""
        return tuple(finding for finding in self.findings if not finding.accepted)


def fuzz(
    model: Model,
    options: Options,
    writer: ReportWriter,
    listener: Listener,
    clock: Clock,
    state: State | None = None,
) -> FuzzResult:
    """Fuzz one model and write the report, footer included; from where `state` stood, if it is given."""
    seating = seat(model, options.engines)
    with EngineSet(seating.seats, options.timeout) as engines:
        run = _Run(model, seating, engines, options, writer, listener)
        if state is not None:
            run.restore(state)
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
        self._take(state.mismatches)
        for group in self._grouping.groups():
            group.mismatches = state.groups.get(group.name, group.mismatches)
        self._mismatches = sum(state.groups.values())

    def run(self, clock: Clock) -> FuzzResult:
        """Search, shrink, write."""
        self._listener.started(self._model.name, list(self._engines.versions))
        searching = clock
        if clock.deadline is not None:
            left = clock.deadline - time.monotonic()
            searching = Clock(clock.deadline - _FOR_SHRINKING * left, clock.stop)
        cases = None if self._options.cases is None else self._search.cases + self._options.cases
        for plan, found in self._search.mismatches(self._engines, searching.over, cases):
            self._take(found)
            rows = self._search.cases // _DECODE_EVERY - self._decoding.rows
            if rows >= len(plan.cases):
                self._take(self._decoding.mismatches(self._engines, rows))
            self._writer.flush()
            self._listener.advanced(
                self._search.cases, self._mismatches, len(self._search.kinds), self._search.coverage.shares
            )
        ended: Ended = "interrupted" if clock.stop.is_set() else "time" if searching.over() else "complete"
        findings = self._findings(clock)
        coverage = self._search.coverage.shares()
        for pair in self.pairs():
            self._writer.pair(pair)
        self._writer.close(Footer(ended, time.monotonic() - self._started))
        return FuzzResult(tuple(self.pairs()), tuple(findings), coverage, ended, self._state())

    def _take(self, mismatches: Sequence[Mismatch]) -> None:
        self._mismatches += len(mismatches)
        for mismatch in mismatches:
            group = self._grouping.add(mismatch)
            if group is None:
                self._search.judge.tallies[mismatch.engine].not_stored += 1
            else:
                group.members.append(self._writer.mismatch(mismatch))

    def _findings(self, clock: Clock) -> list[Finding]:
        """Each group with its smallest text, as far as there is time, written down."""
        end = max(clock.deadline or 0.0, time.monotonic() + _SHRINK_AT_LEAST)
        acceptance = Acceptance(self._model.name, self._model.accepted)
        groups = self._grouping.groups()
        findings = []
        for done, group in enumerate(groups):
            if time.monotonic() < end:
                self._shrink(group, lambda: time.monotonic() >= end)
            finding = acceptance.applied(group.finding(), group.members)
            findings.append(finding)
            self._writer.finding(finding, group.members)
            self._listener.shrinking(done + 1, len(groups))
        return findings

    def _shrink(self, group: Group, stop: Callable[[], bool]) -> None:
        found, judge = group.smallest, self._search.judge
        if self._decoding.made(found):
            smallest = self._decoding.shrunk(found, stop, self._engines)
        else:
            smallest = shrunk(found, self._engines, judge, stop)
        if smallest.case != group.smallest.case:
            group.smallest = smallest
            group.members.append(self._writer.mismatch(smallest))

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
            "steering": self._search.steering.state(),
            "coverage": self._search.coverage.state(),
        }
