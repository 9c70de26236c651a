"""Which quirks are planted in which tokenizer, and which of them cannot change anything there, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokparity import generators, models
from tokparity.behaviour import Behaviour
from tokparity.case import TextCase
from tokparity.fuzz.steering import Steering
from tokparity.generators.subject import Subject
from tokparity.quirks.seen_vocabulary import SeenAs
from tokparity.reference.tokenizer import Tokenizer

if TYPE_CHECKING:
    from tokparity.quirk import Quirk

TOYS = "toys"
"""Each quirk on the toy model of its own witness."""

_TRIED = 2000
"""Texts by which it is seen which fields of a behavior are read at all."""


@dataclass(frozen=True)
class Planted:
    """A quirk and the tokenizer that is to be flipped; `inert` is why it cannot change anything there, or ""."""

    quirk: Quirk
    tokenizer: Tokenizer
    inert: str = ""


def planted(name: str, chosen: Sequence[Quirk]) -> Iterator[Planted]:
    """The quirks in a model, or each in the toy model that shows it."""
    if name == TOYS:
        for quirk in chosen:
            if quirk.witness is not None:
                witness = quirk.witness()
                yield Planted(quirk, Tokenizer(witness.vocabulary, witness.behaviour))
        return
    source = models.primary_source(models.resolve(name))
    tokenizer = Tokenizer(source.vocabulary, source.behaviour)
    read = _fields_read(tokenizer)
    for quirk in chosen:
        yield Planted(quirk, tokenizer, _inert(quirk, tokenizer, read))


def _inert(quirk: Quirk, tokenizer: Tokenizer, read: set[str]) -> str:
    """Why the quirk cannot change anything in the tokenizer; "" where it might."""
    flipped = quirk.flip(tokenizer.behaviour)
    if flipped == tokenizer.behaviour:
        return "the behavior is the same"
    if quirk.field not in read:
        return f"its field is not read ({_TRIED} cases)"
    value = getattr(flipped, quirk.field)
    if isinstance(value, SeenAs) and value.change(tokenizer.vocabulary) == tokenizer.vocabulary:
        return "the vocabulary is seen as it is"
    return ""


def _fields_read(tokenizer: Tokenizer) -> set[str]:
    """The fields that the tokenizer looks at for some text: a quirk on any other cannot change a thing."""
    seen: set[str] = set()

    class Watched(Behaviour):
        def __getattribute__(self, name: str) -> Any:
            seen.add(name)
            return super().__getattribute__(name)

    values = {name: getattr(tokenizer.behaviour, name) for name in Behaviour.__dataclass_fields__}
    behaviour, hiding = Watched(**values), Watched(**values | {"skip_special": True})
    vocabulary = tokenizer.vocabulary
    watched = Tokenizer(vocabulary, behaviour)
    seen.clear()  # a tokenizer compares all fields with those of its relatives
    behaviour.segment(vocabulary, behaviour)
    for normalized in (False, True):
        behaviour.match_added(vocabulary, behaviour, normalized)
    for question in (case.question for case in _cases(tokenizer)):
        ids = watched.encode(question.text, question.add_special, question.parse_special)
        for shown in (behaviour, hiding):
            shown.decode(vocabulary, shown, ids)
    return seen


def _cases(tokenizer: Tokenizer) -> Iterator[TextCase]:
    """The first texts of a search."""
    steering = Steering(Subject(tokenizer.vocabulary, tokenizer.behaviour), generators.names(), 0)
    tried = 0
    while tried < _TRIED:
        cases = steering.plan().cases
        tried += len(cases)
        yield from cases
