"""Texts and rows of ids that go through their text: encoded, decoded, encoded again."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from tokparity.case import AnyCase, Case, Origin, TextCase
from tokparity.generators import BLOCK
from tokparity.generators.id_sequences import ORIGIN, Draw, prepare
from tokparity.generators.subject import Subject
from tokparity.questions import Again

TEXTS_AGAIN = 1_000
"""How many texts a run puts, those of the probe set apart."""
ROWS = 500
"""How many rows of random ids a run puts."""


def again_cases(texts: Iterable[TextCase], subject: Subject, seed: int, rows: int = ROWS) -> Iterator[AnyCase]:
    """Each text, and `rows` rows of ids, which follow from the seed and their index alone.

    Every second text has its special tokens shown, and recognized again; nothing is added to it.
    """
    for index, case in enumerate(texts):
        shows = index % 2 == 1
        yield Case(Again(case.question.text, (), not shows, shows, not shows), case.origin)
    draw, known = prepare(subject), known_ids(subject)
    for index in range(rows):
        rng = random.Random(f"{ORIGIN}:again:{seed}:{index}")
        question = row_question(draw, rng, index, known, shows=index // BLOCK % 2 == 1)
        yield Case(question, Origin("generator", ORIGIN, index, seed))


def known_ids(subject: Subject) -> Sequence[bool]:
    """For each id whether the model has a piece for it."""
    return [bool(piece) for piece in subject.vocabulary.pieces]


def row_question(draw: Draw, rng: random.Random, index: int, known: Sequence[bool], shows: bool) -> Again:
    """A row of ids that the model has; special tokens are left out of its text, or shown and recognized again."""
    ids = tuple(i for i in draw(rng, index, ()) if 0 <= i < len(known) and known[i])
    return Again(None, ids, add_special=False, parse_special=shows, skip_special=not shows)
