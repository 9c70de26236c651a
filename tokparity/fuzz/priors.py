"""Priors: what is known of each engine, which grows from model to model, is what the next diagnosis tries first.

Engines deviate in the same ways on model after model. So the known ways are tried first, and all quirks are searched
only for mismatches that these do not explain.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from tokparity import quirks
from tokparity.diagnose import Base, Limits, causes_of, diagnose
from tokparity.finding import Control, Mismatch

LIMITS = Limits(work=4_000_000, seconds=30.0)
"""The diagnosis of one aspect of an engine on one model does at most this much work (a unit is about a microsecond),
and ends after this many seconds."""

DIAGNOSED = 160
"""A diagnosis is given at most this many mismatches of an engine on one model; what it finds is tried on all others."""

_SEARCHES = 10
"""After this many models on which a search of all quirks left a kind of mismatch unexplained, only known ones are
tried for it."""

Names = tuple[str, ...]


@dataclass(frozen=True)
class Explained:
    """Sets of quirks that explain an engine on one model (`sets`), and each mismatch's own (`causes`, in their order).

    A mismatch that nothing explains has an empty cause.
    """

    sets: tuple[Names, ...]
    causes: tuple[Names, ...]

    @property
    def is_everything(self) -> bool:
        """Whether every mismatch has a cause."""
        return all(self.causes)

    def plus(self, base: Base, mismatches: Sequence[Mismatch], sets: Iterable[Names]) -> Explained:
        """This and more sets: of several quirks that explain a mismatch, the one that explains most is the likeliest.

        What no mismatch needs then is left out.
        """
        every = tuple(dict.fromkeys([*self.sets, *sets]))
        alone = _most_explaining(base, varied(mismatches, DIAGNOSED), every)
        causes = causes_of(base, [*alone, *every], mismatches)
        used = Counter(filter(None, causes))
        return Explained(tuple(cause for cause in dict.fromkeys([*alone, *used]) if used[cause]), tuple(causes))

    def explained(self, mismatches: Sequence[Mismatch]) -> list[Mismatch]:
        """Those of the mismatches that have a cause."""
        return [mismatch for mismatch, cause in zip(mismatches, self.causes, strict=True) if cause]

    def left(self, mismatches: Sequence[Mismatch]) -> list[Mismatch]:
        """Those of the mismatches that nothing explains."""
        return [mismatch for mismatch, cause in zip(mismatches, self.causes, strict=True) if not cause]


class Priors:
    """The quirks that each engine showed on the models so far."""

    def __init__(self) -> None:
        self._known: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._in_vain: Counter[tuple[str, str, bool]] = Counter()

    def known(self, engine: str) -> list[str]:
        """The quirks that the engine is known to have, the commonest first."""
        return [name for name, _ in self._known[engine].most_common()]

    def explain(
        self,
        base: Base,
        mismatches: Sequence[Mismatch],
        controls: Sequence[Control],
        before: Explained | None = None,
    ) -> Explained:
        """Explain one engine's mismatches on one model: by what is known of it, by all quirks where that does not do.

        What is known may be in the way of a quirk that it is like; so what is left is searched once more without it.
        `before` is what explained some of the mismatches when less was known; it is kept, and added to.
        """
        engine = mismatches[0].engine
        known = self.known(engine)
        found = before or Explained((), ((),) * len(mismatches))
        if known and not found.is_everything:
            some = varied(mismatches, DIAGNOSED)
            found = found.plus(base, mismatches, _diagnosed(base, some, controls, known, known))
        left = found.left(mismatches)
        again = before is not None
        if any(self._in_vain[engine, mismatch.kind, again] < _SEARCHES for mismatch in left):
            every = tuple(dict.fromkeys([*known, *quirks.names()]))
            some = [*varied(left, DIAGNOSED // 2), *varied(found.explained(mismatches), DIAGNOSED // 2)]
            found = found.plus(base, mismatches, _diagnosed(base, some, controls, every, known))
            left = varied(found.left(mismatches), DIAGNOSED)
            if left:
                found = found.plus(base, mismatches, _diagnosed(base, left, controls, every, ()))
            self._in_vain.update({(engine, mismatch.kind, again) for mismatch in found.left(mismatches)})
        self._known[engine].update(name for cause in found.causes for name in cause)
        return found


def _most_explaining(base: Base, mismatches: Sequence[Mismatch], sets: Sequence[Names]) -> list[Names]:
    """Each quirk of the sets alone, the one that reproduces most of the mismatches first."""
    alone: list[Names] = list(dict.fromkeys((name,) for names in sets for name in names))
    explains = {one: sum(map(bool, causes_of(base, [one], mismatches))) for one in alone}
    return sorted(alone, key=lambda one: -explains[one])


def _diagnosed(
    base: Base,
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    among: Iterable[str],
    known: Collection[str],
) -> list[Names]:
    """The sets of quirks that explain mismatches; of several that do the same on this model, the first of `among`."""
    every = [quirks.get(name) for name in among]
    explanations = diagnose([base], mismatches, controls, every, limits=LIMITS, known=known)
    return [explanation.quirks for explanation in explanations if explanation.quirks]


def varied(mismatches: Sequence[Mismatch], most: int) -> list[Mismatch]:
    """At most this many of the mismatches, of each kind by turns, the shortest texts first."""
    kinds: defaultdict[str, list[Mismatch]] = defaultdict(list)
    for mismatch in sorted(mismatches, key=lambda m: m.case.question.order):
        kinds[mismatch.kind].append(mismatch)
    by_turns = chain.from_iterable(zip_longest(*(kinds[name] for name in sorted(kinds))))
    return [mismatch for mismatch in by_turns if mismatch is not None][:most]
