"""Whether an engine answers as if each text were changed, or cut, at characters of one sort: foretold text by text.

A rule says which texts fail; a rewriting says what comes instead, also where that is the same as is right. So one text
that it foretells wrongly refutes it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from tokparity.diagnose.families.rules.pattern import sort_of
from tokparity.diagnose.families.texts.rewritings import (
    Rewriting,
    these,
    with_one_for,
    with_table,
    with_the_whole,
    with_these,
)
from tokparity.diagnose.seen import Asking, Seen
from tokparity.diagnose.separate.characters import members, near, universe
from tokparity.diagnose.separate.classes import classes, telling
from tokparity.outcome import Encoding
from tokparity.questions import Encode

LONGEST = 24
"""Characters of a text of which each sort is tried."""

_LONGEST_ASKED = 2000
_LOOKED_AT = 60
_PARTS = 20
_TESTED = 12
_SORT = 3000
"""Texts that may be asked to find of which sort a character is."""

_MADE, _FEWEST = 150, 10
_CONTROLS = 60
_FEWEST_LEFT = 2
_MOST_TRIED = 8
"""Different characters of a text of which each two are tried."""
_LONGER, _TIMES = "a few more words behind it, ", (3, 40)
"""What makes some texts so many times longer: a rewriting may be done in short ones only."""
_ONE_LONG_OF = 12

_CONTEXTS = ("", "a", "one two", "x y  z", "1 + 2", "caf\u00e9 ", " b", "\t", "A1")

_LETTERS = range(0xA0, 0x600)
"""Where most characters are that a table of somebody's own replaces."""


@dataclass(frozen=True)
class Rewritten:
    """A rewriting that stood its test: of so many texts made for it, so many wrong, every one was as it foretold."""

    rewriting: Rewriting
    made: int
    failing: int
    asking: Asking

    @property
    def says(self) -> str:
        """A clause on the answers."""
        return f"the ids are those of the text {self.rewriting.says}"

    def explained(self, some: Sequence[Seen]) -> list[bool]:
        """For each of what was seen whether its text is answered wrongly and as was foretold, parsed or not."""
        texts = [seen.spelled for seen in some if _can_be_rewritten(seen)]
        parsed = [
            seen.spelled for seen in some if _can_be_rewritten(seen) and getattr(seen.question, "parse_special", False)
        ]
        unparsed, parsing = self.asking.of_the_run(), self.asking.with_flags(False, True).of_the_run()
        held = {False: self._held(texts, unparsed), True: self._held(parsed, parsing)}
        flags = [getattr(seen.question, "parse_special", False) for seen in some]
        return [
            seen.spelled in held[parse] or seen.spelled in held[False] for seen, parse in zip(some, flags, strict=True)
        ]

    def _held(self, texts: Sequence[str], asking: Asking) -> set[str]:
        asking.allow(len(texts) * _PARTS)
        told = _foretold(self.rewriting, texts, asking)
        return {text for text, held in zip(texts, told, strict=True) if held and _is_wrong(text, asking)}


