"""Models in which faults are planted, and the texts by which a diagnosis gets to see them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from benchmarks.faulty_engine import FaultyEngine
from tokparity import generators, models, quirks
from tokparity.case import AnyCase, Case, Origin, TextCase, text_case
from tokparity.diagnose import Ask, Base
from tokparity.fuzz.steering import Steering
from tokparity.generators.subject import Subject
from tokparity.outcome import Outcome
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources import corpus

if TYPE_CHECKING:
    from tokparity.finding import Control, Mismatch
    from tokparity.quirk import Quirk

TOYS = "toys"
MISMATCHES, CONTROLS, CASES = 2000, 200, 2500
_CORPORA = ("whitespace", "special_tokens", "normalisation", "letter_case", "invalid_utf8", "unusual_code_points")


class Planting:
    """One model in which faults are planted; `fresh` texts are like the `cases` that a diagnosis gets to see."""

    def __init__(
        self, name: str, tokenizer: Tokenizer, chosen: Sequence[Quirk], more: Sequence[TextCase] = (), fresh: int = 1000
    ) -> None:
        self.name = name
        self.tokenizer = tokenizer
        self.chosen = [q for q in chosen if q.flip(tokenizer.behaviour) != tokenizer.behaviour]
        cases = [*more, *_cases(Subject(tokenizer.vocabulary, tokenizer.behaviour))]
        self.bases = [Base(tokenizer.vocabulary, tokenizer.behaviour)]
        self.cases, self.fresh = cases[:-fresh], cases[-fresh:]
        self._known: dict[AnyCase, Outcome] = {}

    def faulty(self, planted: Sequence[Quirk]) -> FaultyEngine:
        """The engine with these faults; what the reference gives is remembered for all of them."""
        wrong = self.tokenizer.with_behaviour(quirks.flip_all(planted, self.tokenizer.behaviour))
        return FaultyEngine(self.tokenizer, wrong, self.name, known=self._known)

    def evidence(
        self, engine: FaultyEngine, mismatches: int = MISMATCHES, controls: int = CONTROLS
    ) -> tuple[list[Mismatch], list[Control]]:
        """What a run would keep of it."""
        return engine.evidence(self.cases, mismatches, controls)


Made = TypeVar("Made", bound=Planting)


def plantings(name: str, chosen: Sequence[Quirk], fresh: int, kind: type[Made]) -> Iterator[Made]:
    """The model of this name, or the toy of each quirk."""
    if name != TOYS:
        source = models.primary_source(models.resolve(name))
        yield kind(name, Tokenizer(source.vocabulary, source.behaviour), chosen, (), fresh)
        return
    for quirk in chosen:
        if quirk.witness is not None:
            witness = quirk.witness()
            origin = Origin("given", "witness")
            case = text_case(witness.text, witness.add_special, witness.parse_special, origin)
            yield kind(TOYS, Tokenizer(witness.vocabulary, witness.behaviour), [quirk], [case], fresh)


def asking(deviant: FaultyEngine) -> Ask:
    """How the diagnosis puts texts to the deviant tokenizer; it has nothing else to ask about texts."""

    def ask(cases: Sequence[AnyCase]) -> list[Outcome]:
        return deviant.ask([Case(case.question, case.origin) for case in cases if isinstance(case.question, Encode)])

    return ask


def _cases(subject: Subject) -> list[TextCase]:
    """Generated texts and corpora, in a fixed mixed order, so that the last of them are like the others."""
    steering = Steering(subject, generators.names(), 0)
    cases: list[TextCase] = []
    while len(cases) < CASES:
        cases += steering.plan().cases
    for name in _CORPORA:
        for case in islice(corpus.load(name), 300):
            asked = case.question
            if len(asked.text) <= 2000:
                cases += [case, text_case(asked.text, not asked.add_special, not asked.parse_special, case.origin)]
    cases = list(dict.fromkeys(cases))
    random.Random(0).shuffle(cases)
    return cases
