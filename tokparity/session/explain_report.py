"""The findings about one engine in a stored report, of which no engine can be asked any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from tokparity import quirks
from tokparity.diagnose import Found
from tokparity.finding import Attacked, Control
from tokparity.formats import Source
from tokparity.outcome import Encoding
from tokparity.questions import Question
from tokparity.quirks import flip_all
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.evidence import evidence_of
from tokparity.session.explain import Enquiry, Explainer, known_quirks

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.report.model import Report

_ROUNDS = 4
_SPOILED = 20
"""How often a recording is explained anew, and how many right answers that speak against one explanation are added."""


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
        found = Explainer().findings(Enquiry(evidence, sources, known=known_quirks(model, engine)))
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