def rewriting(smallest: Seen, left: Sequence[Seen], right: Sequence[Seen], asking: Asking) -> Rewritten | None:
    """The rewriting that foretells most of what is left, this one first, and every text that is made to test it; what
    is answered rightly must be as it foretells."""
    # Without what is added around a text the ids of its parts stand one after another.
    plain = asking.with_flags(False, False)
    plain.allow(_SORT)
    if not (_can_be_rewritten(smallest) and plain.can) or len(smallest.spelled) > LONGEST:
        return None
    texts = list(dict.fromkeys(seen.spelled for seen in left if _can_be_rewritten(seen)))
    texts = [smallest.spelled, *texts[:: max(len(texts) // _LOOKED_AT, 1)][:_LOOKED_AT]]
    plain.wrong(texts)
    texts = [text for text in dict.fromkeys(texts) if _is_wrong(text, plain)]
    if texts[:1] != [smallest.spelled]:
        return None
    tried = [*_of_the_whole(smallest.spelled, plain), *_by_table(smallest.spelled, plain)]
    found = _of_characters(smallest.spelled, plain)
    tried += chain.from_iterable(_of_sorts(one, smallest.spelled, plain) for one in found)
    plain.allow(_SORT)
    held = [(one, _foretold(one, texts, plain).count(True)) for one in {one.says: one for one in tried}.values()]
    for one, count in sorted(held, key=lambda found: (-found[1], found[0].plainness))[:_TESTED]:
        if count >= min(_FEWEST_LEFT, len(texts)) and (stood := _stands(one, texts, right, plain)):
            return stood
    return None


def _can_be_rewritten(seen: Seen) -> bool:
    return (
        isinstance(seen.question, Encode)
        and isinstance(seen.actual, Encoding)
        and seen.actual.ids != seen.ids
        and len(seen.spelled) <= _LONGEST_ASKED
    )


def _is_wrong(text: str, asking: Asking) -> bool:
    seen = asking.seen.get(text)
    return seen is not None and seen.wrong and isinstance(seen.actual, Encoding) and seen.actual.ids != seen.ids


def _of_characters(text: str, asking: Asking) -> list[Rewriting]:
    """All that may be done with some characters of a text, and foretells what the engine answers to it."""
    characters = list(dict.fromkeys(text))
    some = [*combinations(characters, 1), *combinations(characters, 2)] if len(characters) <= _MOST_TRIED else []
    every = [one for held in (*some, characters) for one in with_these(held)]
    if len(text) == 1 and (new := _read_as(text, asking)):
        every.append(with_one_for(text, new))
    return [one for one in every if one.parts(text) != (text,) and _foretold(one, [text], asking) == [True]]


def _of_the_whole(text: str, asking: Asking) -> list[Rewriting]:
    """All that may be done with the text as a whole, and foretells what the engine answers to it."""
    return [one for one in with_the_whole() if one.parts(text) != (text,) and _foretold(one, [text], asking) == [True]]


def _by_table(text: str, asking: Asking) -> list[Rewriting]:
    """A table of characters with what is read in place of each, where one of them is alone as wrong as the text."""
    if len(text) != 1 or not _read_as(text, asking):
        return []
    asking.allow(_SORT)
    every = list(dict.fromkeys((text, *near(text), *map(chr, _LETTERS), *universe())))
    asking.wrong(every)
    guessed = {c: new for c in every if (new := _read_as(c, asking))}
    asking.wrong(list(guessed.values()))
    table = {c: new for c, new in guessed.items() if _as_foretold(c, (new,), asking)}
    if text not in table or len(set(table.values())) < _FEWEST_LEFT:
        return []
    return [with_table(table)]


def _read_as(character: str, asking: Asking) -> str:
    """What an engine that is wrong on a character decodes its ids to; empty where it is right, or that is the same."""
    seen = asking.seen.get(character)
    if seen is None or not _is_wrong(character, asking):
        return ""
    decoded = (getattr(seen.actual, "decoded", b"") or b"").decode("utf-8", "surrogateescape").strip()
    return "" if decoded == character else decoded


def _of_sorts(one: Rewriting, text: str, asking: Asking) -> Iterator[Rewriting]:
    """The same, done with every character of a sort, as far as can be seen in the place of one of this text's."""
    own, *others = [c for c in dict.fromkeys(text) if one.sort.holds(c)]
    asking.allow(_SORT)

    def put(characters: Sequence[str]) -> tuple[list[str], list[str]]:
        characters = [own, *(c for c in dict.fromkeys(characters) if c not in text)]
        each = {c: (text.replace(own, c), replace(one, sort=these((*others, c)))) for c in characters}
        asking.wrong([part for other, its in each.values() for part in (other, *its.parts(other))])
        told = {c: _foretold(its, [other], asking)[0] for c, (other, its) in each.items()}
        # Where the answer is right and would be so or so, nothing is known of the character.
        done = [c for c in characters if told[c] and _is_wrong(each[c][0], asking)]
        return done, [c for c in characters if told[c] is False]

    sort, done, right = sort_of(own, put)
    done = [*done, *others]
    sorts = [telling(done, right) if others or sort is None else sort]
    # Where few characters can be told from others, it may be all of their sort.
    sorts += [c for c in classes() if all(map(c.holds, done)) and not any(map(c.holds, right))]
    yield from (replace(one, sort=sort) for sort in sorts if sort is not None)


def _foretold(one: Rewriting, texts: Sequence[str], asking: Asking) -> list[bool | None]:
    """For each text whether the engine answered as it foretells; None where that is not known."""
    parts = [one.parts(text) for text in texts]
    asking.wrong([*texts, *(part for some in parts for part in some)])
    return [_as_foretold(text, some, asking) for text, some in zip(texts, parts, strict=True)]


def _as_foretold(text: str, parts: Sequence[str], asking: Asking) -> bool | None:
    whole, found = asking.seen.get(text), [asking.seen.get(part) for part in parts]
    rows = [seen.expected.ids for seen in found if seen is not None and isinstance(seen.expected, Encoding)]
    if whole is None or not isinstance(whole.actual, Encoding) or len(rows) < len(parts):
        return None
    return whole.actual.ids == tuple(id for row in rows for id in row)


def _stands(one: Rewriting, failing: Sequence[str], right: Sequence[Seen], asking: Asking) -> Rewritten | None:
    """What its test came to; None where one text is otherwise, or with those failing too few are wrong."""
    asking.allow(_MADE * 6)
    controls = [seen.spelled for seen in right if isinstance(seen.question, Encode)]
    controls = [text for text in dict.fromkeys(controls) if one.parts(text) != (text,)][:_CONTROLS]
    if False in _foretold(one, controls, asking):
        return None
    texts = list(dict.fromkeys(_made(one, failing)))[:_MADE]
    found = [told for told in _foretold(one, texts, asking) if told is not None]
    if not all(found) or len(found) < _MADE // 2:
        return None
    told = _foretold(one, failing, asking)
    wrong = sum(_is_wrong(text, asking) for text in texts)
    return Rewritten(one, len(found), wrong, asking) if wrong + told.count(True) >= _FEWEST else None


def _made(one: Rewriting, failing: Sequence[str]) -> Iterator[str]:
    """Texts with such characters, alone, side by side and among others, and some without."""
    rng = random.Random(0)
    some = members(one.sort) or sorted({c for text in failing for c in text if one.sort.holds(c)})
    yield from _CONTEXTS
    for _ in range(2 * _MADE if some else 0):
        run = "".join(rng.choice(some) for _ in range(rng.randint(1, one.longest_run)))
        before, after = rng.choice(_CONTEXTS), rng.choice(_CONTEXTS)
        yield before + run + after + rng.choice(("", "", rng.choice(some)))
        if not rng.randrange(_ONE_LONG_OF):
            yield before + run + _LONGER * rng.choice(_TIMES) + after
