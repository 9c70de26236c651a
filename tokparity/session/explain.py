"""The findings about one engine, from what a recorder stored of it or from a stored report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity import formats, quirks
from tokparity.diagnose import (
    ASPECTS,
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
    explained_streams,
    findings,
    not_looked_for,
    sizes,
)
from tokparity.engines import deviations
from tokparity.errors import TokparityError
from tokparity.finding import Attacked, Control, Finding, Mismatch
from tokparity.formats import Source
from tokparity.lint.causes import rows, telling
from tokparity.outcome import Encoding
from tokparity.questions import Question
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.quirks import flip_all
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.asking import AskedEngine
from tokparity.session.evidence import Kept, evidence_of
from tokparity.session.wrong_files import Held, Obeyed

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.report.model import Report


_ROUNDS = 4
_SPOILED = 20
"""How often a recording is explained anew, and how many right answers that speak against one explanation are added."""


class Explainer:
    """Explains engine after engine; one that did the very same as another (a library inside another) at no cost.

    The `limits` bound its work. Where it `names_only`, nothing is looked for beyond the catalog.
    """

    def __init__(self, limits: Limits | None = None, names_only: bool = False) -> None:
        self._limits, self._names_only = limits or Limits(), names_only
        self._explained: list[tuple[Kept, Sequence[Base], list[Explanation]]] = []
        self._bases: list[Base] = []

    def findings(
        self,
        evidence: Kept,
        sources: Sequence[Source],
        asking: AskedEngine | None,
        known: Collection[str] = (),
        seconds: float | None = None,
        interrupted: Callable[[], bool] = lambda: False,
        judged: Put | None = None,
        over: Callable[[], bool] = lambda: False,
        obeyed: Obeyed | None = None,
    ) -> list[Found]:
        """The findings about one engine (`sources`: see `read_by`); their members are indices in the report.

        `known` are the quirks that it is known to have. `seconds` limits the search for others. Each aspect with
        mismatches has a share, and unexplained mismatches have the share of an aspect without any. Where it was
        `interrupted`, nothing is looked for. `judged` runs more cases and says which are wrong. With it, unexplained
        mismatches are examined for what they have in common, until it is `over`. If keys are known to be wrong in the
        file that is `obeyed`, they explain what they can. Only the rest is diagnosed.
        """
        bases = [self._base(source) for source in sources]
        if (streams := evidence.of_streams(True)).mismatches:
            others = evidence.of_streams(False)
            rest = others, sources, asking, known, seconds, interrupted, judged, over, obeyed
            told = self.findings(*rest) if others.mismatches else []
            return [*told, *self._of_streams(streams, sources, asking, interrupted)]
        explained = self._known(evidence, bases)
        if explained is None and interrupted():
            explained = not_looked_for("ids", range(len(evidence.mismatches)), INTERRUPTED)
        elif explained is None:
            given = evidence.mismatches, evidence.controls
            shares = min(len(aspects_of(*given)) + 1, len(ASPECTS))
            limits = self._limits
            if seconds is not None:  # seconds that are few are less work, on whatever machine
                most = min(limits.work, round(seconds / shares * WORK_PER_SECOND))
                limits = replace(limits, seconds=seconds / shares, work=most)

            def diagnosed(
                mismatches: Sequence[Mismatch],
                controls: Sequence[Control],
                of: Sequence[Base],
                held: Held = lambda put: put,
                asking: AskedEngine | None = asking,
            ) -> list[Explanation]:
                every = quirks.all_quirks()
                fresh, put = (asking.fresh, asking.put) if asking is not None else (None, ())
                found = diagnose(of, mismatches, controls, every, asking, limits, known, interrupted, fresh, put)
                if self._names_only or (asking is not None and judged is None):
                    return found
                work = WORK if seconds is None else min(WORK, limits.seconds * WORK_PER_SECOND)
                anew, asked = (asking.anew, asking.asked) if asking is not None else (None, ())
                told = held(judged) if judged is not None else None
                return characterised(
                    found, mismatches, controls, anew, told, over, of[0], known, asked, interrupted, work
                )

            explained = diagnosed(*given, bases) if obeyed is None else obeyed.explained(*given, asking, diagnosed)
            self._explained.append((evidence, bases, explained))
        found = findings(evidence.mismatches, explained, evidence.counts)
        return [_placed(one, evidence, sources) for one in found]

    def _of_streams(
        self, evidence: Kept, sources: Sequence[Source], asking: AskedEngine | None, interrupted: Callable[[], bool]
    ) -> list[Found]:
        """The findings about an engine's streams."""
        base, fresh = self._base(sources[0]), asking.fresh if asking is not None else None
        explained = explained_streams(base, evidence.mismatches, evidence.controls, asking, fresh, interrupted)
        return [_placed(one, evidence, sources) for one in findings(evidence.mismatches, explained, evidence.counts)]

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


