"""The findings of a report by cause: one cause of one engine, on all models that show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from tokparity import quirks
from tokparity.behaviour import Stage, stages
from tokparity.difference import PROMPTS
from tokparity.finding import Finding, Mismatch
from tokparity.laws import LAWS
from tokparity.outcome import Failure
from tokparity.questions.json_text import plain
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.report import votes
from tokparity.report.keys import cause_key, cause_of, finding_keys
from tokparity.report.model import Pair, Report
from tokparity.report.render.visible import in_turn
from tokparity.report.rule import count, several
from tokparity.span_laws import LAWS as SPAN_LAWS

_ENTRIES = 3  # in which causes that fit as well are listed

Standing = Literal["new", "undiagnosed", "known", "accepted"]


@dataclass(frozen=True)
class Occurrence:
    """A finding with its key, and the counts of its model before its engine, where the report has them."""

    finding: Finding
    key: str
    pair: Pair | None

    @property
    def share(self) -> float | None:
        """The share of the compared texts and rows that is affected."""
        asked = self.pair.compared + self.pair.rows_put if self.pair else 0
        return self.finding.mismatches / asked if asked else None

    @property
    def votes(self) -> str:
        """Who is alone on its smallest text; empty where too few engines have answered."""
        return votes.told(self.finding)


@dataclass(frozen=True)
class Reason:
    """One cause of a finding: a quirk, or a wrong file that the engine reads; `quirk` is the name of either."""

    title: str
    symptom: str
    cause: str
    fix: str
    links: Sequence[str] = ()
    quirk: str = ""
    field: str = ""


@dataclass(frozen=True)
class Cause:
    """What one engine does differently, and the findings that say so, that with the most cases first."""

    key: str
    title: str
    engine: str
    parts: Sequence[Reason]
    found: Sequence[Occurrence]

    @property
    def cases(self) -> int:
        """All cases that are known to be affected."""
        return sum(one.finding.mismatches for one in self.found)

    @property
    def unexamined(self) -> int:
        """How many more of the same kinds were only counted."""
        return sum(one.finding.unexamined for one in self.found)

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
        return "accepted" if any(one.finding.accepted and not one.finding.known for one in self.found) else "known"

    @property
    def fix(self) -> str:
        """What to do; empty where nothing explains it."""
        return " ".join(dict.fromkeys(part.fix for part in self.parts))


def alternatives(finding: Finding) -> Iterator[str]:
    """What fits as well, the likely first, in at most three entries; patterns of pre-tokenizers are one entry."""
    entries: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for names in finding.alternatives:
        entries.setdefault(_without_pattern(names), []).append(names)
    own = entries.pop(_without_pattern(finding.quirks), [])
    if own:
        patterns = [name for names in own for name in names if name not in finding.quirks]
        yield f"the same with {patterns[0]}" + (f", or one of {len(own) - 1} more patterns" if own[1:] else "")
    shown = list(islice(entries.values(), _ENTRIES - bool(own)))
    for first, *others in shown:
        yield " + ".join(first) + (f" (or one of {len(others)} more patterns)" if others else "")
    if left := len(entries) - len(shown):
        yield f"one of {count(left, 'less likely cause')}: findings.csv lists them"


def _without_pattern(names: Sequence[str]) -> tuple[str, ...]:
    return tuple("uses_pre" if name.startswith("uses_pre_") else name for name in names)


def causes(report: Report) -> list[Cause]:
    """The causes; new ones first, then those with the most models and cases."""
    pairs = {(pair.model, pair.engine): pair for pair in report.pairs}
    groups: dict[tuple[str, str], list[Occurrence]] = {}
    for finding, key in zip(report.findings, finding_keys(report.findings), strict=True):
        one = Occurrence(finding, key, pairs.get((finding.model, finding.engine)))
        groups.setdefault((finding.engine, cause_of(finding)), []).append(one)
    found = [_cause(group) for group in groups.values()]
    return sorted(found, key=lambda cause: (cause.standing != "new", -len(cause.models), -cause.cases))


def unsettled(report: Report) -> frozenset[tuple[str, str]]:
    """The models and engines that differ in a way which is neither known of the engine nor accepted."""
    told = {(one.model, one.engine) for one in report.findings}
    fresh = {(one.model, one.engine) for one in report.findings if one.is_new or one.is_open}
    return frozenset(fresh | {(p.model, p.engine) for p in report.pairs if p.found and (p.model, p.engine) not in told})


def _cause(group: Sequence[Occurrence]) -> Cause:
    first = group[0].finding
    ordered = sorted(group, key=lambda one: -one.finding.mismatches)
    return Cause(cause_key(first), title(first), first.engine, parts(first), ordered)


_CORRECT = "Correct the file: `tokparity doctor` says how."
_CHOOSE = "Nothing is wrong with the file: choose whether your engine should obey it or the source."


def parts(finding: Finding) -> list[Reason]:
    """The parts of a finding's cause: first the wrong file that the engine reads, then the engine's own quirks."""
    obeyed = {SOURCE_DIFFERS, *(name for name, _ in finding.wrong_keys)}
    known = [quirks.get(name) for name in finding.quirks if name in quirks.names()]
    own = [Reason(q.title, q.symptom, q.cause, q.fix, q.links, q.name, q.field) for q in known if q.name not in obeyed]
    if obeyed.isdisjoint(finding.quirks):
        return own
    symptom = " ".join(quirk.symptom for quirk in known if quirk.name in obeyed)
    keys = several(list(dict.fromkeys(key for _, key in finding.wrong_keys)))
    if keys:
        cause = f"The engine obeys its file, in which {keys}."
        return [Reason(keys, symptom, cause, _CORRECT if finding.counts else _CHOOSE), *own]
    if finding.inexpressible:
        cause = f"The engine obeys the file that it opened, and {finding.inexpressible}."
        fix = "No change of the file mends that: give the engine a file of another format, or accept it."
        return [Reason("Its file can't say what the tokenizer does", symptom, cause, fix), *own]
    cause = "The engine obeys the file that it opened, and that file is not what the oracle's says."
    fix = "Correct the engine's file: `tokparity doctor` says which keys of a GGUF, `tokparity lint` of other files."
    return [Reason("The file that this engine opens says something else than the oracle's", symptom, cause, fix), *own]


_FAILS = {"timeout": "it gives no answer in time", "slow": "it takes too long", "memory": "it takes too much memory"}
_TITLE = 120  # characters of an engine's own message
_UNREPEATABLE = {
    "state": "Keeps state: what it was asked before changes its answer",
    "request": "Other texts of the same request change its answer",
    "chance": "Answers by chance: the same question has several answers",
}


def title(finding: Finding) -> str:
    """What a finding is, in words."""
    if known := [part.title for part in parts(finding)]:
        joint = ", and " if finding.wrong_keys else " and "
        return joint.join([known[0], *(name[0].lower() + name[1:] for name in known[1:])])
    if finding.quirks:  # of a later catalogue
        return ", ".join(finding.quirks)
    if finding.unrepeatable in _UNREPEATABLE:
        return _UNREPEATABLE[finding.unrepeatable]
    if finding.instead:
        return finding.instead
    actual = finding.smallest.actual
    if isinstance(actual, Failure):
        return f"Fails: {plain(_FAILS.get(actual.kind) or actual.message.partition('; ')[0])[:_TITLE]}"
    where = finding.smallest.difference
    told = PROMPTS.get(where.aspect) or {**LAWS, **SPAN_LAWS}.get(where.law, finding.told[0])
    return f"Unexplained: {told if finding.character else told.replace('-', ' ')}"


def headline(finding: Finding) -> str:
    """The title in at most ten words: of several quirks the one that explains most by itself."""
    known = parts(finding)
    if len(known) < 2 or finding.wrong_keys:
        return title(finding)
    alone = {one.quirks[0]: one.explains for one in finding.ruled_out if len(one.quirks) == 1}
    main = max(known, key=lambda part: (alone.get(part.quirk, 0), _weight(part)))
    return f"{main.title} (and {len(known) - 1} more)"


def _weight(part: Reason) -> int:
    """How much of a tokenizer a part changes: the algorithm, then where words are cut, then what comes before."""
    stage = stages().get(part.field)
    order = (Stage.PROMPTS, Stage.SPANS, Stage.STREAMING, Stage.DECODING, Stage.AROUND_THE_IDS, Stage.ADDED_TOKENS,
             Stage.TEXT_IN, Stage.SPACES, Stage.NORMALISATION, Stage.PRETOKENISATION, Stage.MODEL)  # fmt: skip
    return order.index(stage) if stage is not None else len(order)


def in_words(what: str) -> str:
    """What vanished, in words: the titles of quirks instead of their names."""
    names = what.split("+")
    return " and ".join(quirks.get(name).title for name in names) if {*names} <= {*quirks.names()} else what


def told(finding: Finding) -> Iterator[str]:
    """Sentences on a finding beside its cause: what its mismatches have in common, and what is not shrunk."""
    if finding.beyond:
        yield finding.beyond
    yield from (trait.sentence for trait in finding.character)
    if finding.smallest.after:
        yield f"it gives this answer if it was asked, in the same process, {in_turn(finding.smallest.after)}"
    if finding.smallest.beside:
        yield f"it gives this answer if the same request asks for {in_turn(finding.smallest.beside)} first"
    if finding.smallest.difference.failure == "slow":
        yield "slow texts are looked for until some were found, so there may be more"
    if finding.unshrunk:
        yield finding.unshrunk
