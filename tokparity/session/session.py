"""One model on its engines, in phases: compare, store what differs, shrink, explain, write."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.diagnose import Base, Found
from tokparity.finding import Finding
from tokparity.report.model import Ended, FileFault, Pair, Vanished
from tokparity.session.acceptance import Acceptance
from tokparity.session.asking import AskedEngine, PutAlready, can_be_asked
from tokparity.session.clock import Clock
from tokparity.session.costs import Costs, TimedWriter
from tokparity.session.events import Closed, Event, Judged, LeftOut, Opened, Phase, Progressed
from tokparity.session.evidence import Keep
from tokparity.session.explain import Enquiry, Explainer, known_quirks, read_by
from tokparity.session.extent import Extent
from tokparity.session.judge import REFERENCE, Judge
from tokparity.session.judged_prompts import encoding
from tokparity.session.more_cases import Putting
from tokparity.session.outage import none_is_there
from tokparity.session.own_fault import weighed
from tokparity.session.pairs import blank_pairs
from tokparity.session.panel import OpenPanel
from tokparity.session.recorder import Recorder
from tokparity.session.repeats import Repeats
from tokparity.session.seats import Seating
from tokparity.session.smaller import Smaller
from tokparity.session.votes import Voices, voted
from tokparity.session.writer import Writer
from tokparity.session.wrong_files import Obeyed
from tokparity.session.wrong_keys import with_wrong_keys
from tokparity.sources.source import CaseSource

if TYPE_CHECKING:
    from tokparity.models import Model

_CHECKPOINT_EVERY = 5.0  # seconds between two records of the counts so far
_UNDECODED = "was not compared: it cannot leave special tokens out"
_DIAGNOSING, _EXPLAINING = 0.9, 0.95
"""Of the time that is left for an engine: for its quirks and what none explains, and for what else is asked of that."""


@dataclass
class Session:
    """One model, a panel of engines, an oracle, a recorder and a clock; `run` runs all of its phases in order.

    After the run, `findings`, `vanished`, `pairs` and `ended` hold the results. The session calls `checkpoint` each
    time it has written the counts so far. If `puts_accepted` is false, sources leave out accepted texts, and no
    accepted finding is reported as gone.
    """

    model: Model
    seating: Seating
    panel: OpenPanel
    clock: Clock
    recorder: Recorder
    acceptance: Acceptance
    checkpoint: Callable[[], None] = lambda: None
    costs: Costs = field(default_factory=Costs)
    """What it took of the processor, by part."""
    puts_accepted: bool = True
    faults: Sequence[FileFault] = ()
    """Keys of the model's files that are known to be wrong."""
    mended: Base | None = None
    """What the file says in which they stand, once they are right."""
    mended_file: Path | None = None
    """A copy of it in which they are."""
    about_file: bool = False
    """Whether it is asked if a file is right, so that what an engine does wrongly with a right one does not count."""
    explainer: Explainer = field(default_factory=Explainer)
    """What explains an engine; of one that did the very same as an engine before it, the cause is known."""
    merged: bool = False
    """Whether others put its cases, before it: how long it takes itself says nothing about them."""
    findings: list[Finding] = field(default_factory=list)
    vanished: list[Vanished] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    _found: list[Found] = field(default_factory=list)
    _put_already: PutAlready = field(default_factory=PutAlready)
    _smaller: Smaller = field(init=False)
    _started: float = field(default_factory=time.monotonic)
    _written: float = field(default_factory=time.monotonic)
    _extent: Extent = field(default_factory=Extent)

    def __post_init__(self) -> None:
        self._smaller = Smaller(self.panel, self.recorder, self.clock)

    @classmethod
    def of(
        cls,
        model: Model,
        seating: Seating,
        panel: OpenPanel,
        clock: Clock,
        writer: Writer,
        keep: Keep | None = None,
        costs: Costs | None = None,
        second: str = REFERENCE,
    ) -> Session:
        """The session of a model whose engines are open; `second` as in `Judge`."""
        accepted = Acceptance(model.name, model.accepted)
        judge = Judge(model.name, model.oracle, seating.source.vocabulary.pieces, second, encoding(seating.source))
        recorder = Recorder(judge, seating.shown, TimedWriter(writer, costs := costs or Costs()), keep, accepted.met)
        return cls(model, seating, panel, clock, recorder, accepted, costs=costs)

    def run(self, sources: Sequence[CaseSource]) -> Iterator[Event]:
        """All phases: open, put each source, shrink, explain, accept, close. One that is left out says why."""
        yield self._open(Extent.of(sources, self.clock.seconds))
        for source in sources:
            yield from () if self._none_is_there else self._put(source)
        if sources and self._none_is_there:
            yield self._left_out("put", "no engine that was to be compared is there")
        elif self.clock.over():
            yield self._left_out("put", self._why_spent)
        if self._extent.put and not self.merged:
            self.recorder.put(self._extent.told(self.model.name))
        self.clock.afterwards()
        for phase in (self._shrink, self._explain, self._accept, self._close):
            yield from phase()

    @property
    def ended(self) -> Ended:
        """How it ended."""
        return "interrupted" if self.clock.stop.is_set() else "time" if self.clock.is_late else "complete"

    @property
    def _none_is_there(self) -> bool:
        """Whether nobody can say what is right, or all engines that were to be compared are away."""
        judges = {self.model.oracle, self.recorder.judge.second}
        return none_is_there(self.panel, judges, {*self.seating.shown} - judges, self.clock.seconds is not None)

    # --- the phases

    def _open(self, extent: Extent) -> Event:
        """The engines are open already; from here on time counts."""
        self._extent = extent
        self.clock.start()
        for engine in self.panel.undecoded:
            self.recorder.note(f"{self.model.name}: what {engine} decodes ids to {_UNDECODED}")
        return Opened(self.model.name, sorted(self.panel.versions, key=REFERENCE.__eq__), self._extent.total)

    def _put(self, source: CaseSource) -> Iterator[Event]:
        """Every batch of a source to all engines; the source learns what came of it. One that is whole is put whole."""
        over = self.clock.stop.is_set if source.is_whole else self.clock.over
        batches = self.costs.each("generating", self._extent.pace.cut(source.batches()))
        # When the last engine is lost, what is left would be put to the oracle alone.
        for batch in self.panel.results(batches, lambda: over() or self._none_is_there, abandon=self.clock.stop.is_set):
            self._put_already.add(batch.cases)
            self._extent.add(source, len(batch.cases))
            with self.costs.of("judging"):
                sightings = self.recorder.take(batch)
            with self.costs.of("generating"):
                source.learn(batch, sightings)
            if time.monotonic() > self._written + _CHECKPOINT_EVERY:
                self._write_pairs()
            yield from map(self._noted, self._extent.overdue(self.model.name, self.clock))
            yield Judged(self.model.name, len(batch.cases), len(sightings), len(self.recorder.groups), source.notes)

    def _shrink(self) -> Iterator[Event]:
        """The smallest mismatch of each kind, made smaller; each has its share of the time."""
        for done, of in self._smaller.all_kinds(self.costs):
            yield Progressed(self.model.name, "shrink", done, of)
        if self._smaller.unshrunk:
            yield self._left_out("shrink", self._why_spent)

    def _explain(self) -> Iterator[Event]:
        """What causes the mismatches of each engine, and for each cause a smallest text, as far as there is time."""
        engines = list(self.recorder.differing())
        opened = {seat.engine: seat.path for seat in self.seating.seats}
        put = self._put_already.mixed()
        for done, engine in enumerate(engines):
            if self.clock.spent():
                yield self._left_out("explain", f"{self._why_spent} before those of {engine} were")
            known = known_quirks(self.model, engine)
            sources = read_by(self.seating.source, self.model, opened[engine])
            left, evidence, stop = self.clock.left, self.recorder.evidence[engine], self.clock.stop.is_set
            seconds = None if left is None else _DIAGNOSING * left
            with self.costs.of("diagnosis"), AskedEngine(self.panel, engine, put) as asking:
                able = asking if can_be_asked(self.panel, engine) else None
                judged = Putting(self.panel, self.recorder.judge, engine, stop) if able else None
                obeyed = Obeyed.of(sources, self.mended, self.mended_file)
                given = evidence, sources, able, known, seconds, stop, judged, self.clock.share(_EXPLAINING), obeyed
                version, note = self.panel.versions.get(engine, ""), self.recorder.note
                found = self.explainer.findings(Enquiry(*given, version, note))
            repeats = Repeats(self.panel, self.recorder, self._put_already, self.clock.spent)
            explained = [one.finding for one in found if one.finding.quirks]
            with self.costs.of("shrinking"):
                for one in found:
                    keyed = with_wrong_keys(one.finding, sources, self.faults, obeyed)
                    told = replace(one, finding=weighed(keyed, sources, self.faults, self.about_file))
                    shown_by = obeyed.shown_by(one.finding, sources) if obeyed else sources
                    self._found.append(repeats.told(self._smaller.finding(told, shown_by, self._why_spent, explained)))
            yield Progressed(self.model.name, "explain", done + 1, len(engines))

    def _vote(self) -> None:
        """Who gives which answer to the smallest text of each finding, so that a reader sees who is alone."""
        voices = Voices.of(self.seating, self.panel.versions)
        for position, one in enumerate(self._found):
            if not self.clock.spent():
                self._found[position] = replace(one, finding=voted(one.finding, voices, self.panel))

    def _accept(self) -> Iterator[Event]:
        """Findings against the accepted ones; all are written."""
        self._found = self.acceptance.applied_to(self._found, self.recorder.tallies)
        self._vote()
        for one in self._found:
            self.findings.append(one.finding)
            self.recorder.finding(one.finding, one.members)
        self.recorder.controls()
        if not self.puts_accepted:
            return
        cut = "not all texts were compared" if self.ended != "complete" else ""
        if self.model.oracle not in self.panel.versions:
            cut = cut or f"the oracle, {self.model.oracle}, took no part"
        if cut:
            yield self._left_out("accept", cut)
            return
        open_ones = {finding.engine for finding in self.findings if finding.is_open}
        finished = self.panel.versions.keys() - self.panel.unavailable.keys() - open_ones
        self.vanished = self.acceptance.vanished(finished)
        for vanished in self.vanished:
            self.recorder.vanished(vanished)

    def _close(self) -> Iterator[Event]:
        """The last counts."""
        self._write_pairs()
        self.costs.add_engines(self.panel.processor_seconds())
        yield Closed(self.model.name, self.pairs, self.findings)

    @property
    def _why_spent(self) -> str:
        return "the run was interrupted" if self.clock.stop.is_set() else "time was up"

    def _left_out(self, phase: Phase, why: str) -> Event:
        return self._noted(LeftOut(self.model.name, phase, why))

    def _noted(self, event: Event) -> Event:
        self.recorder.note(str(event))
        return event

    def _write_pairs(self) -> None:
        self._written = time.monotonic()
        seconds = 0.0 if self.merged else self._written - self._started
        blank = blank_pairs(self.model, self.seating, self.panel, seconds)
        self.pairs = self.recorder.pairs(blank)
        self.checkpoint()
