"""The history that many reports tell: each model and engine over time, and what became of each cause.

A line of the history is one model on one engine, whatever the engine's version. If one report has two versions of an
engine, each version has its own line, and so has the model's oracle. A cause belongs to the engine without its
version, so that its key stays the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from tokparity.finding import Finding
from tokparity.report.changes import Fate, between_reports, family, is_asked
from tokparity.report.keys import cause_key, cause_of
from tokparity.report.model import Pair, Report
from tokparity.report.render.causes import title

Groups = dict[tuple[str, str, Fate], list[tuple[str, Finding, int | None, int, str]]]
"""By cause, engine and fate: models with their findings, and how many cases each had before and has now."""


@dataclass(frozen=True)
class Run:
    """A report without its mismatches; `name` is that of its folder in the site."""

    name: str
    started: datetime
    report: Report

    @property
    def is_whole(self) -> bool:
        """Whether it ran to its end, so that what it did not find was not there."""
        return self.report.is_whole


@dataclass(frozen=True)
class Point:
    """What one run says of a line; `before` is the pair of the run before it that compared anything."""

    run: Run
    pair: Pair
    before: Pair | None

    @property
    def has_other_version(self) -> bool:
        """Whether the engine's version changed since then."""
        return self.before is not None and self.before.version != self.pair.version


@dataclass(frozen=True)
class Line:
    """A model before an engine, in the runs that asked it."""

    model: str
    engine: str
    points: Sequence[Point]

    def at(self, run: Run) -> Point | None:
        """What this run says of the line; None if it did not compare it."""
        return next((point for point in self.points if point.run is run), None)

    @property
    def is_steady(self) -> bool:
        """Whether all runs say the same of it."""
        return len({(point.pair.share, point.pair.unavailable, point.pair.version) for point in self.points}) == 1


@dataclass(frozen=True)
class ChangedCause:
    """What became of one cause from one run to the next that asked: on these models, before and now this many cases.

    `before` is None where no run before asked.
    """

    fate: Fate
    key: str
    title: str
    engine: str
    models: Sequence[str]
    before: int | None
    now: int
    how: str = ""
    """What is not as it was, where the cause is there before and now."""


@dataclass(frozen=True)
class Past:
    """A cause through all runs, the latest first; `smallest_of` is its finding with the smallest text in the latest."""

    key: str
    title: str
    engine: str
    found: Sequence[tuple[Run, Sequence[Finding]]]

    @property
    def smallest_of(self) -> Finding:
        """The finding that shows it best."""
        return min(self.found[0][1], key=lambda finding: finding.smallest.case.question.order)


def lasting_key(finding: Finding) -> str:
    """The key of a finding's cause, the same for all versions of the engine."""
    return cause_key(replace(finding, engine=family(finding.engine)))