def of_report(
    report: Report, model: Model, engine: str, sources: Sequence[Source], right: Sequence[Control] = ()
) -> list[Found]:
    """The findings about one engine in a stored report (`sources`: see `read_by`); their members are indices in it.

    `right` are all cases on which the engine was right, where more of them are known than the report has controls. What
    an explanation spoils of them becomes a control, and it is explained anew.
    """
    evidence = evidence_of(report, model.name, engine)
    found: list[Found] = []
    for _ in range(_ROUNDS):
        found = Explainer().findings(evidence, sources, None, known_quirks(model, engine))
        spoiled = _spoiled(found, sources[0], right)
        if not spoiled:
            break
        evidence = replace(evidence, controls=[*evidence.controls, *spoiled])
    else:  # what was found last is refuted as well
        found = [_withdrawn(one) if _spoiled([one], sources[0], right) else one for one in found]
    ours = (f for f in report.findings if (f.model, f.engine, f.status) == (model.name, engine, "verified"))
    verified = {finding.quirks: finding.attacked for finding in ours}
    return [_as_attacked(one, verified.get(one.finding.quirks)) for one in found]


def _spoiled(found: Sequence[Found], source: Source, right: Sequence[Control]) -> list[Control]:
    """Of the cases on which the engine is right some that one of the explanations says to be wrong."""
    told = (names for one in found for names in (one.finding.quirks, *one.finding.alternatives))
    spoiled: dict[Question, Control] = {}
    model = Tokenizer(source.vocabulary, source.behaviour)
    for names in dict.fromkeys(names for names in told if names and set(names) <= {*quirks.names()}):
        flipped = model.with_behaviour(flip_all([quirks.get(name) for name in names], source.behaviour))
        against = (control for control in right if not _gives(flipped, control) and _gives(model, control))
        spoiled |= {control.case.question: control for control in islice(against, _SPOILED)}
    return list(spoiled.values())


def _withdrawn(one: Found) -> Found:
    """The finding without its explanation."""
    finding = one.finding
    why = f"{' + '.join(finding.quirks)} gives these ids, and other ids than the engine on texts that it has right"
    name = f"{finding.engine}-{finding.smallest.kind}"
    bare = replace(finding, name=name, status="unexplained", quirks=(), alternatives=(), why_unexplained=why, rest=None)
    return replace(one, finding=replace(bare, separating=None, context=()))


def _gives(tokenizer: Tokenizer, control: Control) -> bool:
    given, right = imitate(tokenizer, control.case.question), control.outcome
    return given.ids == right.ids if isinstance(given, Encoding) and isinstance(right, Encoding) else given == right


def _as_attacked(one: Found, attacked: Attacked | None) -> Found:
    """A finding of which nothing but the engine's answers is wanting, with what the run asked it to refute others."""
    if one.finding.status not in ("reproduced", "ambiguous") or attacked is None:
        return one
    sure = replace(one.finding, status="verified", attacked=attacked, alternatives=(), separating=None)
    return replace(one, finding=sure)


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
