"""Whether an engine answers as if each text were changed or cut at characters of one class."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.rules.pattern import sort_of
from tokparity.diagnose.families.texts.rewritings import (
    Rewriting,
    these,
    with_one_for,
    with_table,
    with_these,
)
from tokparity.diagnose.hypothesis import Variant, changes, foretells, has_other_ids
from tokparity.diagnose.limits.families import CONDITIONS, FEWEST, TRIAL_TEXTS, TRIED
from tokparity.diagnose.limits.texts import ASKED_FOR_A_SORT, LONG_TEXT_OF, LONGEST_REWRITTEN, PAIRS_OF
from tokparity.diagnose.separate.characters import members, near, universe
from tokparity.diagnose.separate.classes import classes, telling
from tokparity.diagnose.separate.neighbors import Beside, around, neighbors
from tokparity.outcome import Encoding

_LONGER, _TIMES = "a few more words behind it, ", (3, 40)
"""Words that make some texts longer, repeated this many times: an engine may rewrite short texts only."""

_CONTEXTS = ("", "a", "one two", "x y  z", "1 + 2", "caf\u00e9 ", " b", "\t", "A1")

_LETTERS = range(0xA0, 0x600)
"""Where most characters are that a table of somebody's own replaces."""


def rewritten(facts: Facts) -> Iterator[Variant]:
    """The texts that each text may be taken for, so that the smallest mismatch is answered as it was."""
    text = facts.against.spelled
    # Without what is added around a text the ids of its parts stand one after another.
    plain = facts.asking.with_flags(False, False)
    plain.allow(ASKED_FOR_A_SORT)
    if not facts.is_of_ids or not plain.can or len(text) > LONGEST_REWRITTEN or plain.wrong([text]) != [True]:
        return
    search = _Rewritings(replace(facts, asking=plain, against=plain.seen[text]))
    found = search.of_characters()
    of_sorts = list(chain.from_iterable(map(search.of_sorts, found)))
    plainest = sorted({one.says: one for one in of_sorts}.values(), key=lambda one: one.plainness)[:TRIED]
    beside = chain.from_iterable(map(search.beside, plainest))
    every = [*search.by_table(), *of_sorts, *beside]
    failing = [seen.spelled for seen in facts.failing]
    for one in sorted({one.says: one for one in every}.values(), key=lambda one: one.plainness):
        yield search.variant(one, list(dict.fromkeys(_made(one, failing)))[:TRIAL_TEXTS])


