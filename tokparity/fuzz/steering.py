"""Which texts to make next: generators that bring something new get more room, texts that did are grown further.

Everything follows from the seed and from what was learned of the batches before, in their order: the same seed makes
the same texts again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokparity.case import Case, Origin, TextCase
from tokparity.errors import FormatError
from tokparity.fuzz.state import AGAIN, SteeringState
from tokparity.generators import BLOCK, prepared
from tokparity.generators.characters import pick
from tokparity.generators.origins import DEEPEST, GROWN, grow, grown, text_of
from tokparity.generators.subject import Subject
from tokparity.questions import Encode

BLOCKS = 32
"""Blocks in a batch, so 2,048 cases."""

_FLAGS = ((True, True), (True, False), (False, False), (False, True), (True, False), (False, False))
"""(add_special, parse_special) of one batch after the other; the first shows most."""

_FAVOURED_WHEN_PARSING = "special_tokens"
_AT_ONCE = "custom_texts"
_AT_ONCE_PLANS, _QUICK_PLANS = 2, 4
_SLOWLY = ("joints", "pretokeniser_samples", "ties")
"""What sorts all pieces first: a second with the largest vocabularies, in which a plain fault is already found."""

_POOL = 2000
_LEAST = 0.1
"""Weight of a generator that brings nothing: it might still."""

_MEMORY = 0.85
"""How much of a generator's yield so far counts when a new block has been judged."""


@dataclass(frozen=True)
class Plan:
    """What a batch is made of: (generator, number of its block), and the cases that came of it."""

    blocks: tuple[tuple[str, int], ...]
    cases: tuple[TextCase, ...]


class Steering:
    """Plans batches for one model and learns from what they brought.

    The pool holds texts that reached something new, as (origin, text); `GROWN` makes mutations of them.
    """

    def __init__(self, subject: Subject, names: Sequence[str], seed: int) -> None:
        self._subject = subject
        self._generators = prepared(subject.vocabulary, subject.behaviour)
        self._seed = seed
        self._names = (*names, *([GROWN] if "mutations" in names else []))
        self._own = tuple(names)
        self._next = dict.fromkeys(self._names, 0)
        self._yield = dict.fromkeys(self._names, 1.0)
        self._pool: list[tuple[Origin, bytes]] = []
        self._pooled = 0
        self._planned = 0

    def plan(self) -> Plan:
        """The next batch. The first few hold a block of each generator, so that a plain fault shows at once."""
        rng = random.Random(f"steering:{self._seed}:{self._planned}")
        add_special, parse_special = _FLAGS[self._planned % len(_FLAGS)]
        names = self._first() if self._planned < len(_FLAGS) else self._drawn(rng, parse_special)
        self._planned += 1
        blocks: list[tuple[str, int]] = []
        cases: list[TextCase] = []
        for name in names:
            number = self._next[name]
            self._next[name] += 1
            blocks.append((name, number))
            block = self._block(rng, name, number)
            cases += [Case(Encode(text, add_special, parse_special), origin) for origin, text in block]
        return Plan(tuple(blocks), tuple(cases))

    def learn(self, plan: Plan, fresh: Iterable[int], kinds: Iterable[int]) -> None:
        """Take note of the cases that reached something new, and of those that showed a new kind of mismatch."""
        gains = [0.0] * len(plan.blocks)
        for index in fresh:
            gains[index // BLOCK] += 1 / BLOCK
            self._keep(plan.cases[index])
        for index in kinds:
            gains[index // BLOCK] += 0.5
            self._keep(plan.cases[index])
        for (name, _), gain in zip(plan.blocks, gains, strict=True):
            self._yield[name] = _MEMORY * self._yield[name] + (1 - _MEMORY) * min(gain, 1.0)

    def state(self) -> SteeringState:
        """All that is needed to go on later; texts are made again from their origins."""
        pool = tuple(str(origin) for origin, _ in self._pool)
        return SteeringState(dict(self._next), dict(self._yield), pool, self._pooled, self._planned)

    def restore(self, state: SteeringState) -> None:
        """Go on from a state; the texts of its pool are made again from their origins."""
        self._next.update({name: state.next[name] for name in self._next if name in state.next})
        self._yield.update({name: state.gains[name] for name in self._yield if name in state.gains})
        origins = [Origin.parse(origin) for origin in state.pool[:_POOL]]
        if deep := [origin for origin in origins if origin.depth > DEEPEST]:
            raise FormatError(
                f"the stored recipe of a text, {str(deep[0])!r:.100}, has more than {DEEPEST} steps", AGAIN
            )
        self._pool = [(origin, text_of(origin, self._subject)) for origin in origins]
        self._pooled = state.pooled
        self._planned = state.planned

    def _first(self) -> list[str]:
        """A block of each generator; at the very start only of those that need no long preparation."""
        if self._planned < _AT_ONCE_PLANS and _AT_ONCE in self._own:
            return [_AT_ONCE]
        quick = [name for name in self._own if name not in _SLOWLY]
        return quick if self._planned < _QUICK_PLANS and quick else list(self._own)

    def _drawn(self, rng: random.Random, parse_special: bool) -> list[str]:
        """The generators of a batch, drawn by what they brought lately."""
        names = [name for name in self._names if name != GROWN or self._pool]
        weights = [_LEAST + self._yield[name] for name in names]
        if parse_special and _FAVOURED_WHEN_PARSING in names:
            weights[names.index(_FAVOURED_WHEN_PARSING)] += 2 * sum(weights)
        total = sum(weights)
        return [_weighted(rng.random() * total, names, weights) for _ in range(BLOCKS)]

    def _block(self, rng: random.Random, name: str, number: int) -> list[tuple[Origin, bytes]]:
        """(origin, text) of each text of a block."""
        if name != GROWN:
            texts = self._generators.block(name, self._seed, number)
            first = number * BLOCK
            return [(Origin("generator", name, first + i, self._seed), text) for i, text in enumerate(texts)]
        found = []
        for i in range(BLOCK):
            parent, text = pick(rng, self._pool)
            origin = grown(parent, self._seed, number * BLOCK + i)
            found.append((origin, grow(origin, text, self._subject)))
        return found

    def _keep(self, case: TextCase) -> None:
        """Put a text into the pool, in the place of the oldest when it is full."""
        if case.origin.depth >= DEEPEST:
            return
        entry = case.origin, case.question.text
        if len(self._pool) < _POOL:
            self._pool.append(entry)
        else:
            self._pool[self._pooled % _POOL] = entry
        self._pooled += 1


def _weighted(at: float, names: Sequence[str], weights: Sequence[float]) -> str:
    for name, weight in zip(names, weights, strict=True):
        at -= weight
        if at < 0:
            return name
    return names[-1]
