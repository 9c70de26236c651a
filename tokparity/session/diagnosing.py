"""What a run keeps of each engine for its diagnosis, and the findings that come of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity import formats, quirks
from tokparity.diagnose import SOURCE_DIFFERS, Ask, Base, Explanation, Found, Limits, diagnose, findings, owners
from tokparity.diagnose.context import context
from tokparity.diff import kind, stored_bytes
from tokparity.errors import TokparityError
from tokparity.finding import Control, Finding, Mismatch
from tokparity.formats import Source
from tokparity.lint.telling import rows, telling
from tokparity.outcome import Case, Encoding, Outcome
from tokparity.session.judge import REFERENCE, Batch, Sighting

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.report.model import Report

CONTROLS = 200
"""Agreeing cases that are kept of each engine."""

_PER_BATCH = 30  # controls taken from a batch
_LONGEST = 2000  # bytes of a control's text
_KEPT_BYTES = 8_000_000  # of mismatches, for each engine
_HASTY = 3.0  # seconds for the diagnosis of an engine when the run's time is over


@dataclass
class Kept:
    """What is kept of one engine: mismatches with their index in the report, and a sample of controls.

    `counts` counts all mismatches by kind; `others` are the indices of those in the report that are not kept here.
    """

    mismatches: list[Mismatch] = field(default_factory=list)
    indices: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    others: dict[str, list[int]] = field(default_factory=dict)
    controls: list[Control] = field(default_factory=list)
    room: int = _KEPT_BYTES
    offered: int = 0


class Diagnosing:
    """Collects, engine by engine, while one model is run; explains when it is done."""

    def __init__(self, model: str, oracle: str) -> None:
        self._model = model
        self._oracle = oracle
        self._kept: dict[str, Kept] = {}
        self._explained: list[tuple[Kept, Sequence[Source], list[Explanation]]] = []
        self._rng = random.Random(0)  # which of many controls are kept; no text depends on it

    def counted(self, engine: str, name: str) -> None:
        """Take note that there was a mismatch of a kind, which the report does not hold."""
        self._kept.setdefault(engine, Kept()).counts[name] += 1

    def mismatch(self, mismatch: Mismatch, index: int) -> None:
        """Take note of a mismatch and of its index in the report."""
        kept = self._kept.setdefault(mismatch.engine, Kept())
        name = kind(mismatch)
        kept.counts[name] += 1
        kept.room -= stored_bytes(mismatch)
        if kept.room < 0:
            kept.others.setdefault(name, []).append(index)
        else:
            kept.mismatches.append(mismatch)
            kept.indices.append(index)

    def batch(self, batch: Batch, mismatches: Sequence[Sighting], engines: Sequence[str]) -> None:
        """Keep some of the cases on which engines agree with who judged them."""
        wrong: dict[str, set[int]] = {}
        for seen in mismatches:
            wrong.setdefault(seen.engine, set()).add(seen.place)
        for engine in engines:
            results = batch.results.get(engine)
            if results is None or engine == self._oracle:
                continue
            right: Sequence[int] = range(len(batch.cases))
            if engine in wrong:
                right = [i for i in right if i not in wrong[engine]]
            for index in self._rng.sample(right, min(_PER_BATCH, len(right))):
                case, expected, actual = batch.cases[index], self._expected(batch, index), results.outcome(index)
                short = len(case.text) <= _LONGEST
                if short and expected is not None and isinstance(actual, Encoding) and actual.ids == expected.ids:
                    self._offer(Control(case, self._model, engine, actual))

    def _expected(self, batch: Batch, index: int) -> Encoding | None:
        for engine in (self._oracle, REFERENCE):
            outcome = batch.results[engine].outcome(index) if engine in batch.results else None
            if isinstance(outcome, Encoding):
                return outcome
        return None

    def _offer(self, control: Control) -> None:
        """A fair sample of all controls that are offered."""
        kept = self._kept.setdefault(control.engine, Kept())
        kept.offered += 1
        if len(kept.controls) < CONTROLS:
            kept.controls.append(control)
        else:
            place = self._rng.randrange(kept.offered)
            if place < CONTROLS:
                kept.controls[place] = control

    def engines(self) -> list[str]:
        """The engines that have mismatches."""
        return [engine for engine, kept in self._kept.items() if kept.counts]

    def controls(self, engine: str) -> Sequence[Control]:
        """The controls that are kept of an engine."""
        return self._kept[engine].controls

    def findings(self, engine: str, sources: Sequence[Source], ask: Ask | None, hasty: bool) -> list[Found]:
        """The findings about one engine (`sources`: see `read_by`); their members are indices in the report."""
        kept = self._kept[engine]
        explained = self._known(kept, sources)
        if explained is None:
            bases = _bases(sources)
            limits = Limits(seconds=_HASTY) if hasty else Limits()
            explained = diagnose(bases, kept.mismatches, kept.controls, quirks.all_quirks(), ask, limits)
            self._explained.append((kept, sources, explained))
        found = findings(kept.mismatches, explained, kept.counts)
        others: dict[int, list[int]] = {}
        for name, owner in owners(found, kept.mismatches).items():
            others.setdefault(owner, []).extend(kept.others.get(name, ()))
        placed = []
        for position, one in enumerate(found):
            members = [kept.indices[i] for i in one.members] + others.get(position, [])
            placed.append(Found(_with_context(one.finding, sources), tuple(sorted(members))))
        return placed

    def _known(self, kept: Kept, sources: Sequence[Source]) -> list[Explanation] | None:
        """What explains another engine that did the very same on every case (as one library inside another does)."""
        for other, others_sources, explained in self._explained:
            if other.counts == kept.counts and _did(other) == _did(kept) and _bases(others_sources) == _bases(sources):
                return explained
        return None

    def undiagnosed(self, engine: str) -> Iterator[Found]:
        """The findings of an engine whose mismatches nobody had the time to explain."""
        kept = self._kept[engine]
        for one in findings(kept.mismatches, [], kept.counts):
            yield Found(one.finding, tuple(kept.indices[i] for i in one.members))


def _did(kept: Kept) -> list[tuple[Case, Outcome]]:
    return [(mismatch.case, mismatch.actual) for mismatch in kept.mismatches]


def _bases(sources: Sequence[Source]) -> list[Base]:
    return [_base(source) for source in sources]


def _with_context(finding: Finding, sources: Sequence[Source]) -> Finding:
    if not finding.quirks:
        return finding
    fields = [quirks.get(name).field for name in finding.quirks if name in quirks.names()]
    found = context(sources[0].metadata, fields)
    if SOURCE_DIFFERS in finding.quirks:
        found += rows(telling(sources[1], sources[0], finding.smallest))
    return replace(finding, context=found)


def of_report(report: Report, model: str, engine: str, sources: Sequence[Source]) -> list[Found]:
    """The findings about one engine in a stored report (`sources`: see `read_by`); their members are indices in it."""
    indices = [i for i, m in enumerate(report.mismatches) if (m.model, m.engine) == (model, engine)]
    mismatches = [report.mismatches[i] for i in indices]
    controls = [c for c in report.controls if (c.model, c.engine) == (model, engine)]
    explained = diagnose(_bases(sources), mismatches, controls, quirks.all_quirks())
    # Of mismatches that were not stored, the report knows only how many of each finding there were.
    missing = sum(
        f.mismatches - len(report.members.get((model, f.name), ())) for f in report.findings_of(model, engine)
    )
    counts = Counter(kind(mismatch) for mismatch in mismatches)
    if counts:
        counts[counts.most_common(1)[0][0]] += max(missing, 0)
    return [
        Found(_with_context(one.finding, sources), tuple(indices[i] for i in one.members))
        for one in findings(mismatches, explained, counts)
    ]


def read_by(source: Source, model: Model, opened: str) -> list[Source]:
    """What the oracle reads, and what the engine opened, if that is a file of the model that says something else."""
    path = Path(opened)
    if path.is_dir():  # made around the model's own tokenizer.json, if it has one
        path = model.sources.get("tokenizer.json", path)
    if path == source.path or path not in model.sources.values():
        return [source]
    try:
        other = formats.read(path)
    except TokparityError:
        return [source]  # the engine reads it and we don't: then it can't serve as an explanation
    return [source] if _base(other) == _base(source) else [source, other]


def _base(source: Source) -> Base:
    return Base(source.vocabulary, source.behaviour)
