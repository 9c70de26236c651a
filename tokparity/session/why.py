"""Finds the cause of one difference: from that case alone, else from the engine's answers to other texts as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from tokparity.case import AnyCase
from tokparity.diagnose import Base
from tokparity.finding import Finding, Mismatch
from tokparity.generators import prepared
from tokparity.report.model import FileFault
from tokparity.session.asking import AskedEngine
from tokparity.session.evidence import Kept
from tokparity.session.explain import Enquiry, Explainer, known_quirks, read_by
from tokparity.session.judge import Judge
from tokparity.session.more_cases import Putting
from tokparity.session.panel import EnginePanel
from tokparity.session.recorder import Recorder
from tokparity.session.seats import Seating
from tokparity.session.writer import Unwritten
from tokparity.session.wrong_files import Obeyed
from tokparity.session.wrong_keys import with_wrong_keys
from tokparity.sources.batches import batches
from tokparity.sources.corpora import CorpusCases
from tokparity.sources.random_texts import random_cases

if TYPE_CHECKING:
    from tokparity.models import Model

_GENERATED = 300
_CORPORA = ("languages", "prompts")
_SECONDS = 60.0
_SEED = 1


def why(
    found: Mismatch,
    model: Model,
    seating: Seating,
    engines: EnginePanel,
    judge: Judge,
    faults: Sequence[FileFault] = (),
    mended: Base | None = None,
) -> list[Finding]:
    """The findings that explain one mismatch; the engine runs more texts to be sure.

    If keys are known to be wrong in the engine's file (`faults`), they explain what they can. `mended` is what the
    file says without them.

    What explains one fault of an engine that has two is contradicted by the other one. So where nothing explains the
    text by itself, others are put as well, and the cause is looked for in all that differs. Where that shows nothing
    either, what explains this one text is told, in part: a recording of it alone says as much.
    """
    opened = seating.of(found.engine)
    sources = read_by(seating.source, model, opened.path if opened else "")
    known = known_quirks(model, found.engine)
    alone = Kept([found], [0], Counter([found.kind]))
    with AskedEngine(engines, found.engine) as asking:
        obeyed = Obeyed.of(sources, mended)
        explained = Explainer().findings(Enquiry(alone, sources, asking, known, obeyed=obeyed))
        if all(one.finding.quirks for one in explained):
            return [with_wrong_keys(one.finding, sources, faults, obeyed) for one in explained]
        source = sources[0]
        generated = random_cases((), _SEED, _GENERATED, prepared(source.vocabulary, source.behaviour))
        evidence = _evidence(found, chain(CorpusCases(_CORPORA), generated), engines, judge)
        judged = Putting(engines, judge, found.engine, lambda: False)
        explained = Explainer().findings(
            Enquiry(evidence, sources, asking, known, _SECONDS, judged=judged, obeyed=obeyed)
        )
    told = [one.finding for one in explained if 0 in one.members]
    if not any(finding.quirks or finding.character for finding in told):
        beside_right = replace(alone, controls=evidence.controls)  # what would spoil these is not the cause
        by_itself = Explainer().findings(Enquiry(beside_right, sources, known=known, obeyed=obeyed))
        told = [replace(one.finding, status="in part") for one in by_itself if one.finding.quirks] or told
    return [with_wrong_keys(finding, sources, faults, obeyed) for finding in told]


def _evidence(found: Mismatch, texts: Iterable[AnyCase], engines: EnginePanel, judge: Judge) -> Kept:
    """What the engine has wrong and right of some texts; first of all the mismatch."""
    recorder = Recorder(judge, [found.engine], Unwritten())
    for cases in ([found.case], *batches(texts)):
        for batch in engines.results([cases], lambda: False):
            recorder.take(batch)
    return recorder.evidence[found.engine]