class _Rewritings:
    """What may be done with one text that was answered wrongly."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._asking, self._text = facts, facts.asking, facts.against.spelled

    def variant(self, one: Rewriting, probes: Sequence[str] = ()) -> Variant:
        """The hypothesis that texts are taken for others so."""
        return self._facts.text_variant(one.says, one.parts, probes)

    def of_characters(self) -> list[Rewriting]:
        """All that may be done with some characters of the text, and predicts what the engine answers to it."""
        characters = list(dict.fromkeys(self._text))
        few = len(characters) <= PAIRS_OF
        some = [*combinations(characters, 1), *combinations(characters, 2)] if few else []
        every = [one for held in (*some, characters) for one in with_these(held)]
        if len(self._text) == 1 and (new := _read_as(self._text, self._asking)):
            every.append(with_one_for(self._text, new))
        return [one for one in every if self._shows(one)]

    def _shows(self, one: Rewriting) -> bool:
        return one.parts(self._text) != (self._text,) and self._facts.shows(self.variant(one))

    def by_table(self) -> list[Rewriting]:
        """A table of characters with what is read in place of each, where one of them is alone as wrong as the text."""
        text, asking = self._text, self._asking
        if len(text) != 1 or not _read_as(text, asking):
            return []
        asking.allow(ASKED_FOR_A_SORT)
        every = list(dict.fromkeys((text, *near(text), *map(chr, _LETTERS), *universe())))
        asking.wrong(every)
        guessed = {c: new for c in every if (new := _read_as(c, asking))}
        table = {c: new for c, new in guessed.items() if foretells(self.variant(with_one_for(c, new)), asking.seen[c])}
        if text not in table or len(set(table.values())) < FEWEST:
            return []
        return [with_table(table)]

    def of_sorts(self, one: Rewriting) -> Iterator[Rewriting]:
        """The same, done with every character of a sort, as far as can be seen in the place of one of this text's."""
        own, *others = [c for c in dict.fromkeys(self._text) if one.sort.holds(c)]
        asking = self._asking
        asking.allow(ASKED_FOR_A_SORT)

        def put(characters: Sequence[str]) -> tuple[list[str], list[str]]:
            characters = [own, *(c for c in dict.fromkeys(characters) if c not in self._text)]
            texts = {c: self._text.replace(own, c) for c in characters}
            asking.wrong(list(texts.values()))
            done, spared = [], []
            for c, text in texts.items():
                seen = asking.seen.get(text)
                if seen is not None and isinstance(seen.actual, Encoding):
                    held = foretells(self.variant(replace(one, sort=these((*others, c)))), seen)
                    # Where the answer is right and would be so or so, nothing is known of the character.
                    if not held:
                        spared.append(c)
                    elif has_other_ids(seen):
                        done.append(c)
            return done, spared

        sort, done, right = sort_of(own, put)
        done = [*done, *others]
        sorts = [telling(done, right) if others or sort is None else sort]
        # Where few characters can be told from others, it may be all of their sort.
        sorts += [c for c in classes() if all(map(c.holds, done)) and not any(map(c.holds, right))]
        yield from (replace(one, sort=sort) for sort in sorts if sort is not None and sort.holds(own))

    def beside(self, one: Rewriting) -> Iterator[Rewriting]:
        """The same only beside certain characters, or where these do not stand, as far as the engine is right there."""
        own = next(c for c in self._text if one.sort.holds(c))
        asking = self._asking
        texts = around(own)
        asking.allow(len(texts))
        asking.wrong(texts)
        yes: Counter[Beside] = Counter()
        no: Counter[Beside] = Counter()
        hypothesis = self.variant(one)
        for text in texts:
            seen = asking.seen.get(text)
            if seen is None or text.count(own) != 1 or one.parts(text) == (text,):
                continue
            at = text.index(own)
            place = text[max(at - 1, 0) : at], text[at + 1 : at + 2]
            if foretells(hypothesis, seen) and seen.wrong:
                yes[place] += 1
            elif not seen.wrong and changes(hypothesis, seen):
                no[place] += 1
        if min(yes.total(), no.total()) >= FEWEST:
            yield from (replace(one, where=feature) for feature in islice(neighbors(yes, no), CONDITIONS))


def _read_as(character: str, asking: Asking) -> str:
    """What an engine that is wrong on a character decodes its ids to; empty where it is right, or that is the same."""
    seen = asking.seen.get(character)
    if seen is None or not has_other_ids(seen):
        return ""
    decoded = seen.texts[1].strip()
    return "" if decoded == character else decoded


def _made(one: Rewriting, failing: Sequence[str]) -> Iterator[str]:
    """Texts with such characters, alone, side by side and among others, and some without."""
    rng = random.Random(0)
    some = members(one.sort) or sorted({c for text in failing for c in text if one.sort.holds(c)})
    yield from _CONTEXTS
    for _ in range(2 * TRIAL_TEXTS if some else 0):
        run = "".join(rng.choice(some) for _ in range(rng.randint(1, one.longest_run)))
        before, after = rng.choice(_CONTEXTS), rng.choice(_CONTEXTS)
        yield before + run + after + rng.choice(("", "", rng.choice(some)))
        if not rng.randrange(LONG_TEXT_OF):
            yield before + run + _LONGER * rng.choice(_TIMES) + after
