"""Decoding under test: rows of ids that were not made by encoding a text."""

from __future__ import annotations

import random

from tokparity.case import Case, Origin
from tokparity.generators import BLOCK
from tokparity.generators.id_sequences import ORIGIN, prepare
from tokparity.generators.subject import Subject
from tokparity.questions import Decode


class Rows:
    """Rows of ids for one model, in blocks of 64; `made` counts them. They follow from the seed and `made` alone."""

    def __init__(self, subject: Subject, seed: int) -> None:
        self.made = 0
        self._draw = prepare(subject)
        self._seed = seed

    def next(self, rows: int) -> list[Case[Decode]]:
        """About this many cases, a whole number of blocks; special tokens are skipped in about half of the turns."""
        cases: list[Case[Decode]] = []
        blocks = max(rows // BLOCK, 1)
        # Turns are of any number of blocks, so to skip them at every other block may be to skip them always.
        skip_special = random.Random(f"{ORIGIN}:skip_special:{self._seed}:{self.made // BLOCK}").random() < 0.5
        for _ in range(blocks):
            rng = random.Random(f"{ORIGIN}:{self._seed}:{self.made // BLOCK}")
            for index in range(self.made, self.made + BLOCK):
                origin = Origin("generator", ORIGIN, index, self._seed)
                cases.append(Case(Decode(self._draw(rng, index, ()), skip_special), origin))
            self.made += BLOCK
        return cases
