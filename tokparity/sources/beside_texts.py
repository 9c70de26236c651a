"""What a run puts beside texts that are encoded and decoded, kind by kind."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, islice

from tokparity.generators import Prepared
from tokparity.questions import Again, Spans, Stream
from tokparity.sources.again import TEXTS_AGAIN, again_cases
from tokparity.sources.probes import probes
from tokparity.sources.random_texts import random_cases
from tokparity.sources.source import Listed
from tokparity.sources.spans import LONG, SPANS, long_cases, span_cases
from tokparity.sources.streams import STREAMS, stream_cases


def beside_texts(
    ask: Collection[str], made_for: Prepared, generators: Sequence[str], seed: int, step: int = 1
) -> list[Listed]:
    """The cases of the kinds that are asked, as far as they are not about texts alone; one of `step` of them."""
    found: list[Listed] = []
    if Stream.KIND in ask:
        found.append(Listed(stream_cases(made_for.subject, seed, STREAMS), STREAMS + 1))
    if Spans.KIND in ask:
        cases = chain(span_cases(made_for, seed, SPANS), long_cases(made_for, seed))
        found.append(Listed(cases, SPANS + len(LONG)))
    if Again.KIND in ask:
        texts = chain(probes(made_for.subject), random_cases(generators, seed, TEXTS_AGAIN, made_for))
        found.append(Listed(again_cases(texts, made_for.subject, seed)))
    every = ((islice(one.cases, 0, None, step), one.count) for one in found)
    return [Listed(cases, None if count is None else -(-count // step)) for cases, count in every]
