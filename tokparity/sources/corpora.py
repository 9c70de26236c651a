"""The corpora of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from tokparity.case import TextCase
from tokparity.errors import MissingDependencyError
from tokparity.sources import corpus

_LONG_BYTES = 20_000
"""Of the corpora of very long texts, what a run takes that was not asked for them: all of them are 29 MB per engine."""
_EVERY = {
    "cldr": 16, "emoji": 8, "invalid_utf8": 1, "special_tokens": 5, "unicode": 4, "unusual_code_points": 1,
    "whitespace": 1,
}  # fmt: skip
"""Of the large corpora, a run that was not asked for them takes every n-th case, this n. The tokens that a model has
are in its probe set, and in random texts."""
_LEAST = 100
"""Cases of such a corpus that a run with few random texts takes at least."""


class CorpusCases:
    """The cases of these corpora; of all where none is named, but then only a sample of the largest. None: no cases.

    A run of fewer random texts than usual, its `share`, takes so much less of the large ones, down to `_LEAST` cases.
    Our own corpora are read once, for all models; the user's files, which may be large, anew each time.
    `skipped` says which of the corpora that nobody named could not be made here, and why.
    """

    def __init__(self, names: Sequence[str] | None, share: float = 1.0) -> None:
        self._names = names or ()
        self.skipped: Mapping[str, str] = {}
        self._kept: Sequence[TextCase] | None = None
        if names is None:
            self._kept = ()
        elif not names:
            self._kept, self.skipped = samples(share)
        elif {*names} <= {*corpus.names()}:
            self._kept = [*self._read()]

    def __iter__(self) -> Iterator[TextCase]:
        return self._read() if self._kept is None else iter(self._kept)

    @property
    def count(self) -> int | None:
        """How many they are; None where that is not known before they are read."""
        return None if self._kept is None else len(self._kept)

    def _read(self) -> Iterator[TextCase]:
        for name in self._names:
            yield from corpus.load(name)


@lru_cache(maxsize=2)
def samples(share: float) -> tuple[Sequence[TextCase], Mapping[str, str]]:
    """What a run takes that was not asked for any, and why of some there is nothing."""
    found: list[TextCase] = []
    skipped: dict[str, str] = {}
    for name in corpus.names():
        try:
            found += _sample(name, corpus.load(name), share)
        except MissingDependencyError as error:
            skipped[name] = str(error)
    return found, skipped


def _sample(name: str, cases: Iterable[TextCase], share: float) -> Iterator[TextCase]:
    """What a run takes of a corpus that nobody named."""
    if name in _EVERY:
        every = list(islice(cases, 0, None, _EVERY[name]))
        cases = islice(every, 0, None, max(round(len(every) / max(share * len(every), _LEAST)), 1))
    return (case for case in cases if name not in corpus.LONG or len(case.question.text) <= _LONG_BYTES)
