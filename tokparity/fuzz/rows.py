"""Rows of ids under test that were not made by encoding a text: decoded at once, or one after another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from tokparity.case import AnyCase, Case, Origin
from tokparity.generators import BLOCK, id_streams
from tokparity.generators.id_sequences import ORIGIN, prepare
from tokparity.generators.subject import Subject
from tokparity.questions import Decode, Stream


class Rows:
    """Rows of ids for one model, in blocks of 64; `made` counts them. They follow from the seed and `made` alone.

    `kinds` are those of the questions, in turn.
    """

    def __init__(self, subject: Subject, seed: int, kinds: Sequence[str] = (Decode.KIND,)) -> None:
        self.made = 0
        self._subject, self._seed, self._kinds = subject, seed, kinds
        self._draw = prepare(subject)

    def next(self, rows: int) -> list[AnyCase]:
        """About this many cases, a whole number of blocks; special tokens are skipped in about half of the turns."""
        cases: list[AnyCase] = []
        # Turns are of any number of blocks, so to skip them at every other block may be to skip them always.
        turn = random.Random(f"{ORIGIN}:skip_special:{self._seed}:{self.made // BLOCK}")
        skip_special = turn.random() < 0.5
        kind = self._kinds[turn.randrange(len(self._kinds))]
        origin = ORIGIN if kind == Decode.KIND else id_streams.ORIGIN
        for _ in range(max(rows // BLOCK, 1)):
            rng = random.Random(f"{origin}:{self._seed}:{self.made // BLOCK}")
            for index in range(self.made, self.made + BLOCK):
                question = self._question(kind, rng, index)
                drawn = Origin("generator", origin, index, self._seed)
                cases.append(Case(replace(question, skip_special=skip_special), drawn))
            self.made += BLOCK
        return cases

    def _question(self, kind: str, rng: random.Random, index: int) -> Decode | Stream:
        return Decode(self._draw(rng, index, ())) if kind == Decode.KIND else self._draw_stream(rng, index)

    @cached_property
    def _draw_stream(self) -> id_streams.Draw:
        return id_streams.prepare(self._subject)
