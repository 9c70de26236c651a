"""All that was gathered on one model becomes one report: one Session shrinks, explains and accepts."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokparity.case import AnyCase, Case, Origin
from tokparity.errors import EngineError, FormatError
from tokparity.generators.subject import Subject
from tokparity.session.clock import Clock
from tokparity.session.events import Listener
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.one_model import needed_cases
from tokparity.session.panel import EnginePanel
from tokparity.session.recorder import Recorder
from tokparity.session.seats import Seating, seat
from tokparity.session.session import Session
from tokparity.session.writer import Writer
from tokparity.sources.batches import batches
from tokparity.sources.source import Listed
from tokparity.sweep.gathered import EVIDENCE_BYTES, KEEP, Gathered, Placed, Recorded
from tokparity.sweep.open_model import asked
from tokparity.sweep.shards import Shard
from tokparity.sweep.unit import Done, Mismatches, choose_controls

if TYPE_CHECKING:
    from tokparity.models import Model

_KEEP = replace(KEEP, evidence_bytes=EVIDENCE_BYTES)

_AFTER = 1 << 40
"""The place of what only the reference was asked: after all shards."""


@dataclass
class Cost:
    """What a model took: texts, distinct texts that were put, those whose ids were decoded again, bytes, and processor
    seconds by engine ("": the rest)."""

    model: str
    texts: int = 0
    put: int = 0
    decoded: int = 0
    bytes: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, done: Done) -> None:
        """Add what a unit took."""
        self.texts += done.texts
        self.put += done.put
        self.decoded += done.decoded
        self.bytes += done.bytes
        for engine, seconds in done.seconds.items():
            self.seconds[engine] = self.seconds.get(engine, 0.0) + seconds


def session(
    model: Model, engines: Sequence[str], found: Gathered, versions: Mapping[str, str], writer: Writer, timeout: float,
    listener: Listener, stop: threading.Event,
) -> Session:  # fmt: skip
    """The session that makes the report of what was found; EngineError where its engines are not those of the units."""
    seating = seat(model, engines)
    if others := {engine for engine, _ in found.kinds} - {*seating.shown}:
        message = f"the units of {model.name} have mismatches of {min(others)!r:.100}, which the sweep did not run"
        raise FormatError(message, "give --out another folder to begin a new one")
    with EnginePanel(seating.one_by_one(), timeout) as panel:
        for engine, version in versions.items():
            if panel.versions.get(engine) != version:
                now = panel.versions.get(engine) or panel.unavailable.get(engine, "it is not there")
                message = f"{engine:.100} was {version!r:.100} in the units of {model.name}, and is {now!r:.200} here"
                raise EngineError(message, "install the same version, and go on with --resume")
        if REFERENCE in seating.shown and REFERENCE not in asked(model, engines, seating.shown):
            found.add(_asked_reference(found, panel, seating, model))
        made = Session.of(model, seating, panel, Clock(None, stop), writer, _KEEP)
        made.merged = True
        _handed_over(found, made, writer)
        subject = Subject(seating.source.vocabulary, seating.source.behaviour)
        needed = needed_cases(model, subject, seating.shown)
        for event in made.run([Listed(needed, len(needed), is_whole=True)]):
            listener(event)
    return made


def asked_of(cost: Cost, found: Gathered) -> str:
    """In a sentence, how many texts each engine was asked about."""
    asked = {engine: tally.cases - tally.unsupported for engine, tally in found.tallies.items()}
    each = ", ".join(f"{engine} {cases:,}" for engine, cases in asked.items()) or "none"
    judged = found.tallies.get(REFERENCE)
    why = "; the reference was asked where engines disagree, as far as that is kept, and where the oracle had no answer"
    return f"{cost.model}: texts of the sweep by engine: {each}{why if judged else ''}{decoded_again(cost)}"


def decoded_again(cost: Cost) -> str:
    """How many texts had their ids decoded again, where these are not all; else nothing."""
    if cost.decoded == cost.put:
        return ""
    return f"; of {cost.put:,} distinct texts {cost.decoded:,} had their ids decoded again (--decode all: each of them)"


def _handed_over(found: Gathered, made: Session, writer: Writer) -> None:
    """Give a session's recorder what was found, as if it had been put in this session."""
    stored = found.stored(made.recorder.engines)
    mismatches = [placed.mismatch for placed in stored]
    for mismatch in mismatches:
        writer.mismatch(mismatch)
    made.recorder.resume(mismatches, found.final_tallies(stored), found.counts())
    for engine, controls in found.controls.items():
        made.recorder.keep_controls(engine, [one.control for one in controls.smallest()])


def _asked_reference(found: Gathered, panel: EnginePanel, seating: Seating, model: Model) -> Gathered:
    """What the reference makes of the texts that are kept because engines disagree on them."""
    judge = Judge(model.name, model.oracle, seating.source.vocabulary.pieces)
    writer = Mismatches()
    recorder = Recorder(judge, [REFERENCE], writer, KEEP)
    added = Gathered()
    cases = {p.question: p.mismatch.case for p in _undecided(found, seating.shown)}
    for batch in panel.results(batches(cases.values()), lambda: False, only=(model.oracle, REFERENCE)):
        if REFERENCE not in batch.results:
            break  # the session tells that it was lost
        sightings = recorder.take(Batch(batch.cases, batch.results))
        choose_controls(batch, sightings, recorder, added, _AFTER)
    added.take([Recorded(recorder, writer.kept)], _AFTER)
    return added


def _undecided(found: Gathered, engines: Sequence[str]) -> Iterator[Placed]:
    """The mismatches of other engines that the reference did not judge."""
    return (one for one in found.stored(engines) if REFERENCE not in (one.mismatch.engine, one.mismatch.oracle))


class FirstLines:
    """Gives texts the numbers of their lines in their files, as long as all before them in a file was read."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = {shard.number: shard for shard in shards}
        self._before: dict[str, int] = {}
        self._next: dict[str, int] = {}  # the shard of the file up to which lines were counted

    def number(self, done: Done) -> None:
        """Change the origins of all cases of this unit."""
        shard = self._shards[done.shard]
        path = shard.file.path
        is_first = shard.start == 0
        known = is_first or self._next.get(path) == done.shard
        name = shard.file.name if known else f"{shard.file.name} from {shard.start}"
        before = self._before.get(path, 0) if known and shard.file.layout != "parquet" else 0
        if known and not done.stopped:
            self._before[path] = before + done.lines
            self._next[path] = done.shard + 1
        for kind in done.gathered.kinds.values():
            kind.kept = [_moved(placed, name, before) for placed in kind.kept]
            kind.smallest = kind.smallest and _moved(kind.smallest, name, before)
        for controls in done.gathered.controls.values():
            for text, one in controls.chosen.items():
                case = _at(one.control.case, name, one.line + before)
                controls.chosen[text] = one._replace(control=replace(one.control, case=case))


def _moved(placed: Placed, name: str, before: int) -> Placed:
    case = _at(placed.mismatch.case, name, placed.line + before)
    return placed._replace(mismatch=replace(placed.mismatch, case=case))


def _at(case: AnyCase, name: str, number: int) -> AnyCase:
    return Case(case.question, Origin("corpus", name, number))