@dataclass(frozen=True)
class History:
    """The runs, the oldest first."""

    runs: Sequence[Run]

    @cached_property
    def lines(self) -> Sequence[Line]:
        """The lines, model by model, in the order in which they were first met."""
        several: set[str] = set()
        for run in self.runs:
            of_model = Counter((pair.model, family(pair.engine)) for pair in run.report.pairs if not pair.is_oracle)
            several |= {name for (_, name), count in of_model.items() if count > 1}
        points: dict[tuple[str, str, bool], list[Point]] = {}
        for run in self.runs:
            for pair in run.report.pairs:
                engine = pair.engine if family(pair.engine) in several else family(pair.engine)
                line = points.setdefault((pair.model, engine, pair.is_oracle), [])
                line.append(Point(run, pair, next((p.pair for p in reversed(line) if is_asked(p.pair)), None)))
        models = list(dict.fromkeys(model for model, _, _ in points))
        lines = [Line(model, engine, line) for (model, engine, _), line in points.items()]
        return sorted(lines, key=lambda line: models.index(line.model))

    @cached_property
    def causes(self) -> Sequence[Past]:
        """Every cause that any run found: those of the latest run first."""
        found: dict[str, dict[str, list[Finding]]] = {}
        for run in reversed(self.runs):
            for finding in run.report.findings:
                found.setdefault(lasting_key(finding), {}).setdefault(run.name, []).append(finding)
        runs = {run.name: run for run in self.runs}
        return [_past(key, [(runs[name], group) for name, group in by_run.items()]) for key, by_run in found.items()]

    def changes(self, run: Run) -> Sequence[ChangedCause]:
        """What changed in this run, line by line against the last run before it that asked, told by cause."""
        groups: Groups = {}
        for line in self.lines:
            for point, old in self._steps(line):
                if point.run is run:
                    for fate, finding, before, now, how in _changes(point, old):
                        group = groups.setdefault((lasting_key(finding), line.engine, fate), [])
                        group.append((line.model, finding, before, now, how))
        return _grouped(groups)

    def first_asked(self, run: Run) -> Sequence[Line]:
        """The pairs of model and engine that this run is the first to compare."""
        return [line for line in self.lines for p in line.points if p.run is run and not p.before and is_asked(p.pair)]

    def first_seen(self, run: Run) -> Sequence[ChangedCause]:
        """The causes on lines that were first asked in this run which nobody knows or has accepted."""
        groups: Groups = {}
        for line in self.first_asked(run):
            asked = {(point.pair.model, point.pair.engine) for point in line.points if point.run is run}
            for finding in run.report.findings:
                if finding.is_new and (finding.model, finding.engine) in asked:
                    group = groups.setdefault((lasting_key(finding), line.engine, "new"), [])
                    group.append((line.model, finding, None, finding.mismatches, ""))
        return _grouped(groups)

    def gone_since(self, past: Past) -> Run | None:
        """The first run after the last that found a cause which asked the same and ran to its end; None without one."""
        last, findings = past.found[0]
        wanted = {(finding.model, family(finding.engine)) for finding in findings}
        for run in self.runs[self.runs.index(last) + 1 :]:
            asked = {(pair.model, family(pair.engine)) for pair in run.report.pairs if is_asked(pair)}
            if run.is_whole and asked & wanted:
                return run
        return None

    def _steps(self, line: Line) -> Iterator[tuple[Point, Point]]:
        """Each point that compared anything, and the one before it that did."""
        asked = [point for point in line.points if is_asked(point.pair)]
        yield from zip(asked[1:], asked, strict=False)


def _changes(point: Point, old: Point) -> Iterator[tuple[Fate, Finding, int, int, str]]:
    """What became of each finding of a line from one point to the next, with its cases before and now, and how."""
    before, now = (one.run.report.findings_of(one.pair.model, one.pair.engine) for one in (old, point))
    cases = [{cause_of(finding): finding.mismatches for finding in findings} for findings in (before, now)]
    status = {cause_of(finding): finding.status for finding in before}
    older, newer = replace(old.run.report, findings=before), replace(point.run.report, findings=now)
    for change in between_reports(older, newer):
        if change.finding.is_open:
            continue  # the run did not come to it, or not to its cause
        name = cause_of(change.finding)
        how = ""
        if change.fate == "changed":
            is_surer = status[name] != change.finding.status
            how = f"{change.finding.status}, before {status[name]}" if is_surer else "the same text gets another answer"
        yield change.fate, change.finding, cases[0].get(name, 0), cases[1].get(name, 0), how


def _grouped(groups: Groups) -> list[ChangedCause]:
    """A change for each cause, with its models and the sums of their cases."""
    changes = []
    for (key, engine, fate), group in groups.items():
        models = list(dict.fromkeys(model for model, *_ in group))
        counted = [before for _, _, before, _, _ in group if before is not None]
        before, now = sum(counted) if counted else None, sum(now for _, _, _, now, _ in group)
        how = "; ".join(dict.fromkeys(how for *_, how in group if how))
        changes.append(ChangedCause(fate, key, title(group[0][1]), engine, models, before, now, how))
    return changes


def _past(key: str, found: Sequence[tuple[Run, Sequence[Finding]]]) -> Past:
    first = found[0][1][0]
    return Past(key, title(first), family(first.engine), found)


def in_order(runs: Iterable[Run]) -> History:
    """The history that these runs are."""
    return History(sorted(runs, key=lambda run: (run.started, run.name)))
