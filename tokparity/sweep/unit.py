"""One unit of a sweep: a model and its engines before one shard of the text."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tokparity.case import texts_of
from tokparity.finding import Control, Mismatch
from tokparity.outcome import TIMEOUT, Failure
from tokparity.session.judge import Batch, Sighting
from tokparity.session.panel import MEMORY
from tokparity.session.recorder import Recorder
from tokparity.session.writer import Unwritten
from tokparity.sources.batches import batches_of_lines
from tokparity.sweep.gathered import KEEP, Chosen, Controls, Gathered, Recorded
from tokparity.sweep.open_model import Opened
from tokparity.sweep.reading import Damage, Reading
from tokparity.sweep.shards import Shard

if TYPE_CHECKING:
    from tokparity.models import Model

_ATTEMPTS = 3  # at a unit in which an engine was killed from outside


@dataclass(frozen=True)
class Unit:
    """A part of a sweep: `engines` are the named ones, none means all that suit the model.

    One text in `decode_one_in` has its ids decoded again.
    """

    model: Model
    engines: tuple[str, ...]
    shard: Shard
    decode_one_in: int = 1
    timeout: float = TIMEOUT
    memory: int = MEMORY


@dataclass(frozen=True)
class About:
    """The totals of one unit of a sweep.

    `lines` are all lines of the shard (rows of Parquet), `texts` those that were run on engines. `put` are the distinct
    texts among them, and `decoded` those whose ids were decoded, too. `seconds` are processor seconds of each engine
    and, under "", of the process around them.
    """

    model: str
    shard: int
    versions: Mapping[str, str]
    unavailable: Mapping[str, str]
    lines: int
    texts: int
    put: int
    decoded: int
    bytes: int
    damages: int
    told: tuple[Damage, ...]
    seconds: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Done(About):
    """The result of a unit."""

    gathered: Gathered

    @property
    def stopped(self) -> bool:
        """Whether the shard was not read to its end, so that another attempt may bring more."""
        return any(damage.again for damage in self.told)


class Mismatches(Unwritten):
    """A writer that keeps the mismatches."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Mismatch] = []

    def mismatch(self, mismatch: Mismatch) -> int:
        """Keep a mismatch in the list and count it."""
        self.kept.append(mismatch)
        return super().mismatch(mismatch)


def done(unit: Unit, opened: Opened) -> Done:
    """Run the texts of the shard on the engines; again if an engine was killed meanwhile."""
    for _ in range(_ATTEMPTS - 1):
        opened.doubtful = False
        result = _once(unit, opened)
        if not opened.doubtful:
            return result
    return _once(unit, opened)


def _once(unit: Unit, opened: Opened) -> Done:
    started = time.process_time()
    gathered = Gathered()
    reading = Reading(unit.shard)
    texts = put = decoded = size = 0
    for block in reading.blocks():
        parts = decoded_apart(block.first, unit.decode_one_in)
        gathered.take([_judged(part, block.times, opened, gathered, unit.shard) for part in parts], unit.shard.number)
        decoded += len(parts[0].texts)
        put += len(block.first)
        texts += len(block.first) + sum(block.times.values()) - len(block.times)
        size += block.size
    seconds = {**opened.processor_seconds(), "": time.process_time() - started}
    return Done(
        unit.model.name, unit.shard.number, opened.panel.versions, opened.unavailable, reading.lines,
        texts, put, decoded, size, reading.damages, tuple(reading.told), seconds, gathered=gathered,
    )  # fmt: skip


class TextPart(NamedTuple):
    """Distinct texts with their lines, and whether their ids are decoded again."""

    texts: Mapping[bytes, int]
    decodes: bool


def decoded_apart(texts: Mapping[bytes, int], one_in: int) -> tuple[TextPart, TextPart]:
    """Those texts whose ids are decoded again, and the others. Nothing but a text's checksum decides."""
    limit = (1 << 32) // one_in
    decoded = texts if one_in == 1 else {text: line for text, line in texts.items() if zlib.crc32(text) < limit}
    others = {text: line for text, line in texts.items() if text not in decoded} if one_in > 1 else {}
    return TextPart(decoded, True), TextPart(others, False)


def _judged(part: TextPart, times: Mapping[bytes, int], opened: Opened, gathered: Gathered, shard: Shard) -> Recorded:
    """Put texts, each once; what came of it. Cases on which engines are right are added to what is gathered."""
    writer = Mismatches()
    recorder = Recorder(opened.judge, opened.seating.shown, writer, KEEP)
    for batch in opened.answers(batches_of_lines(part.texts, shard.file.name), part.decodes):
        weighed = batch
        if times:
            often = [times.get(text, 1) for text in texts_of(batch.cases)]
            weighed = replace(batch, times=often if max(often) > 1 else ())
        sightings = recorder.take(weighed)
        choose_controls(batch, sightings, recorder, gathered, shard.number)
    return Recorded(recorder, writer.kept)


def choose_controls(
    batch: Batch, sightings: list[Sighting], recorder: Recorder, gathered: Gathered, shard: int
) -> None:
    """Keep those cases of the batch on which engines are right whose texts have small checksums."""
    engines = [engine for engine in recorder.engines if engine in batch.results and engine != recorder.judge.oracle]
    kept = {engine: gathered.controls.setdefault(engine, Controls()) for engine in engines}
    limit = max((controls.limit for controls in kept.values()), default=-1)
    wrong: set[tuple[str, int]] | None = None
    for place, text in enumerate(texts_of(batch.cases)):
        checksum = zlib.crc32(text)
        if checksum > limit or len(text) > KEEP.control_bytes or recorder.judge.expected(batch, place) is None:
            continue
        wrong = {(one.engine, one.place) for one in sightings} if wrong is None else wrong
        for engine in engines:
            outcome = batch.results[engine].outcome(place)
            if (engine, place) not in wrong and not isinstance(outcome, Failure):
                case = batch.cases[place]
                control = Control(case, recorder.judge.model, engine, outcome)
                kept[engine].offer(Chosen(checksum, text, shard, case.origin.number, control))
