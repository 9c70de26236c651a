"""The vectors of a model: a small choice of all that was put to its faults, with comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, TypeGuard

from tokparity import __version__, engines
from tokparity.case import Origin
from tokparity.errors import EngineError
from tokparity.garbage import collected_rarely
from tokparity.generators import prepared
from tokparity.models import primary_source
from tokparity.models.cache import sha256
from tokparity.questions import Decode, Question
from tokparity.session.seats import seat_one
from tokparity.vectors import candidates, conventions, conversations, kinds
from tokparity.vectors.comments import Commentator
from tokparity.vectors.cover import cover, groups
from tokparity.vectors.model import Answer, Fault, Right, Untold, Vector, Vectors
from tokparity.vectors.oracle import Oracle
from tokparity.vectors.pool import Pool, pool
from tokparity.vectors.spelling import case_id, does, grouped, line, pieces_shown, stored

if TYPE_CHECKING:
    from tokparity.generators.subject import Subject
    from tokparity.models import Model

CASES = 600
BYTES = 250_000
_HEADER = 2_000
"""Bytes that are left for the fields before the cases, beside the lists of faults."""
_COMMENT, _DOES = 50, 90
"""Bytes that are left for a case's comment, and for what a fault does: other words must not change which cases fit."""
_COUNTS = 33
"""Up to that many ids, there is a question with each number: blocks of processors have up to 32."""
_ALIKE = 2
"""How many questions that show the same faults are added, at most, to those that the faults need."""


@dataclass(frozen=True)
class Made:
    """The vectors, and what their maker has to say of them.

    `disputed` are the questions to which the reference and the oracle give different answers, which are left out.
    `alone` are the cases that the oracle cannot be asked, so that the reference alone answers them.
    """

    vectors: Vectors
    disputed: int
    alone: int


def make(model: Model, cases: int = CASES, say: Callable[[str], object] = lambda text: None) -> Made:
    """The vectors of a model, the same each time; EngineError where its oracle cannot be run."""
    source = primary_source(model)
    held = prepared(source.vocabulary, source.behaviour)
    with collected_rarely(), Oracle(seat_one(model, model.oracle)) as oracle:
        say(f"vectors of {model.name}")
        found = pool(held, oracle, engines.names(), say)
        if not found.answers.right:
            raise EngineError(
                f"the oracle of {model.name} agrees with the reference on no text, so there are no right answers",
                "check the model's files",
            )
        say("choosing")
        disputed = len(oracle.disputed)
        selection = _Selection(found, held.subject)
        vectors = Vectors(
            model=model.name,
            sources={path.name: sha256(path) for path in model.sources.values()},
            oracle=oracle.told,
            tokparity=__version__,
            faults=selection.faults,
            untold=selection.untold,
            cases=tuple(sorted(selection.chosen(cases), key=lambda one: one.question.order)),
            groups=kinds.grouped(held, oracle, say) | conversations.grouped(source, held, oracle, say),
        )
    alone = sum(one.question in oracle.alone for one in vectors.cases)
    return Made(vectors, disputed, alone)


