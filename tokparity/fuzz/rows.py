"""What a search puts beside texts: rows of ids (decoded, one after another, or encoded again), and texts with spans."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from tokparity.case import AnyCase, Case, Origin
from tokparity.generators import BLOCK, Prepared, id_streams
from tokparity.generators.id_sequences import ORIGIN, prepare
from tokparity.generators.subject import Subject
from tokparity.questions import Again, Decode, Spans, Stream
from tokparity.sources.again import known_ids, row_question
from tokparity.sources.spans import span_cases


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
        if kind == Spans.KIND:
            made = span_cases(self._prepared, self._seed, max(rows // BLOCK, 1) * BLOCK, self.made)
            parses = turn.random() < 0.25
            asked = ((replace(q.question, add_special=skip_special, parse_special=parses), q.origin) for q in made)
            cases += [Case(question, origin) for question, origin in asked]
            self.made += len(cases)
            return cases
        origin = id_streams.ORIGIN if kind == Stream.KIND else ORIGIN
        for _ in range(max(rows // BLOCK, 1)):
            rng = random.Random(f"{origin}:{self._seed}:{self.made // BLOCK}")
            for index in range(self.made, self.made + BLOCK):
                drawn = Origin("generator", origin, index, self._seed)
                cases.append(Case(self._question(kind, rng, index, skip_special), drawn))
            self.made += BLOCK
        return cases

    def _question(self, kind: str, rng: random.Random, index: int, skip_special: bool) -> Decode | Stream | Again:
        if kind == Stream.KIND:
            return replace(self._draw_stream(rng, index), skip_special=skip_special)
        if kind == Again.KIND:
            return row_question(self._draw, rng, index, self._known, shows=not skip_special)
        return Decode(self._draw(rng, index, ()), skip_special)

    @cached_property
    def _prepared(self) -> Prepared:
        return Prepared(self._subject)

    @cached_property
    def _known(self) -> Sequence[bool]:
        return known_ids(self._subject)

    @cached_property
    def _draw_stream(self) -> id_streams.Draw:
        return id_streams.prepare(self._subject)
