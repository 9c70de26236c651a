"""The findings of a report by cause: one engine that does one thing, on however many models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tokparity import quirks
from tokparity.finding import Finding, Mismatch
from tokparity.quirk import Quirk
from tokparity.report import votes
from tokparity.report.keys import cause_key, cause_of, finding_keys
from tokparity.report.model import Pair, Report

SOURCE_DIFFERS = "source_differs"
"""What a finding names instead of a quirk where the engine obeys its own file, which says something else."""

Standing = Literal["new", "undiagnosed", "known", "accepted"]


@dataclass(frozen=True)
class Occurrence:
    """A finding with its key, and the counts of its model before its engine, where the report has them."""

    finding: Finding
    key: str
    pair: Pair | None

    @property
    def share(self) -> float | None:
        """The share of what was put to the engine that is affected."""
        asked = self.pair.compared + self.pair.rows if self.pair else 0
        return self.finding.mismatches / asked if asked else None

    @property
    def votes(self) -> str:
        """Who is alone on its smallest text; empty where too few engines have answered."""
        return votes.told(self.finding)


@dataclass(frozen=True)
class Cause:
    """What one engine does differently, and the findings that say so, that with the most cases first."""

    key: str
    title: str
    engine: str
    quirks: Sequence[Quirk]
    found: Sequence[Occurrence]

    @property
    def cases(self) -> int:
        """All cases that are known to be affected."""
        return sum(one.finding.mismatches for one in self.found)

    @property
    def is_least(self) -> bool:
        """Whether there are more like these that were counted and not looked at."""
        return any(one.finding.unexamined for one in self.found)

    @property
    def models(self) -> Sequence[str]:
        """The models on which it occurs."""
        return list(dict.fromkeys(one.finding.model for one in self.found))

    @property
    def versions(self) -> Sequence[str]:
        """The versions of the engine that were run."""
        return list(dict.fromkeys(one.pair.version for one in self.found if one.pair and one.pair.version))

    @property
    def smallest(self) -> Mismatch:
        """The smallest text that shows it."""
        return min((one.finding.smallest for one in self.found), key=lambda found: found.case.question.order)

    @property
    def standing(self) -> Standing:
        """New where any model's finding is; else known of the engine, or accepted model by model."""
        if any(one.finding.is_new for one in self.found):
            return "new"
        if any(one.finding.is_open for one in self.found):
            return "undiagnosed"
        return "known" if all(one.finding.known for one in self.found) else "accepted"

    @property
    def fix(self) -> str:
        """What to do, in the words of the quirks; empty where nothing explains it."""
        own = ["Correct the engine's file: `tokparity doctor` says which keys."] if self._obeys_its_file else []
        return " ".join(dict.fromkeys([*own, *(quirk.fix for quirk in self.quirks)]))

    @property
    def _obeys_its_file(self) -> bool:
        return any(SOURCE_DIFFERS in one.finding.quirks for one in self.found)


def causes(report: Report) -> list[Cause]:
    """The causes; new ones first, then those with the most models and cases."""
    pairs = {(pair.model, pair.engine): pair for pair in report.pairs}
    groups: dict[tuple[str, str], list[Occurrence]] = {}
    for finding, key in zip(report.findings, finding_keys(report.findings), strict=True):
        one = Occurrence(finding, key, pairs.get((finding.model, finding.engine)))
        groups.setdefault((finding.engine, cause_of(finding)), []).append(one)
    found = [_cause(group) for group in groups.values()]
    return sorted(found, key=lambda cause: (cause.standing != "new", -len(cause.models), -cause.cases))


def _cause(group: Sequence[Occurrence]) -> Cause:
    first = group[0].finding
    ordered = sorted(group, key=lambda one: -one.finding.mismatches)
    return Cause(cause_key(first), title(first), first.engine, known_quirks(first), ordered)


def known_quirks(finding: Finding) -> list[Quirk]:
    """The records of the quirks that explain a finding."""
    return [quirks.get(name) for name in finding.quirks if name in quirks.names()]


def title(finding: Finding) -> str:
    """What a finding is, in words."""
    known = known_quirks(finding)
    if SOURCE_DIFFERS in finding.quirks:
        return " and ".join(["Its model file says something else", *(quirk.title.lower() for quirk in known)])
    if known:
        return " and ".join([known[0].title, *(quirk.title[0].lower() + quirk.title[1:] for quirk in known[1:])])
    what = finding.character[0].says if finding.character else finding.smallest.kind.replace("-", " ")
    return f"Unexplained: {what}"


def told(finding: Finding) -> Iterator[str]:
    """Sentences on a finding beside its cause: what its mismatches have in common, and what is not shrunk."""
    yield from (trait.sentence for trait in finding.character)
    if finding.unshrunk:
        yield finding.unshrunk
