"""Cases in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from tokparity.case import AnyCase, LineCases

_CASES = 500
"""With few, an engine's lanes share the work evenly, and one slow text is seen among them."""

_LINES = 2000
"""A sweep has more batches than it has lanes, so only the cost of a batch counts."""

_BYTES = 200_000


def batches(cases: Iterable[AnyCase]) -> Iterator[list[AnyCase]]:
    """Cases with alike questions together, up to 500 of them or 200 KB; a larger one is a batch of its own."""
    open_batches: dict[tuple[object, ...], tuple[list[AnyCase], int]] = {}
    for case in cases:
        alike = case.question.alike
        batch, size = open_batches.get(alike, ([], 0))
        if batch and size + case.question.size > _BYTES:
            yield batch
            batch, size = [], 0
        batch.append(case)
        size += case.question.size
        if len(batch) == _CASES:
            yield batch
            batch, size = [], 0
        open_batches[alike] = batch, size
    yield from (batch for batch, _ in open_batches.values() if batch)


def batches_of_lines(texts: Mapping[bytes, int], name: str) -> Iterator[LineCases]:
    """The texts of a file in batches of the same size; the numbers are those of the lines on which they stand."""
    batch: list[bytes] = []
    size = 0
    numbers = iter(texts.values())
    for text in texts:
        if batch and (size + len(text) > _BYTES or len(batch) == _LINES):
            yield LineCases(name, batch, list(islice(numbers, len(batch))))
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield LineCases(name, batch, list(numbers))
