"""For which characters an engine differs: it is run on each character, alone and between others.

The class of the failing characters is what separates them from the right ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.hypothesis import ids_by
from tokparity.diagnose.limits.families import SORTS
from tokparity.diagnose.limits.texts import FEW_EDGES, SORTING_ROUNDS
from tokparity.diagnose.separate.characters import members, universe
from tokparity.diagnose.separate.classes import CharacterClass, classes, telling
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer

_BETWEEN = ("{}", "a{}a", "1{}1", ".{}.", " {}a")

Otherwise = Callable[[Callable[[str], bool]], Tokenizer]
"""Of which characters it holds -> the model that is otherwise for these."""


def told(otherwise: Otherwise, asking: Asking) -> tuple[list[str], list[str]]:
    """The characters for which the engine always differs, and those for which it is known not to.

    First some of every class; then more of the sorts that tell them apart, and those between two that differ.
    """
    search = _OneByOne(otherwise, asking.with_flags(False, False))
    search.put(universe())
    for _ in range(SORTING_ROUNDS):
        sorts = sorts_of(search.done, search.spared) if search.done else []
        new = [c for sort in sorts for c in members(sort) if c not in search.tried]
        new += [c for c in search.between() if c not in search.tried]
        if not new or not search.put(new):
            break
    return search.done, search.spared


class _OneByOne:
    """What is known of characters so far."""

    def __init__(self, otherwise: Otherwise, asking: Asking) -> None:
        self._holding: set[str] = set()
        self._other, self._asking = otherwise(self._holding.__contains__), asking
        self.tried: set[str] = set()
        self.done: list[str] = []
        self.spared: list[str] = []

    def put(self, characters: Sequence[str]) -> bool:
        """Put more characters; whether anything came of it."""
        texts = {character: [between.format(character) for between in _BETWEEN] for character in characters}
        self._asking.allow(sum(map(len, texts.values())))
        self._asking.wrong([text for some in texts.values() for text in some])
        self.tried.update(characters)
        before = len(self.done) + len(self.spared)
        for character, some in texts.items():
            self._holding.clear()
            self._holding.add(character)
            seen = map(self._asking.seen.get, some)
            found = {is_so for one in seen if (is_so := _is_so(one, self._other)) is not None}
            if len(found) == 1:
                (self.done if found == {True} else self.spared).append(character)
        return len(self.done) + len(self.spared) > before

    def between(self) -> list[str]:
        """The characters halfway between adjacent ones that behave differently, if there are few such edges."""
        known = sorted([*((ord(c), True) for c in self.done), *((ord(c), False) for c in self.spared)])
        edges = [(one, other) for (one, a), (other, b) in pairwise(known) if a is not b and other - one > 1]
        middles = [(one + other) // 2 for one, other in edges] if len(edges) <= FEW_EDGES else []
        return [chr(point) for point in middles if not 0xD800 <= point < 0xE000]


def sorts_of(done: Collection[str], spared: Collection[str]) -> list[CharacterClass]:
    """The sorts of characters that hold for all that are done and for none that is spared, the most telling first."""
    found = telling(done, spared)
    some = [one for one in classes() if all(map(one.holds, done)) and not any(map(one.holds, spared))]
    return list({one.says: one for one in (*([found] if found else []), *some)[:SORTS]}.values())


def _is_so(seen: Observation | None, other: Tokenizer) -> bool | None:
    """Whether the ids are those of the other model, and not the right ones; None where that cannot be told."""
    if seen is None or not isinstance(seen.actual, Encoding) or not isinstance(seen.question, Encode):
        return None
    found = ids_by(other, seen.question)
    if found is None or tuple(found) == seen.ids or seen.actual.ids not in (tuple(found), seen.ids):
        return None
    return seen.actual.ids == tuple(found)
