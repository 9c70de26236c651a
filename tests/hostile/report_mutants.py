"""Mutators of a report: of its bytes, and of one line as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.hostile.blind import BLIND
from tests.hostile.json_mutants import odd_values, other_keys

Mutator = Callable[[bytes, Random], bytes]


def _of_one_line(mutate: Mutator) -> Mutator:
    def mutated(data: bytes, random: Random) -> bytes:
        lines = data.splitlines(keepends=True)
        place = random.randrange(len(lines))
        return b"".join([*lines[:place], mutate(lines[place], random).rstrip(b"\n") + b"\n", *lines[place + 1 :]])

    mutated.__name__ = mutate.__name__
    return mutated


REPORT: Sequence[Mutator] = (*BLIND, *map(_of_one_line, (odd_values, other_keys) * 4))
