"""Streams that are made for a model: one half with special tokens left out, the other with them shown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from tokparity.case import Case, Origin
from tokparity.generators import BLOCK
from tokparity.generators.id_streams import ORIGIN, prepare
from tokparity.generators.subject import Subject
from tokparity.questions import Stream

STREAMS = 1_000
"""How many a run puts."""

LONG = 2_000
"""Ids of the last stream, which are all the same: it shows whether the work for an id grows."""


def stream_cases(subject: Subject, seed: int, count: int) -> Iterator[Case[Stream]]:
    """`count` streams and a long one, which follow from the seed and their index alone."""
    draw = prepare(subject)
    for index in range(count):
        rng = random.Random(f"{ORIGIN}:{seed}:{index}")
        question = replace(draw(rng, index), skip_special=index // BLOCK % 2 == 0)
        yield Case(question, Origin("generator", ORIGIN, index, seed))
    if count:
        broken = next((i for i in subject.vocabulary.byte_ids if i is not None), len(subject.vocabulary) - 1)
        yield Case(Stream((broken,) * LONG), Origin("generator", ORIGIN, count, seed))
