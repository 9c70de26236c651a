"""A faulty engine beside the reference in this very process: what a session does with it, without workers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from unlisted_faults import Faithful

from tokparity import models
from tokparity.behaviour import Trace
from tokparity.case import AnyCase, TextCase
from tokparity.diagnose.base import Base
from tokparity.diagnose.families.answers.group import Group
from tokparity.diagnose.loop import characterise
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.results import Results
from tokparity.finding import Control, Mismatch
from tokparity.formats import Source
from tokparity.fuzz.steering import Steering
from tokparity.generators import names
from tokparity.generators.subject import Subject
from tokparity.questions import Decode, Encode
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.more_cases import Putting
from tokparity.session.recorder import Recorder
from tokparity.session.writer import Unwritten

FAULTY = "faulty"


@cache
def source(model: str) -> Source:
    """What the model's own file says."""
    return models.primary_source(models.load(model))


class Known(Tokenizer):
    """The right ids and texts, each of which is asked for by every engine here: found once."""

    def encode(
        self, text: bytes, add_special: bool = True, parse_special: bool = False, trace: Trace | None = None
    ) -> list[int]:
        """What was found before, if it was."""
        return list(self._ids(text, add_special, parse_special))

    @cache  # noqa: B019 - there is one for each model
    def _ids(self, *asked: Any) -> tuple[int, ...]:
        return tuple(super().encode(*asked))

    def decode(self, ids: Sequence[int], skip_special: bool = False) -> bytes:
        """What was found before, if it was."""
        return self._text(tuple(ids), skip_special)

    @cache  # noqa: B019 - there is one for each model
    def _text(self, *asked: Any) -> bytes:
        return super().decode(*asked)


@cache
def right(model: str) -> Known:
    """The reference of a model."""
    return Known(source(model).vocabulary, source(model).behaviour)


@cache
def planned(model: str, batches: int) -> list[tuple[TextCase, ...]]:
    """The texts of a short search, which are the same for every engine."""
    steering = Steering(Subject(source(model).vocabulary, source(model).behaviour), names(), 0)
    return [steering.plan().cases for _ in range(batches)]


def forget() -> None:
    """For a test that puts another model in the place of one."""
    right.cache_clear()
    planned.cache_clear()


class Beside:
    """The reference, or what stands in its place, and a faulty engine."""

    def __init__(self, model: str, engine: type[Faithful], oracle: type[Faithful] = Faithful) -> None:
        self.engines = {REFERENCE: oracle(), FAULTY: engine()}
        for one in self.engines.values():
            one.tokenizer = right(model)
            one.opened()

    def results(
        self, batches: Iterable[Sequence[AnyCase]], stop: Callable[[], bool], only: Collection[str] = ()
    ) -> Iterator[Batch]:
        """Each batch with the results of both."""
        for cases in batches:
            yield Batch(cases, {name: self._answers(one, cases) for name, one in self.engines.items()})

    @staticmethod
    def _answers(engine: Faithful, cases: Sequence[AnyCase]) -> Results:
        questions = [case.question for case in cases]
        first = questions[0]
        if isinstance(first, Decode):
            rows = Ids.from_list([q.ids for q in questions if isinstance(q, Decode)])
            return Results(None, engine.decode(rows, first.skip_special))
        assert isinstance(first, Encode)
        texts = Texts.from_list([q.text for q in questions if isinstance(q, Encode)])
        ids = engine.encode(texts, first.add_special, first.parse_special)
        return Results(ids, engine.decode(ids, skip_special=True))


def searched(
    model: str, engine: type[Faithful], batches: int = 8, oracle: type[Faithful] = Faithful
) -> tuple[Beside, Recorder]:
    """What a short search finds."""
    said = source(model)
    panel = Beside(model, engine, oracle)
    recorder = Recorder(Judge(model, REFERENCE, said.vocabulary.pieces), [FAULTY], Unwritten())
    for batch in panel.results(planned(model, batches), lambda: False):
        recorder.take(batch)
    return panel, recorder


def characterised(
    model: str,
    engine: type[Faithful],
    texts: Sequence[AnyCase] = (),
    oracle: type[Faithful] = Faithful,
    nearest: Collection[str] = (),
) -> tuple[list[Mismatch], list[Group]]:
    """The mismatches of a short search, and `texts`, and what they have in common; `nearest` gives most of them."""
    panel, recorder = searched(model, engine, oracle=oracle)
    for case in texts:
        for batch in panel.results([[case]], lambda: False):
            recorder.take(batch)
    evidence = recorder.evidence[FAULTY]
    put = Putting(panel, recorder.judge, FAULTY, lambda: False)
    controls: list[Control] = evidence.controls
    said = source(model)
    base = Base(said.vocabulary, said.behaviour)
    return evidence.mismatches, characterise(evidence.mismatches, controls, put, base=base, nearest=nearest)