class _Selection:
    """What of a pool stands in the file. Faults with the same answers have one name there."""

    def __init__(self, found: Pool, subject: Subject) -> None:
        self._right, self._origins = found.answers.right, found.origins
        self._accepted, wrong = conventions.settled(found.answers)
        same = {mutant.name: tuple(mutant.same) for mutant in found.answers.mutants}
        shown = [name for name, given in wrong.items() if given]
        alike = {first: others for first, *others in map(sorted, groups(shown, wrong))}
        self._wrong = {name: wrong[name] for name in sorted(alike)}
        self.faults = {
            name: Fault(
                does(name), tuple(sorted({*same[name], *others, *chain.from_iterable(same[o] for o in others)}))
            )
            for name, others in sorted(alike.items())
        }
        self.untold = tuple(_with_conventions(found, wrong))
        self._commentator = Commentator(subject.tokens)
        self._pieces = subject.vocabulary.pieces
        self._shows: dict[Question, dict[str, Answer]] = {}
        for name, given in self._wrong.items():
            for question, answer in given.items():
                self._shows.setdefault(question, {})[name] = answer

    def chosen(self, cases: int) -> Iterator[Vector]:
        """What the faults need, sentences and long texts, then the shortest of every part, as far as there is room."""
        names = [*self.faults, *chain.from_iterable(one.alike for one in self.faults.values())]
        names += chain.from_iterable(one.faults for one in self.untold)
        room = BYTES - _HEADER - _DOES * len(self.faults) - sum(len(name) + 4 for name in names)
        needed = cover(self._right, self._wrong)
        always = [*needed, *self._always()]
        taken: dict[Question, None] = {}
        for question in chain(always, self._other_counts(always), self._varied(needed)):
            if question in taken or len(taken) >= cases:
                continue
            vector = self._vector(question)
            room -= len(line(replace(vector, comment="")).encode()) + _COMMENT
            if room < 0:
                return
            taken[question] = None
            yield vector

    def _always(self) -> list[Question]:
        sentences = (case.question for case in candidates.sentences())
        decoded = candidates.decoded(self._right)
        extra = chain(candidates.typical(), decoded, sentences, candidates.corners(), candidates.long_texts())
        return [text for text in extra if text in self._right]

    def _other_counts(self, chosen: Iterable[Question]) -> Iterator[Question]:
        """For each number of ids up to `_COUNTS` that no chosen question has, the first question with as many."""
        left = set(range(1, _COUNTS + 1)) - {len(answer) for answer in map(self._right.get, chosen) if _is_ids(answer)}
        for question in sorted(self._right, key=lambda one: one.order):
            answer = self._right[question]
            if _is_ids(answer) and len(answer) in left:
                left.remove(len(answer))
                yield question

    def _varied(self, needed: Iterable[Question]) -> Iterator[Question]:
        """The shortest questions of every part in turn; few of those that show the same faults, and no text twice."""
        parts: dict[str, list[Question]] = {}
        for question in sorted(self._right, key=lambda one: one.order):
            parts.setdefault(_part(question, self._origins.get(question)), []).append(question)
        shown = Counter(frozenset(self._shows.get(question, ())) for question in needed)
        asked = {question.shown for question in needed}
        for question in chain.from_iterable(zip_longest(*(parts[name] for name in sorted(parts)))):
            if question is None or question.shown in asked:
                continue
            shows = frozenset(self._shows.get(question, ()))
            if shown[shows] < _ALIKE:
                shown[shows] += 1
                asked.add(question.shown)
                yield question

    def _vector(self, question: Question) -> Vector:
        answer, origin = self._right[question], self._origins.get(question)
        return Vector(
            id=case_id(question),
            question=question,
            answer=stored(answer),
            pieces=pieces_shown(self._pieces, question, answer),
            comment=self._commentator.comment(question, origin),
            tags=self._commentator.tags(question, origin),
            acceptable=self._accepted.get(question, ()),
            wrong=grouped(self._shows.get(question, {})),
        )


def _is_ids(answer: Right | None) -> TypeGuard[tuple[int, ...]]:
    return isinstance(answer, tuple)


def _with_conventions(found: Pool, wrong: conventions.Wrong) -> Iterator[Untold]:
    told = {name for mutant in found.answers.mutants if wrong[mutant.name] for name in (mutant.name, *mutant.same)}
    for one in found.untold:
        if names := tuple(name for name in one.faults if name not in told):
            yield Untold(one.why, names)
    by_convention = [mutant for mutant in found.shown if not wrong[mutant.name]]
    kept = sorted(name for mutant in by_convention for name in (mutant.name, *mutant.same))
    if kept:
        yield Untold(conventions.WHY_UNTOLD, tuple(kept))


def _part(question: Question, origin: Origin | None) -> str:
    """What a question is about, so that each part has its share."""
    if isinstance(question, Decode):
        return f"rows/{question.skip_special}"
    if origin is None:
        return "smaller"
    return f"{origin.source}/{origin.name.partition('/')[0]}"
