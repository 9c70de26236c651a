"""What came of putting texts to engines, so kept that parts of a text add up to what the whole text would have given.

Counts are added. Of the mismatches of one engine and kind, the first texts are kept, in the order of the text. Of the
cases on which an engine is right, those with the smallest checksums are kept. So neither depends on how the text was
cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from tokparity.finding import Control, Mismatch
from tokparity.questions import Question
from tokparity.report.tally import Tally
from tokparity.session.evidence import Keep
from tokparity.session.recorder import Recorder

KEEP = Keep(mismatches=200, bytes=1 << 20, evidence_bytes=1 << 62, controls=200, controls_per_batch=0)
"""Less than of a run, for it is kept of every shard; the controls are chosen here. What an engine's mismatches may take
together is bounded at the end, for no part knows of the others."""

EVIDENCE_BYTES = Keep().evidence_bytes


class Placed(NamedTuple):
    """A mismatch with the shard and the line (or row) in it on which its text stands first."""

    shard: int
    line: int
    mismatch: Mismatch

    @property
    def question(self) -> Question:
        """What was asked."""
        return self.mismatch.case.question


class Chosen(NamedTuple):
    """A control with the checksum by which it was chosen, and the place of its text."""

    checksum: int
    text: bytes
    shard: int
    line: int
    control: Control


@dataclass
class Kind:
    """All mismatches of one engine and kind: how many, the first texts, and the smallest."""

    count: int = 0
    kept: list[Placed] = field(default_factory=list)
    bytes: int = 0
    smallest: Placed | None = None
    asked: set[Question] = field(default_factory=set)

    def offer(self, placed: Placed) -> None:
        """Keep a mismatch if there is room and its text is new, or if it is the smallest."""
        if self.smallest is None or placed.question.order < self.smallest.question.order:
            self.smallest = placed
        if not self.is_full and placed.question not in self.asked:
            self.kept.append(placed)
            self.asked.add(placed.question)
            self.bytes += placed.mismatch.stored_bytes

    @property
    def is_full(self) -> bool:
        """Whether no further text is kept, unless it is the smallest."""
        return len(self.kept) >= KEEP.mismatches or self.bytes > KEEP.bytes

    def stored(self) -> Iterator[Placed]:
        """What is kept, the smallest included."""
        yield from self.kept
        if self.smallest is not None and self.smallest.question not in self.asked:
            yield self.smallest


@dataclass
class Controls:
    """Of the cases on which one engine is right, those with the smallest checksums, whatever order they come in."""

    chosen: dict[bytes, Chosen] = field(default_factory=dict)
    limit: int = 1 << 32

    def offer(self, one: Chosen) -> None:
        """Keep one if its checksum is among the smallest; of equal texts the first stays."""
        if one.checksum > self.limit:
            return
        self.chosen.setdefault(one.text, one)
        if len(self.chosen) >= 2 * KEEP.controls:
            self.chosen = {kept.text: kept for kept in self.smallest()}
            self.limit = max(kept.checksum for kept in self.chosen.values())

    def smallest(self) -> list[Chosen]:
        """The chosen ones, the smallest checksum first."""
        return sorted(self.chosen.values(), key=lambda one: one[:2])[: KEEP.controls]


class Recorded(NamedTuple):
    """The counts of a recorder for some texts, and the mismatches that it wrote."""

    recorder: Recorder
    mismatches: Sequence[Mismatch]


@dataclass
class Gathered:
    """What came of some text on one model, by engine."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    kinds: dict[tuple[str, str], Kind] = field(default_factory=dict)
    controls: dict[str, Controls] = field(default_factory=dict)

    def take(self, parts: Sequence[Recorded], shard: int) -> None:
        """Add what recorders counted and wrote, each of a part of the next lines of a shard."""
        smallest: list[Mismatch] = []
        for recorder, _ in parts:
            for engine, tally in recorder.tallies.items():
                self._count(engine, tally)
            for key, group in recorder.groups.items():
                self.kinds.setdefault(key, Kind()).count += group.mismatches
                smallest.append(group.smallest)
        written = sorted(chain.from_iterable(part.mismatches for part in parts), key=_line)
        for mismatch in (*written, *smallest):
            self.kinds[mismatch.engine, mismatch.kind].offer(Placed(shard, _line(mismatch), mismatch))

    def add(self, other: Gathered) -> None:
        """Add what came of the text that follows."""
        for engine, tally in other.tallies.items():
            self._count(engine, tally)
        for key, kind in other.kinds.items():
            own = self.kinds.setdefault(key, Kind())
            own.count += kind.count
            for placed in kind.stored():
                own.offer(placed)
        for engine, controls in other.controls.items():
            own_controls = self.controls.setdefault(engine, Controls())
            for one in controls.smallest():
                own_controls.offer(one)

    def stored(self, engines: Sequence[str]) -> list[Placed]:
        """All mismatches that are kept, in the order of the text and, on one text, of the engines.

        Where those of an engine take more than a diagnosis is given, then only the first of each kind.
        """
        order = {engine: place for place, engine in enumerate(engines)}
        found = [placed for kind in self.kinds.values() for placed in kind.stored()]
        found.sort(key=lambda one: (one.shard, one.line, order[one.mismatch.engine]))
        taken = dict.fromkeys(engines, 0)
        begun: set[tuple[str, str]] = set()
        kept: list[Placed] = []
        for placed in found:
            mismatch = placed.mismatch
            if taken[mismatch.engine] <= EVIDENCE_BYTES or (mismatch.engine, mismatch.kind) not in begun:
                begun.add((mismatch.engine, mismatch.kind))
                kept.append(placed)
                taken[mismatch.engine] += mismatch.stored_bytes
        return kept

    def counts(self) -> dict[str, int]:
        """All mismatches by "engine kind", as a recorder resumes them."""
        return {f"{engine} {kind}": one.count for (engine, kind), one in self.kinds.items()}

    def final_tallies(self, stored: Sequence[Placed]) -> dict[str, Tally]:
        """The counts of each engine, with what is not `stored` of all parts together."""
        left_out = dict.fromkeys(self.tallies, 0)
        for (engine, _), kind in self.kinds.items():
            left_out[engine] += kind.count
        for placed in stored:
            left_out[placed.mismatch.engine] -= 1
        return {engine: replace(tally, not_stored=left_out[engine]) for engine, tally in self.tallies.items()}

    def _count(self, engine: str, tally: Tally) -> None:
        self.tallies[engine] = self.tallies.get(engine, Tally()) + tally


def _line(mismatch: Mismatch) -> int:
    return mismatch.case.origin.number
