"""Models that cut words at other places than the model's pre-tokenizer.

Ids do not show where an engine cut, but few of all ways to cut a small text give exactly its ids. The way closest to
the right one shows whether a cut is missing, added, or moved by one character. Texts with other characters at that
place show for which characters this holds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, product

from tokparity.behaviour import Pretokenise
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.cuts.changes import CutChange, Cuts, changes_at, cuts_of, words_of
from tokparity.diagnose.families.rules.pattern import sort_of
from tokparity.diagnose.hypothesis import Variant, foretells
from tokparity.diagnose.limits.families import COMPARED, PROBES, SORTS
from tokparity.diagnose.limits.texts import ASKED_FOR_A_SORT, LONGEST_CUT_TEXT
from tokparity.diagnose.separate.characters import members
from tokparity.diagnose.separate.classes import CharacterClass, classes
from tokparity.diagnose.separate.other_than import excluding
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer

_AROUND = ("", "a", " ", "x1", "é ", ".")
_ANY = CharacterClass("any character", lambda c: True)


def cut_elsewhere(facts: Facts) -> Iterator[Variant]:
    """The variants that cut words elsewhere, as a text that the model predicts wrongly may show it."""
    against = facts.against
    if facts.base.behaviour.pretokenise is None or len(against.spelled) > LONGEST_CUT_TEXT:
        return
    plain = facts.asking.with_flags(False, False)
    plain.allow(ASKED_FOR_A_SORT)
    search = _Cutting(replace(facts, asking=plain))
    plain.wrong([against.spelled])
    for change, at in search.changes(against.spelled):
        yield from search.variants(against.spelled, change, at)


class _Cutting:
    """How one engine cuts words, as far as its ids show it."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._base, self._asking = facts, facts.base, facts.asking
        self._pretokenised: list[str] = []

    @cached_property
    def _recording(self) -> Tokenizer:
        """The right tokenizer, which leaves what it pre-tokenises in a list."""

        def pretokenise(text: str, at_start: bool) -> Sequence[str]:
            self._pretokenised.append(text)
            return self._words_of(text, at_start)

        return self._base.tokenizer.with_behaviour(replace(self._base.behaviour, pretokenise=pretokenise))

    def _as_cut(self, text: str) -> tuple[str, Cuts] | None:
        """What the pre-tokenizer is given of a text, and where it cuts it; None where that is not the text itself."""
        self._pretokenised.clear()
        imitate(self._recording, _question(text))
        if len(self._pretokenised) != 1 or not self._pretokenised[0].endswith(text) or not text:
            return None
        (given,) = self._pretokenised
        words = self._words_of(given)
        return (given, cuts_of(words)) if "".join(words) == given else None

    def _nearest(self, given: str, right: Cuts, ids: Sequence[int]) -> Cuts | None:
        """Of the ways to cut a text whose words have just these ids the one with the fewest other cuts."""
        size, word_ids = len(given), self._base.tokenizer.word_ids
        best: dict[tuple[int, int], tuple[int, Cuts]] = {(0, 0): (0, frozenset())}
        for start in range(size):
            for (at, used), (cost, cuts) in [item for item in best.items() if item[0][0] == start]:
                for end in range(start + 1, size + 1):
                    found = word_ids(given[start:end])
                    if tuple(ids[used : used + len(found)]) != tuple(found):
                        continue
                    more = len(right & frozenset(range(at + 1, end))) + (end < size and end not in right)
                    key = end, used + len(found)
                    if key not in best or cost + more < best[key][0]:
                        best[key] = cost + more, cuts | ({end} if end < size else set())
        found_whole = best.get((size, len(ids)))
        return None if found_whole is None else found_whole[1]

    def changes(self, text: str) -> Iterator[tuple[CutChange, int]]:
        """The changes of cuts that may explain a text, each with its position, counted from the text's end."""
        seen, found = self._asking.seen.get(text), self._as_cut(text)
        if seen is None or found is None or not isinstance(seen.actual, Encoding):
            return
        given, right = found
        engine = self._nearest(given, right, seen.actual.ids)
        for place in sorted(right ^ engine)[:1] if engine is not None else ():  # the others may follow from this one
            for change, start in changes_at(place, right):
                at = start - 1 - len(given)
                if self._does(text, change, at):
                    yield change, at

    def variants(self, text: str, change: CutChange, at: int) -> Iterator[Variant]:
        """The change for all sorts of characters that are seen to do the same in each place."""
        size = len(change.right) + 1
        if at < -len(text):
            return  # it begins with what was put before the text
        sorts = [self._sorts(text, change, at, at + i) for i in range(size)]
        for i in range(size):
            sorts[i] = self._telling(change, sorts, i)
        for chosen in islice(product(*sorts), SORTS**size):
            behaviour = replace(self._base.behaviour, pretokenise=self._changed(change, chosen))
            says = change.says.format(*(sort.says for sort in chosen))
            texts = list(_made(chosen, text[at : at + size or None]))
            yield self._facts.with_behaviour(says, behaviour, texts)

    def _telling(self, change: CutChange, sorts: Sequence[list[CharacterClass]], place: int) -> list[CharacterClass]:
        """Of the sorts of one place those with which most wrong answers are predicted, the plainest first."""
        if len(sorts[place]) <= SORTS or not all(sorts):
            return sorts[place]
        failing = self._facts.failing[:: max(len(self._facts.failing) // COMPARED, 1)][:COMPARED]
        plainest = [some[0] for some in sorts]

        def predicted(sort: CharacterClass) -> int:
            chosen = [*plainest[:place], sort, *plainest[place + 1 :]]
            behaviour = replace(self._base.behaviour, pretokenise=self._changed(change, chosen))
            one = self._facts.with_behaviour("", behaviour, ())
            return sum(foretells(one, seen) for seen in failing)

        counts = {sort.says: predicted(sort) for sort in sorts[place]}
        most = sorted(sorts[place], key=lambda sort: -counts[sort.says])[:SORTS]
        return [sort for sort in sorts[place] if sort in most]

    def _changed(self, change: CutChange, sorts: Sequence[CharacterClass]) -> Pretokenise:
        """The model's pre-tokenizer with a change for these sorts of characters."""

        def pretokenise(text: str, at_start: bool) -> Sequence[str]:
            return change.applied(sorts, text, self._words_of(text, at_start))

        return pretokenise

    def _words_of(self, text: str, at_start: bool = True) -> Sequence[str]:
        original = self._base.behaviour.pretokenise
        return original(text, at_start) if original else [text]

    def _sorts(self, text: str, change: CutChange, at: int, place: int) -> list[CharacterClass]:
        """The sorts of the characters that may stand in a place of a text, so that the engine does the same there."""
        own, head, tail = text[place], text[:place], text[place + 1 :] if place + 1 else ""
        self._asking.allow(ASKED_FOR_A_SORT)

        def put(characters: Sequence[str]) -> tuple[list[str], list[str]]:
            texts = {c: head + c + tail for c in characters}
            self._asking.wrong(list(texts.values()))
            told = {c: self._does(other, change, at) for c, other in texts.items()}
            return [c for c in characters if told[c]], [c for c in characters if told[c] is False]

        one, done, right = sort_of(own, put)
        if own not in done:
            return []
        sorts = [c for c in classes() if all(map(c.holds, done)) and not any(map(c.holds, right))]
        sorts += islice(excluding(done, right), SORTS - 1)
        if one is not None and " to U+" not in one.says:  # no pre-tokenizer has such ranges of its own
            sorts = [one, *sorts] if one.is_one else [*sorts, one]
        return list({sort.says: sort for sort in sorts}.values()) or ([] if right else [_ANY])

    def _does(self, text: str, change: CutChange, at: int) -> bool | None:
        """Whether the engine makes the change in a text, at a place counted from its end.

        None if the change makes no other ids, or if the engine returns neither these nor the right ones.
        """
        seen, found = self._asking.seen.get(text), self._as_cut(text)
        if seen is None or found is None or not isinstance(seen.actual, Encoding):
            return None
        given, right = found
        inner = range(len(given) + at + 1, len(given) + at + 1 + len(change.right))
        if inner.start < 1 or inner.stop > len(given) or tuple(place in right for place in inner) != change.right:
            return None
        new = (right - {*inner}) | {place for place, cut in zip(inner, change.engine, strict=True) if cut}
        ids, others = self._ids(given, right), self._ids(given, new)
        if ids == others or seen.actual.ids not in (ids, others):
            return None
        return seen.actual.ids == others

    def _ids(self, given: str, cuts: Cuts) -> tuple[int, ...]:
        return tuple(i for word in words_of(given, cuts) for i in self._base.tokenizer.word_ids(word))


def _question(text: str) -> Encode:
    return Encode(text.encode("utf-8", "surrogateescape"), False, False)


def _made(sorts: Sequence[CharacterClass], example: str) -> Iterator[str]:
    """Texts with such characters side by side, at the edges and among others."""
    rng = random.Random(0)
    some = [[own] if sort.is_one else [*members(sort), own] for sort, own in zip(sorts, example, strict=True)]
    for _ in range(PROBES):
        yield rng.choice(_AROUND) + "".join(map(rng.choice, some)) + rng.choice(_AROUND)
    for _ in range(PROBES // 4):
        yield rng.choice(_AROUND) + "".join(rng.choice(one) for one in some for _ in range(rng.randint(1, 3)))
