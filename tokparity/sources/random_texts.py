"""Random texts that the generators make for a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from tokparity import generators
from tokparity.case import Origin, TextCase, text_case
from tokparity.generators import Prepared


def random_cases(names: Sequence[str], seed: int, count: int, prepared: Prepared) -> Iterator[TextCase]:
    """`count` generated texts, one of each generator (of all where none is named) in turn; special tokens in half."""
    each = [_generated(name, seed, prepared) for name in names or generators.names()]
    yield from islice((case for row in zip(*each, strict=True) for case in row), count if each else 0)


def _generated(name: str, seed: int, prepared: Prepared) -> Iterator[TextCase]:
    for index, text in enumerate(prepared.texts(name, seed)):
        yield text_case(text, add_special=index % 2 == 0, origin=Origin("generator", name, index, seed))
