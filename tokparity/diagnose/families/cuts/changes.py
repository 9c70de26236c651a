"""Changes of where words are cut: a cut is missing, added or moved, between characters of certain classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tokparity.diagnose.separate.classes import CharacterClass

Cuts = frozenset[int]
"""Before which characters of a text words begin, but for the first."""


@dataclass(frozen=True)
class CutChange:
    """How an engine cuts some adjacent characters, and how it should: cut or not cut between each two."""

    right: tuple[bool, ...]
    engine: tuple[bool, ...]

    @property
    def says(self) -> str:
        """In words that follow "the model", with the sorts of the characters to be filled in."""
        does = "does not cut words" if self._taken else "cuts words"
        if len(self.right) == 1:
            return f"that {does} between {{0}} and {{1}}"
        if self.right[0] != self.engine[0] and self.right[1] != self.engine[1]:
            behind, before = "behind {1} and not before it", "before {1} and not behind it"
            return f"that cuts words {behind if self.engine[1] else before}, where it stands between {{0}} and {{2}}"
        first = self.right[0] != self.engine[0]
        return (
            f"that {does} between {{0}} and {{1}} before {{2}}"
            if first
            else f"that {does} between {{1}} and {{2}} behind {{0}}"
        )

    @property
    def _taken(self) -> bool:
        """Whether what changes is that a cut is missing."""
        return any(cut and not also for cut, also in zip(self.right, self.engine, strict=True))

    def applied(self, sorts: Sequence[CharacterClass], text: str, words: Sequence[str]) -> list[str]:
        """The words of a text after this change, wherever such characters are."""
        cuts = cuts_of(words)
        size, new = len(sorts), set(cuts)
        for at in range(len(text) - size + 1):
            inner = range(at + 1, at + size)
            is_so = tuple(place in cuts for place in inner) == self.right
            if is_so and all(sort.holds(text[at + i]) for i, sort in enumerate(sorts)):
                for place, cut in zip(inner, self.engine, strict=True):
                    (new.add if cut else new.discard)(place)
        return words_of(text, frozenset(new))


def changes_at(place: int, right: Cuts) -> Iterator[tuple[CutChange, int]]:
    """Yield each change that may explain a wrong cut or a missing cut at a place.

    These are: only this cut differs, the cut moved by one character, or it differs only beside a certain third
    character.
    """
    cut, before, behind = (p in right for p in (place, place - 1, place + 1))
    yield CutChange((cut,), (not cut,)), place
    if cut != behind:
        yield CutChange((cut, behind), (behind, cut)), place
    if cut != before:
        yield CutChange((before, cut), (cut, before)), place - 1
    yield CutChange((before, cut), (before, not cut)), place - 1
    yield CutChange((cut, behind), (not cut, behind)), place


def cuts_of(words: Sequence[str]) -> Cuts:
    """Where words begin."""
    return frozenset(accumulate(map(len, words[:-1]))) - {0}


def words_of(text: str, cuts: Cuts) -> list[str]:
    """The words of a text that is cut so."""
    places = [0, *sorted(cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]
