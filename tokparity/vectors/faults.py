"""The known faults of one model: every quirk in it, and those that cannot change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tokparity.behaviour import Behaviour, Stage
from tokparity.questions import Decode, Encode, Question, Render, Spans, Stream
from tokparity.quirk import Quirk
from tokparity.quirks.seen_vocabulary import SeenAs
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.model import Answer, Right, allows, answer_of
from tokparity.vectors.rights import right_of


@dataclass
class Mutant:
    """The model with one quirk. `same` are further quirks that make it behave equally, by their definition."""

    quirk: Quirk
    behaviour: Behaviour
    same: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The quirk's name."""
        return self.quirk.name

    def may_change(self, question: Question) -> bool:
        """Whether the quirk's stage has a part in the question: decoding is the last stage, and only rows get there."""
        if isinstance(question, Stream | Spans):
            return self.quirk.stage is (Stage.STREAMING if isinstance(question, Stream) else Stage.SPANS)
        return (self.quirk.stage is not Stage.DECODING) or isinstance(question, Decode)


def mutants(right: Tokenizer, quirks: Sequence[Quirk]) -> list[Mutant]:
    """The quirks that change the model. Those that change it equally are one mutant."""
    found: dict[Behaviour, Mutant] = {}
    for quirk in quirks:
        behaviour = quirk.flip(right.behaviour)
        if behaviour in found:
            found[behaviour].same.append(quirk.name)
        elif behaviour != right.behaviour:
            found[behaviour] = Mutant(quirk, behaviour)
    return list(found.values())


def without_effect(right: Tokenizer, quirks: Iterable[Quirk], questions: Sequence[Question]) -> dict[str, str]:
    """The quirks that cannot change an answer of this model, each with the reason."""
    read = fields_read(right, questions)
    reasons = {quirk.name: _reason(quirk, right, read, len(questions)) for quirk in quirks}
    return {name: reason for name, reason in reasons.items() if reason}


def _reason(quirk: Quirk, right: Tokenizer, read: set[str], tried: int) -> str:
    flipped = quirk.flip(right.behaviour)
    if flipped == right.behaviour:
        return "the model behaves so itself, or has nothing that it could change"
    if quirk.field not in read:
        return f"the setting that it changes is not read (observed on {tried} questions)"
    value = getattr(flipped, quirk.field)
    if isinstance(value, SeenAs) and value.change(right.vocabulary) == right.vocabulary:
        return "the vocabulary has nothing that it could change"
    return ""


def fields_read(right: Tokenizer, questions: Sequence[Question]) -> set[str]:
    """The fields of `Behaviour` that are read for some question; a quirk of any other field changes nothing."""
    seen: set[str] = set()

    class Watched(Behaviour):
        def __getattribute__(self, name: str) -> Any:
            seen.add(name)
            return super().__getattribute__(name)

    values = {name: getattr(right.behaviour, name) for name in Behaviour.__dataclass_fields__}
    behaviour, hiding = Watched(**values), Watched(**values | {"skip_special": True})
    vocabulary = right.vocabulary
    watched = Tokenizer(vocabulary, behaviour)
    seen.clear()  # a tokenizer compares all fields with those of its relatives
    behaviour.segment(vocabulary, behaviour)
    for normalized in (False, True):
        behaviour.match_added(vocabulary, behaviour, normalized)
    for question in questions:
        if isinstance(question, Render):
            continue  # it reads no tokenizer
        if isinstance(question, Encode):
            ids = watched.encode(question.text, question.add_special, question.parse_special)
        else:
            ids = list(question.ids)
        for shown in (behaviour, hiding):
            shown.decode(vocabulary, shown, ids)
    return seen


class Answers:
    """The answers of the right tokenizer and of each mutant, asked once for each question.

    `wrong` holds, for each mutant, the questions that it answers differently. Questions that the right tokenizer itself
    cannot answer are not part of it.
    """

    def __init__(self, right: Tokenizer, mutants: Sequence[Mutant]) -> None:
        self.mutants = mutants
        self.right: dict[Question, Right] = {}
        self.wrong: dict[str, dict[Question, Answer]] = {mutant.name: {} for mutant in mutants}
        self.tokenizer = right

    def put(self, questions: Iterable[Question], mutants: Sequence[Mutant] | None = None) -> list[Question]:
        """Ask all mutants, or these; the questions that are answered for the first time."""
        asked = [question for question in dict.fromkeys(questions) if question not in self.right]
        rights = ((question, right_of(self.tokenizer, question)) for question in asked)
        new = {question: answer for question, answer in rights if answer is not None}
        for mutant in self.mutants if mutants is None else mutants:
            self.wrong[mutant.name].update(self.differing(mutant, new))
        self.right.update(new)
        return list(new)

    def differing(self, mutant: Mutant, right: Mapping[Question, Right]) -> Iterator[tuple[Question, Answer]]:
        """The questions that a mutant answers differently, with its answers."""
        built = self.built(mutant)
        for question, answer in right.items():
            if mutant.may_change(question):
                given = answer_of(imitate(built, question))
                if not allows(answer, given):
                    yield question, given

    def built(self, mutant: Mutant) -> Any:
        """The mutant's tokenizer, or where it cannot be built, a function that raises the same each time."""
        try:
            return self.tokenizer.with_behaviour(mutant.behaviour)
        except Exception:  # a quirk that does not fit the model may raise anything; so does every question then
            return partial(self.tokenizer.with_behaviour, mutant.behaviour)

    def drop(self, questions: Iterable[Question]) -> None:
        """Forget questions."""
        for question in questions:
            self.right.pop(question, None)
            for answers in self.wrong.values():
                answers.pop(question, None)
