"""Models with a known quirk that appears only in some texts or words, or for some characters.

Where a quirk would change an answer, the engine's answer shows whether the quirk acts there. The condition is what
separates places where it acts from those where it does not. More texts are run to find the exact edge.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial

from tokparity.behaviour import Stage
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.conditions.on_characters import conditional_characters
from tokparity.diagnose.families.conditions.partly import Partly, partly
from tokparity.diagnose.families.scores import joined_pieces
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.limits.families import FEW_PROBES, FEWEST, FEWEST_FOR_A_NUMBER, SEEN
from tokparity.diagnose.limits.texts import EDGE_LENGTHS, EDGE_PLACES, EDGE_ROUNDS, EDGE_TEXTS, QUIRK_SHOWING
from tokparity.diagnose.reduce import reduced
from tokparity.diagnose.separate.conditions import MEASURES, Condition, Place, between, conditions
from tokparity.diagnose.word_by_word import WordByWord
from tokparity.questions import Encode
from tokparity.quirk import Quirk
from tokparity.quirks import all_quirks, get


class Conditional:
    """The quirks that an engine may have in part, as its mismatches show; looked for when they are first asked for.

    Those that are `spoiling` it can only have in part: as they are, they change what it answered rightly. Those that
    are `nearest` give nearly all of its wrong answers, and are tried first.
    """

    def __init__(
        self,
        base: Base,
        failing: Sequence[Observation],
        spoiling: Collection[tuple[str, ...]] = (),
        nearest: Collection[str] = (),
    ) -> None:
        self._base, self._spoiling, self._nearest = base, spoiling, nearest
        self._found: dict[str, list[Variant]] = {}
        # Small ones, which show one thing each, but not all from the same end.
        self._failing = [seen for seen in failing if isinstance(seen.question, Encode)]
        self._some = self._failing[: QUIRK_SHOWING * 4 : 4]

    @cached_property
    def _quirks(self) -> Sequence[Quirk]:
        shown = list(_showing(self._some, self._base)) if self._some else []
        nearest = [get(name) for name in self._nearest]
        return [*nearest, *(quirk for quirk in shown if quirk.name not in self._nearest)]

    def nearest(self, facts: Facts) -> Iterator[Variant]:
        """The model with each of the nearest quirks as it is: no simpler cause gives the same answers."""
        yield from self._as_they_are(facts, self._searches([get(name) for name in self._nearest], facts))

    def variants(self, facts: Facts) -> Iterator[Variant]:
        """The model with each quirk as it is, then with each quirk under a condition that fits all observations."""
        searches = self._searches(self._quirks, facts)
        yield from self._as_they_are(facts, searches)
        for quirk, search in searches:
            if not facts.asking.can:
                return
            if quirk.field == "normalise":
                yield from self._on_characters(quirk, facts)
            yield from search.variants(quirk)

    def _searches(self, quirks: Sequence[Quirk], facts: Facts) -> list[tuple[Quirk, _Places]]:
        words = WordByWord(self._base)
        every = [(quirk, partly(quirk, self._base, words)) for quirk in quirks]
        return [
            (quirk, _Places(found, facts, self._looked_at(quirk, facts))) for quirk, found in every if found is not None
        ]

    def _looked_at(self, quirk: Quirk, facts: Facts) -> list[Observation]:
        """What is looked at for the places where it shows; all that is right, where nearly all mismatches show it.

        Also what another cause explains: a condition that it contradicts is none.
        """
        right = facts.right if quirk.name in self._nearest else facts.right[:SEEN]
        return [*facts.failing[:SEEN], *self._failing[:SEEN], *right]

    def _as_they_are(self, facts: Facts, searches: Sequence[tuple[Quirk, _Places]]) -> Iterator[Variant]:
        """Those that nothing that was seen contradicts: another fault is about, so that the catalog's search refused
        them. What comes to the same everywhere is one variant."""
        alike: dict[tuple[Place, ...], list[tuple[Quirk, _Places]]] = {}
        for quirk, search in searches:
            if (quirk.name,) not in self._spoiling and (places := search.everywhere) is not None:
                alike.setdefault(places, []).append((quirk, search))
        texts = joined_pieces(self._base) if alike else []
        for places, same in sorted(alike.items(), key=lambda found: -len(found[0])):
            says = "with " + ", or with ".join(quirk.name for quirk, _ in same)
            says += ", which comes to the same here" if len(same) > 1 else ""
            probes = [*(place.text for place in places[:FEW_PROBES]), *texts]
            variant = facts.variant(says, same[0][1].ids_everywhere, probes)
            yield replace(variant, quirks=tuple(quirk.name for quirk, _ in same))

    def _on_characters(self, quirk: Quirk, facts: Facts) -> list[Variant]:
        """Its variants for sorts of characters, which are the same whatever mismatch is looked at."""
        found = self._found.get(quirk.name)
        if found is None:
            found = list(conditional_characters(quirk, facts))
            if facts.asking.can:
                self._found[quirk.name] = found
        return found


def _showing(some: Sequence[Observation], base: Base) -> Iterator[Quirk]:
    """The quirks that at least one mismatch shows, found with a model of no more pieces than these texts need."""
    quirks = [quirk for quirk in all_quirks() if quirk.stage != Stage.DECODING]
    small = reduced([base], [seen.question.shown for seen in some], quirks, Limits())
    found = [small.observation(seen) for seen in some]
    words = WordByWord(small.bases[0])
    for quirk in quirks:
        if quirk.flip(base.behaviour) != base.behaviour:
            one = partly(quirk, small.bases[0], words)
            if one is not None and any(shows for seen in found for _, shows in one.shown(seen)):
                yield quirk


class _Places:
    """Where an engine has one quirk."""

    def __init__(self, partly: Partly, facts: Facts, seen: Sequence[Observation]) -> None:
        self._partly, self._facts, self._asking = partly, facts, facts.asking
        self._places: dict[Place, bool] = {}
        self._contradicted = False
        self._note(seen)

    def variants(self, quirk: Quirk) -> Iterator[Variant]:
        """The quirk under each condition that holds wherever it shows, and nowhere that it does not."""
        shown, spared = self._of(True), self._of(False)
        if min(_different(shown), _different(spared)) < FEWEST or self._contradicted:
            return
        for unit in MEASURES:
            self._narrow(unit)
        if self._contradicted:
            return
        shown, spared = self._of(True), self._of(False)
        rng = random.Random(0)
        some = [rng.sample(places, min(FEW_PROBES, len(places))) for places in (shown, spared)]
        texts = list(dict.fromkeys(place.text for places in some for place in places))
        for condition in conditions(self._partly.nouns, shown, spared):
            says = f"with {quirk.name}, but only {condition.says}"
            yield self._facts.variant(says, partial(self._partly.ids, condition), texts)

    @property
    def everywhere(self) -> tuple[Place, ...] | None:
        """The places where it shows, where these are many and it is spared nowhere."""
        shown = self._of(True)
        return (
            None if self._contradicted or self._of(False) or _different(shown) < FEWEST_FOR_A_NUMBER else tuple(shown)
        )

    def ids_everywhere(self, question: Encode) -> Sequence[int] | None:
        """The ids of the model with the quirk as it is."""
        return self._partly.ids(Condition("", lambda place: True), question)

    def _of(self, shows: bool) -> list[Place]:
        return [place for place, it in self._places.items() if it == shows]

    def _note(self, some: Sequence[Observation]) -> None:
        for seen in some:
            for place, shows in self._partly.shown(seen):
                self._contradicted |= self._places.setdefault(place, shows) != shows

    def _narrow(self, unit: str) -> None:
        """Ask for texts of the lengths of which it is not known on which side of the edge they are."""
        measure, rng = MEASURES[unit], random.Random(0)
        for _ in range(EDGE_ROUNDS):
            shown, spared = self._of(True), self._of(False)
            open_lengths = between(unit, shown, spared)
            chosen = (
                {open_lengths[i * len(open_lengths) // EDGE_LENGTHS] for i in range(EDGE_LENGTHS)}
                if open_lengths
                else set()
            )
            some = [place.text for place in (*shown[:EDGE_PLACES], *spared[:EDGE_PLACES])]
            parts = [text[:end] for text in some for end in range(1, len(text))]
            parts = [text for text in dict.fromkeys(parts) if text not in self._asking.seen]
            texts = []
            for length in sorted(chosen):
                longer = [text + "a" * (length - measure(text)) for text in some if measure(text) < length]
                fitting = [text for text in (*parts, *longer) if measure(text) == length]
                texts += rng.sample(fitting, min(EDGE_TEXTS, len(fitting)))
            if not texts or not self._asking.can:
                return
            self._asking.allow(len(texts))
            self._asking.wrong(texts)
            self._note([seen for text in texts if (seen := self._asking.seen.get(text)) is not None])


def _different(places: Sequence[Place]) -> int:
    return len({place.text for place in places})
