"""Models that lack the merges one half of which begins with a certain character.

A merge is lost if the right answer to a failing text needs it, and no right answer of the engine does.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise

from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.families import LISTED, PROBES, SEEN, SORTS
from tokparity.diagnose.limits.texts import MERGES_ALIKE, MERGES_SAMPLED
from tokparity.diagnose.separate.classes import classes
from tokparity.diagnose.separate.features import IN_A_MERGE, Feature, at_places, separate
from tokparity.diagnose.separate.names import named
from tokparity.questions import Encode
from tokparity.questions.json_text import literal
from tokparity.reference.byte_alphabet import from_alphabet

Merge = tuple[str, str]
"""The two halves as the vocabulary spells them."""


_Sort = Feature[Merge]
"""Some merges; its words follow "without"."""


def lost_merges(facts: Facts) -> Iterator[Variant]:
    """The variants without merges of a sort of which the smallest mismatch lacks one; the plainest sorts first."""
    if not facts.base.vocabulary.merges or not facts.is_text:
        return
    search = _LostMerges(facts)
    every = [*facts.failing[:SEEN], *facts.right[:SEEN]]
    here = search.used(facts.against) - search.made(every)
    if not here:
        return
    search.put_alike(here)
    seen = [*every, *facts.asking.seen.values()]
    made = search.made(seen)
    here -= made
    lost = search.lost(seen, made)
    if here & lost:
        for sort in search.sorts(here & lost, lost, made):
            yield search.variant(sort, lost)


class _LostMerges:
    """What tells the merges that one engine never makes from those that it makes."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._base, self._asking = facts, facts.base, facts.asking
        self._used: dict[tuple[str, bool, bool], frozenset[Merge]] = {}

    def used(self, seen: Observation) -> frozenset[Merge]:
        """The merges by which the right ids come about."""
        question = seen.question
        if not isinstance(question, Encode):
            return frozenset()
        key = seen.spelled, question.add_special, question.parse_special
        if key not in self._used:
            merges: list[Merge] = []

            def note(step: str, data: dict[str, object]) -> None:
                if step == "merge":
                    merges.append((str(data["left"]), str(data["right"])))

            self._base.tokenizer.encode(question.text, question.add_special, question.parse_special, note)
            self._used[key] = frozenset(merges)
        return self._used[key]

    def made(self, some: Sequence[Observation]) -> set[Merge]:
        """The merges that the engine applies, because it is right on texts that need them."""
        return {merge for seen in some if not seen.wrong for merge in self.used(seen)}

    def lost(self, some: Sequence[Observation], made: Set[Merge]) -> set[Merge]:
        """Those that it lacks, for nothing else is needed where it is wrong; of stored answers those left undone."""
        needed = (self.used(seen) - made for seen in some if seen.wrong)
        lost = {merge for merges in needed if len(merges) == 1 for merge in merges}
        if not self._asking.is_stored:
            return lost
        return {*lost, *(merge for seen in some if seen.wrong for merge in self._undone(seen))} - made

    def _undone(self, seen: Observation) -> Iterator[Merge]:
        """The merges of neighbors in a wrong answer that its right one needs."""
        pieces = self._base.vocabulary.pieces
        spelled = [_text(pieces[i]) if 0 <= i < len(pieces) else "" for i in getattr(seen.actual, "ids", ())]
        yield from self.used(seen).intersection(pairwise(spelled))

    def put_alike(self, like: Set[Merge]) -> None:
        """Run the engine on what a sample of all merges makes, and on merges similar to some of them."""
        rng = random.Random(0)
        every = list(self._base.vocabulary.merge_places)
        some = rng.sample(every, min(MERGES_SAMPLED, len(every)))
        wanted: dict[tuple[int, str], list[Merge]] = {
            (place, part): [] for halves in like for place in (0, 1) for part in (halves[place], halves[place][:1])
        }
        for merge in every:
            for place, half in enumerate(merge):
                for part in {half, half[:1]}:
                    if (place, part) in wanted:
                        wanted[place, part].append(merge)
        # Those with the same half, and those of which it begins alike.
        for found in wanted.values():
            some += rng.sample(found, min(MERGES_ALIKE, len(found)))
        texts = list(dict.fromkeys(spelled(merge, self._base) for merge in some))
        self._asking.allow(len(texts))
        self._asking.wrong(texts)

    def sorts(self, here: Set[Merge], lost: Set[Merge], made: Set[Merge]) -> Iterator[_Sort]:
        """The classes that separate lost merges from applied ones; each holds for a merge that is lost `here`."""
        yield from islice(self._of_classes(here, lost, made), SORTS)
        if len(lost) <= LISTED:
            told = " and ".join(
                " + ".join(literal(letters(half, self._base)) for half in merge) for merge in sorted(lost)
            )
            yield _Sort(f"the merge{'s' if len(lost) > 1 else ''} {told}", frozenset(lost).__contains__)

    def _of_classes(self, here: Set[Merge], lost: Set[Merge], made: Set[Merge]) -> Iterator[_Sort]:
        """Merges with a character of one class in some place."""
        characters = sorted({c for merge in here for half in merge for c in letters(half, self._base)})
        some = [*((named(c), c.__eq__) for c in characters), *((one.says, one.holds) for one in classes())]
        places = {f"the merges {where}": has for where, has in IN_A_MERGE.items()}
        yield from separate(lost, made, at_places(places, some, self._halves))

    def _halves(self, merge: Merge) -> tuple[str, ...]:
        return tuple(letters(half, self._base) for half in merge)

    def variant(self, sort: _Sort, lost: Set[Merge]) -> Variant:
        """The model without them."""
        vocabulary = self._base.vocabulary
        kept, gone = [], []
        for merge in vocabulary.merges:
            halves = _text(merge[0]), _text(merge[1])
            if sort.holds(halves):
                gone.append(halves)
            else:
                kept.append(merge)
        smaller = replace(vocabulary, merges=tuple(kept) or vocabulary.merges[:1])
        some = random.Random(0).sample(gone, min(PROBES, len(gone)))
        texts = list(dict.fromkeys(spelled(merge, self._base) for merge in [*sorted(lost)[:PROBES], *some]))
        return self._facts.with_vocabulary(f"without {sort.says}", smaller, texts)


def letters(half: str, base: Base) -> str:
    """A half as it stands in a text; bytes that are not UTF-8 are lone surrogates."""
    return _from_alphabet(half) if base.behaviour.byte_level else half


def spelled(merge: Merge, base: Base) -> str:
    """The text that a merge makes."""
    return "".join(letters(half, base) for half in merge).replace(base.behaviour.space_marker, " ")


@cache
def _from_alphabet(half: str) -> str:
    return from_alphabet(half).decode("utf-8", "surrogateescape")


def _text(half: bytes) -> str:
    return half.decode("utf-8", "surrogateescape")
