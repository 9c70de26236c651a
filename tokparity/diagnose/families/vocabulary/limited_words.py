"""Models that treat words beyond some length differently: cut, truncated, not merged, unknown or dropped.

A mismatch that was made smaller ends where the fault begins: its longest word is one character too long. Of others the
engine is asked from which size on the beginnings of that word are answered wrongly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.families import PROBES
from tokparity.diagnose.limits.texts import LONG_WORDS, LONGEST_LIMIT, SHORTEST_LIMIT
from tokparity.diagnose.separate.conditions import MEASURES, Place
from tokparity.diagnose.word_by_word import WordByWord, WordIds
from tokparity.questions import Encode
from tokparity.reference.unknown import fallback

_OF_TWO_BYTES = ("é", "я")
"""Letters that tell characters from bytes, where all that fails is ASCII."""


def limited_words(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as the smallest mismatch was answered; the longest of its words tell the edge."""
    question, base = facts.question, facts.base
    words = WordByWord(base)
    if not facts.is_of_ids or base.behaviour.pretokenise is None:
        return
    for unit, parts in {"characters": _by_character, "bytes": _by_byte}.items():
        measure = MEASURES[unit]
        if unit == "bytes" and not base.behaviour.byte_level:
            continue
        found = [place.text for _, place in words.places(question)]
        word = max(found, key=measure, default="")
        longest = measure(word)
        # What is stored is not shrunk: a word may be longer by more than what its last character adds.
        shortest = 0 if facts.asking.is_stored else longest - max(map(measure, "".join(found)), default=0) + 1
        edges = dict.fromkeys((*range(shortest, longest + 1), _edge(facts.asking, parts(word, 1))))
        for edge in (one for one in edges if one >= SHORTEST_LIMIT):

            def is_long(place: Place, measure: Callable[[str], int] = measure, edge: int = edge) -> bool:
                return measure(place.text) >= edge

            texts = [] if facts.asking.is_stored else list(_made(words, facts.failing, parts, edge))
            for says, other in _otherwise(words, base, parts, edge - 1, unit).items():
                variant = facts.variant(says, partial(words.ids, other=other, holds=is_long), texts)
                if facts.shows(variant):
                    yield variant


def other_limits(facts: Facts) -> Iterator[Variant]:
    """The model whose words may have more characters, as many as the engine takes if it is asked."""
    behaviour, asking = facts.base.behaviour, facts.asking
    if behaviour.max_word_chars is None or not facts.is_of_ids or not asking.can:
        return
    words = WordByWord(facts.base)
    long = [place.text for _, place in words.places(facts.question) if len(place.text) > behaviour.max_word_chars]
    if not long:
        return

    def made(size: int) -> str:
        return (long[0] * (size // len(long[0]) + 1))[:size]

    takes, refuses = len(long[0]), 2 * len(long[0])
    while asking.wrong([made(refuses)])[0] and refuses < LONGEST_LIMIT:
        takes, refuses = refuses, 2 * refuses
    while refuses - takes > 1 and asking.can:
        middle = (takes + refuses) // 2
        takes, refuses = (middle, refuses) if asking.wrong([made(middle)])[0] else (takes, middle)
    limits = behaviour.max_word_chars, takes
    texts = [made(limit + more) for limit in limits for more in range(-PROBES // 4, PROBES // 4) if limit + more > 0]
    says = f"whose words may have up to {takes:,} characters"
    yield facts.with_behaviour(says, replace(behaviour, max_word_chars=takes), texts)


Parts = Callable[[str, int], list[str]]


def _edge(asking: Asking, units: Sequence[str]) -> int:
    """The size from which on the beginnings of a word are answered wrongly, as far as the engine can be asked."""
    right, wrong = 0, len(units)
    while wrong - right > 1 and asking.can:
        middle = (right + wrong) // 2
        right, wrong = (right, middle) if asking.wrong(["".join(units[:middle])])[0] else (middle, wrong)
    return wrong


def _by_character(word: str, size: int) -> list[str]:
    return [word[at : at + size] for at in range(0, len(word), size)]


def _by_byte(word: str, size: int) -> list[str]:
    spelled = word.encode("utf-8", "surrogateescape")
    return [spelled[at : at + size].decode("utf-8", "surrogateescape") for at in range(0, len(spelled), size)]


def _otherwise(words: WordByWord, base: Base, parts: Parts, most: int, unit: str) -> Mapping[str, WordIds]:
    """What may become of a word that is longer than `most` characters or bytes."""
    unknown = fallback(base.vocabulary, base.behaviour)

    def joined(some: Sequence[str]) -> list[int]:
        return [*chain.from_iterable(map(words.right, some))]

    long = f"words of more than {most:,} {unit}"
    return {
        f"that cuts words after every {most:,} {unit}": lambda word: joined(parts(word, most)),
        f"that reads only the first {most:,} {unit} of a word": lambda word: words.right(parts(word, most)[0]),
        f"that reads only the last {most:,} {unit} of a word": lambda word: words.right(_last(word, parts, most)),
        f"that merges nothing in {long}": lambda word: joined(parts(word, 1)),
        f"that writes the ids of unknown text in place of {long}": unknown,
        f"that drops {long}": lambda word: [],
    }


def _last(word: str, parts: Parts, most: int) -> str:
    return "".join(parts(word, 1)[-most:])


def _made(words: WordByWord, failing: Sequence[Observation], parts: Parts, edge: int) -> Iterator[str]:
    """Words around the edge, and far beyond it."""
    rng = random.Random(0)
    questions = [seen.question for seen in failing if isinstance(seen.question, Encode)]
    some = {place.text for question in questions for _, place in words.places(question)}
    letters = sorted({c for word in some for c in word if c.isalpha()}) or ["a"]
    letters += _OF_TWO_BYTES if "".join(letters).isascii() else ()
    long = [word for word in sorted(some) if len(word) >= edge][:LONG_WORDS]
    for _ in range(PROBES):
        size = max(1, edge + rng.choice((-2, -1, 0, 1, 2, edge)))
        word = rng.choice(long) if long and rng.random() < 0.5 else "".join(rng.choice(letters) for _ in range(size))
        yield "".join(parts(word * 3, 1)[:size]) if word in long else word
