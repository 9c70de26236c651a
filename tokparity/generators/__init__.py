"""Generators: one module per family of generated texts.

A generator module has `NAME` (as on the command line), `TITLE` (one line) and `prepare(subject) -> Draw`. A Draw makes
one text of a `random.Random` and the index of the text; families that enumerate something go by the index. A new
generator is a new file here, nothing else.

Texts come in blocks of 64, each with a seed of its own: "NAME:SEED:INDEX" is enough to make any text again at once.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import count
from typing import Protocol, cast
from weakref import WeakValueDictionary

from tokparity.behaviour import Behaviour
from tokparity.errors import UsageError, nearest
from tokparity.generators.subject import Subject
from tokparity.vocabulary import Vocabulary

BLOCK = 64
"""Texts in a block."""

_BLOCKS_KEPT = 128
"""Of one model: each attack of a diagnosis asks for the same ones again."""

SEED_STEP = 1_000_003
"""How much further on another seed enters an enumeration."""

Draw = Callable[[random.Random, int], bytes]
"""(source of randomness, index of the text) -> the text."""


class Generator(Protocol):
    """The interface of a generator's module in this folder."""

    NAME: str
    TITLE: str

    def prepare(self, subject: Subject) -> Draw:
        """Examine the model once, and return a generator of texts for it."""


@cache
def modules() -> Mapping[str, Generator]:
    """Every generator by name, found by listing this folder."""
    found: dict[str, Generator] = {}
    for entry in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{entry.name}")
        if hasattr(module, "NAME"):
            found[module.NAME] = cast(Generator, module)
    return found


def names() -> tuple[str, ...]:
    """The names of all generators, sorted."""
    return tuple(sorted(modules()))


def get(name: str) -> Generator:
    """The generator called `name`; UsageError with the nearest name if there is none."""
    try:
        return modules()[name]
    except KeyError:
        hint = nearest(name, names(), f"known generators: {', '.join(names())}")
        raise UsageError(f"unknown generator {name!r}", hint) from None


def texts(name: str, seed: int, subject: Subject, start: int = 0) -> Iterator[bytes]:
    """The endless stream of a generator's texts, from index `start` on."""
    return Prepared(subject).texts(name, seed, start)


class Prepared:
    """The generators of one model; each looks it over once, when it is first asked for texts."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.block: Callable[[str, int, int], Sequence[bytes]]
        """The 64 texts of one block of a generator, from its name, the seed and the block's number."""
        self.block = lru_cache(_BLOCKS_KEPT)(partial(_block, subject, {}))

    def texts(self, name: str, seed: int, start: int = 0) -> Iterator[bytes]:
        """The endless stream of a generator's texts, from index `start` on."""
        for number in count(start // BLOCK):
            made = self.block(name, seed, number)
            yield from made[start - number * BLOCK if number == start // BLOCK else 0 :]


def _block(subject: Subject, draws: dict[str, Draw], name: str, seed: int, number: int) -> Sequence[bytes]:
    if name not in draws:
        draws[name] = get(name).prepare(subject)
    draw = draws[name]
    rng = random.Random(f"{name}:{seed}:{number}")  # a str is hashed with SHA-512: the same on every platform
    first = number * BLOCK + seed * SEED_STEP
    return tuple(draw(rng, first + i) for i in range(BLOCK))


_PREPARED: WeakValueDictionary[tuple[int, int], Prepared] = WeakValueDictionary()


def prepared(vocabulary: Vocabulary, behaviour: Behaviour) -> Prepared:
    """The generators of a model. All callers get the same generators as long as one caller holds them."""
    key = id(vocabulary), id(behaviour)  # they are held as long as the generators are, so nothing else has these ids
    if (known := _PREPARED.get(key)) is None:
        known = _PREPARED.setdefault(key, Prepared(Subject(vocabulary, behaviour)))
    return known
