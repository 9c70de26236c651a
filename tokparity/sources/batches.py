"""The cases of a run, in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from tokparity import generators
from tokparity.errors import MissingDependencyError
from tokparity.generators.subject import Subject
from tokparity.outcome import Case
from tokparity.sources import corpus

_CASES = 2000
_BYTES = 200_000
_LONG_BYTES = 20_000
"""Of the corpora of very long texts, what a run takes that was not asked for them: all of them are 29 MB per engine."""
_EVERY = {"cldr": 16, "emoji": 8, "unicode": 4}
"""Of the large generated corpora, a run that was not asked for them takes every n-th case, this n."""


def batches(cases: Iterable[Case]) -> Iterator[list[Case]]:
    """Cases with equal flags together, up to 2,000 of them or 200 KB; a longer text is a batch of its own."""
    open_batches: dict[tuple[bool, bool], tuple[list[Case], int]] = {}
    for case in cases:
        flags = case.add_special, case.parse_special
        batch, size = open_batches.get(flags, ([], 0))
        if batch and size + len(case.text) > _BYTES:
            yield batch
            batch, size = [], 0
        batch.append(case)
        size += len(case.text)
        if len(batch) == _CASES:
            yield batch
            batch, size = [], 0
        open_batches[flags] = batch, size
    yield from (batch for batch, _ in open_batches.values() if batch)


class CorpusCases:
    """The cases of these corpora; of all where none is named, but then only a sample of the largest.

    Our own corpora are read once, for all models; the user's files, which may be large, anew each time.
    `skipped` says which of the corpora that nobody named could not be made here, and why.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.skipped: dict[str, str] = {}
        ours = set(names) <= set(corpus.names())
        self._kept = list(self._read()) if ours else None

    def __iter__(self) -> Iterator[Case]:
        return self._read() if self._kept is None else iter(self._kept)

    @property
    def count(self) -> int | None:
        """How many they are; None where that is not known before they are read."""
        return None if self._kept is None else len(self._kept)

    def _read(self) -> Iterator[Case]:
        for name in self._names or corpus.names():
            try:
                cases = corpus.load(name)
                yield from cases if self._names else _sample(name, cases)
            except MissingDependencyError as error:
                if self._names:
                    raise
                self.skipped[name] = str(error)


def _sample(name: str, cases: Iterable[Case]) -> Iterator[Case]:
    """What a run takes of a corpus that nobody named."""
    few = islice(cases, 0, None, _EVERY.get(name, 1))
    return (case for case in few if name not in corpus.LONG or len(case.text) <= _LONG_BYTES)


def random_cases(names: Sequence[str], seed: int, count: int, subject: Subject) -> Iterator[Case]:
    """`count` generated texts, one of each generator (of all where none is named) in turn; special tokens in half."""
    each = [_generated(name, seed, subject) for name in names or generators.names()]
    yield from islice((case for row in zip(*each, strict=True) for case in row), count if each else 0)


def _generated(name: str, seed: int, subject: Subject) -> Iterator[Case]:
    for index, text in enumerate(generators.texts(name, seed, subject)):
        yield Case(text, add_special=index % 2 == 0, origin=f"{name}:{seed}:{index}")
