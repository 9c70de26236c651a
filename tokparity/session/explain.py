"""The findings about one engine, from what a recorder stored of it or from a stored report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity import formats, quirks
from tokparity.diagnose import (
    ASPECTS,
    BY_LAWS,
    INTERRUPTED,
    WORK,
    WORK_PER_SECOND,
    Base,
    Explanation,
    Found,
    Limits,
    Put,
    aspects_of,
    characterised,
    context,
    diagnose,
    findings,
    not_looked_for,
    sizes,
    with_blamed,
)
from tokparity.engines import deviations
from tokparity.errors import TokparityError
from tokparity.finding import Control, Finding, Mismatch
from tokparity.formats import Source
from tokparity.lint.causes import rows, telling
from tokparity.questions import Decode, Encode, Render
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.session.asking import AskedEngine
from tokparity.session.conclusions import TAKEN_OVER, Conclusions
from tokparity.session.evidence import Kept
from tokparity.session.prompt_causes import explained as explained_prompts
from tokparity.session.wrong_files import Held, Obeyed

if TYPE_CHECKING:
    from tokparity.models import Model


@dataclass(frozen=True)
class Enquiry:
    """One engine that is to be explained: what is stored of it, and what may be asked of it.

    `sources` are those of `read_by`, and `known` the quirks that the engine is known to have. `seconds` limits the
    search for others. Where it was `interrupted`, nothing is looked for. `judged` runs more cases and says which are
    wrong. With it, unexplained mismatches are examined for what they have in common, until it is `over`. If keys are
    known to be wrong in the file that is `obeyed`, they explain what they can. Only the rest is diagnosed. `version` is
    the engine's; where it is empty, nothing that was concluded earlier is taken over. `note` writes that it was.
    """

    evidence: Kept
    sources: Sequence[Source]
    asking: AskedEngine | None = None
    known: Collection[str] = ()
    seconds: float | None = None
    interrupted: Callable[[], bool] = lambda: False
    judged: Put | None = None
    over: Callable[[], bool] = lambda: False
    obeyed: Obeyed | None = None
    version: str = ""
    note: Callable[[str], None] = lambda note: None

    def limits(self, most: Limits) -> Limits:
        """Each aspect with mismatches has a share, and unexplained ones have the share of an aspect without any."""
        if self.seconds is None:
            return most
        shares = min(len(aspects_of(self.evidence.mismatches, self.evidence.controls)) + 1, len(ASPECTS))
        seconds = self.seconds / shares  # seconds that are few are less work, on whatever machine
        return replace(most, seconds=seconds, work=min(most.work, round(seconds * WORK_PER_SECOND)))


class Explainer:
    """Explains engine after engine; one that did the very same as another (a library inside another) at no cost.

    The `limits` bound its work. Where it `names_only`, nothing is looked for beyond the catalog.
    """

    def __init__(self, limits: Limits | None = None, names_only: bool = False) -> None:
        self._limits, self._names_only = limits or Limits(), names_only
        self._explained: list[tuple[Kept, Sequence[Base], list[Explanation]]] = []
        self._bases: list[Base] = []

    def findings(self, of: Enquiry) -> list[Found]:
        """The findings about one engine; their members are indices in the report."""
        engine, kept = next((one.engine for one in of.evidence.mismatches), ""), None
        if of.asking is not None and of.seconds is None and of.obeyed is None:
            beside = self._limits, self._names_only, of.judged is not None
            kept = Conclusions.of(engine, of.version, of.sources, of.evidence, of.known, beside)
        if kept is not None and (concluded := kept.read()) is not None:
            of.note(TAKEN_OVER.format(engine))
            return concluded
        found = self._found(of)
        if kept is not None and not of.interrupted():
            kept.write(found)
        return found

    def _found(self, of: Enquiry) -> list[Found]:
        told: list[Found] = []
        for kind, evidence in of.evidence.by_kind().items():
            if not evidence.mismatches:
                continue
            part = replace(of, evidence=evidence)
            told += self._findings(part, self._by_laws(kind, part) if kind else self._explanations(part))
        return told

    def _by_laws(self, kind: str, of: Enquiry) -> list[Explanation]:
        """Explanations of what has causes of its own: streams, spans and prompts."""
        fresh = of.asking.fresh if of.asking is not None else None
        given = of.evidence.mismatches, of.evidence.controls, of.asking, fresh, of.interrupted
        if kind == Render.KIND:
            found = explained_prompts(of.evidence.mismatches, fresh, of.interrupted)
        else:
            base = self._base(of.sources[0])
            found = BY_LAWS[kind](base, *given)
            if not of.interrupted():
                found = with_blamed(base, of.evidence.mismatches, found, of.asking, partial(self._of_rows, of))
        if not of.interrupted():
            return found
        return [one if one.quirks else replace(one, why_unexplained=INTERRUPTED, undiagnosed=True) for one in found]

    def _of_rows(self, of: Enquiry, rows: Sequence[Mismatch], right: Sequence[Control]) -> list[Explanation]:
        """What the catalog explains of rows that are decoded wrongly."""
        bases = [self._base(source) for source in of.sources]
        return self._diagnosed(replace(of, judged=None), rows, right, bases, lambda put: put, of.asking)

    def _findings(self, of: Enquiry, explained: Sequence[Explanation]) -> list[Found]:
        found = findings(of.evidence.mismatches, explained, of.evidence.counts)
        return [_placed(one, of.evidence, of.sources) for one in found]

    def _explanations(self, of: Enquiry) -> list[Explanation]:
        evidence, bases = of.evidence, [self._base(source) for source in of.sources]
        if (explained := self._known(evidence, bases)) is not None:
            return explained
        if of.interrupted():
            return not_looked_for("ids", range(len(evidence.mismatches)), INTERRUPTED)
        diagnosed = partial(self._diagnosed, of)
        if of.obeyed is None:
            explained = diagnosed(evidence.mismatches, evidence.controls, bases, lambda put: put, of.asking)
        else:
            explained = of.obeyed.explained(evidence.mismatches, evidence.controls, of.asking, diagnosed)
        self._explained.append((evidence, bases, explained))
        return explained

    def _diagnosed(
        self,
        of: Enquiry,
        mismatches: Sequence[Mismatch],
        controls: Sequence[Control],
        bases: Sequence[Base],
        held: Held,
        asking: AskedEngine | None,
    ) -> list[Explanation]:
        """What the catalog explains of these, and what the rest of them have in common."""
        limits, every = of.limits(self._limits), quirks.all_quirks()
        fresh = asking.fresh if asking is not None else None
        # Streams and spans have causes of their own, and what is encoded again may be wrong in another step.
        put = [case for case in asking.put if isinstance(case.question, Encode | Decode)] if asking is not None else ()
        found = diagnose(bases, mismatches, controls, every, asking, limits, of.known, of.interrupted, fresh, put)
        if self._names_only or (asking is not None and of.judged is None):
            return found
        work = WORK if of.seconds is None else min(WORK, limits.seconds * WORK_PER_SECOND)
        anew, asked = (asking.anew, asking.asked) if asking is not None else (None, ())
        told = held(of.judged) if of.judged is not None else None
        return characterised(
            found, mismatches, controls, anew, told, of.over, bases[0], of.known, asked, of.interrupted, work
        )

    def _base(self, source: Source) -> Base:
        """What a source says; the same one for all engines, for much is kept of it."""
        base = _base(source)
        if base not in self._bases:
            self._bases.append(base)
        return self._bases[self._bases.index(base)]

    def _known(self, evidence: Kept, bases: Sequence[Base]) -> list[Explanation] | None:
        for other, others_bases, explained in self._explained:
            if other.counts == evidence.counts and _did(other) == _did(evidence) and others_bases == bases:
                return explained
        return None


def _did(evidence: Kept) -> list[tuple[object, object]]:
    return [(mismatch.case, mismatch.actual) for mismatch in evidence.mismatches]


def _placed(one: Found, evidence: Kept, sources: Sequence[Source]) -> Found:
    """The finding with indices in the report."""
    members = tuple(sorted(evidence.indices[i] for i in one.members))
    return Found(_with_context(one.finding, sources), members)


def _with_context(finding: Finding, sources: Sequence[Source]) -> Finding:
    if not finding.quirks:
        return finding
    fields = [quirks.get(name).field for name in finding.quirks if name in quirks.names()]
    found = context(sources[0].metadata, fields)
    if SOURCE_DIFFERS in finding.quirks:
        found += rows(telling(sources[1], sources[0], finding.smallest))
    else:  # where the files differ, what they say is what such a finding is accepted by
        found += sizes(sources[0].vocabulary, fields)
    return replace(finding, context=found)


def known_quirks(model: Model, engine: str) -> set[str]:
    """The quirks that an engine is known to have, on every model or on this one."""
    accepted = (name for entry in model.accepted if entry.engine == engine for name in entry.quirks)
    return {*(deviation.quirk for deviation in deviations.known(engine)), *accepted}


def read_by(source: Source, model: Model, opened: str) -> list[Source]:
    """The oracle's source, and the file that the engine opened if its contents differ."""
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
