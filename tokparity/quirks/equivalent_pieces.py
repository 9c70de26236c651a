"""Quirks of a vocabulary whose keys are equal where Unicode calls them canonically equivalent.

A String of Swift compares so: "à" as one character is "à" as a letter and a mark. Source: the Swift standard library,
`String.==`; Unicode, chapter 3.7.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product
from typing import Any
from unicodedata import combining, decomposition, normalize

from tokparity.behaviour import Behaviour, Trace
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import SeenAs, algorithm, made_once
from tokparity.reference.bpe import bpe
from tokparity.vocabulary import Vocabulary

_SPELLINGS = 32
"""How many spellings of a piece are found at most. A word with five letters that have two each has 32."""

_FIX = "Compare the bytes of pieces, not strings: take UTF-8 bytes or NSString as keys."
_LINKS = github(
    "huggingface/swift-transformers/pull/113",
    "huggingface/swift-transformers/issues/116",
    "Desert-Ant-Labs/desert-ant-core/pull/92",
)


@dataclass(frozen=True)
class Equivalent:
    """An algorithm that finds a piece by each of its spellings; `choose` says which one of several pieces it finds."""

    inner: Callable[..., Any]
    choose: Callable[[Sequence[int]], int]

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Callable[..., list[int]]:
        spelled, given = made_once(vocabulary, _SpelledOut(self.choose))
        segment = self.inner(spelled, behaviour)

        def found(word: str, trace: Trace | None = None) -> list[int]:
            return [given.get(i, i) for i in segment(word, trace)]

        return found


@dataclass(frozen=True)
class _SpelledOut:
    """The vocabulary with a piece for each further spelling, and the ids that come in the place of others."""

    choose: Callable[[Sequence[int]], int]

    def __call__(self, vocabulary: Vocabulary) -> tuple[Vocabulary, Mapping[int, int]]:
        return _spelled_out(vocabulary, self.choose)


def _spelled_out(
    vocabulary: Vocabulary, choose: Callable[[Sequence[int]], int]
) -> tuple[Vocabulary, Mapping[int, int]]:
    alike: dict[str, list[int]] = {}
    for piece, i in vocabulary.spelled_ids.items():
        if not _is_alone(piece):
            alike.setdefault(normalize("NFC", piece), []).append(i)
    pieces = [*vocabulary.pieces]
    given: dict[int, int] = {}
    for form, ids in alike.items():
        given |= dict.fromkeys(ids, choose(ids)) if len(ids) > 1 else {}
        for spelled in dict.fromkeys(_bytes_of(spellings(form))):
            if spelled not in vocabulary.model_ids:
                given[len(pieces)] = choose(ids)
                pieces.append(spelled)
    as_given = [given.get(i, i) for i in range(len(pieces))]
    return replace(
        vocabulary,
        pieces=tuple(pieces),
        kinds=tuple(vocabulary.kinds[i] for i in as_given),
        scores=tuple(vocabulary.scores[i] for i in as_given) if vocabulary.scores else (),
    ), given


def with_equivalent_merges(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with the merges of all spellings; of pairs that are equivalent the later place counts."""
    return replace(vocabulary, merges=tuple(_merges(vocabulary)))


def _merges(vocabulary: Vocabulary) -> Iterator[tuple[bytes, bytes]]:
    latest: dict[tuple[str, str], int] = {}
    for (left, right), place in vocabulary.merge_places.items():
        latest[(left, right) if _is_alone(left + right) else (normalize("NFC", left), normalize("NFC", right))] = place
    for left, right in sorted(latest, key=latest.__getitem__):
        yield from product(*(dict.fromkeys(_bytes_of((half, *spellings(half)))) for half in (left, right)))


def spellings(form: str) -> Iterator[str]:
    """The texts that are canonically equivalent to a text: itself, all apart, then what fewest steps lead to."""
    if _is_alone(form):
        return
    found = dict.fromkeys((form, normalize("NFD", form)))
    waiting = deque(found)
    while waiting and len(found) < _SPELLINGS:
        for text in _steps(waiting.popleft()):
            if text not in found:
                found[text] = None
                waiting.append(text)
    yield from found


def _steps(text: str) -> Iterator[str]:
    """The texts in which one character is decomposed, one or two are composed, or two marks change places."""
    for at, one in enumerate(text):
        for other in (_apart(one), *_made_of().get(one, ())):
            if other:
                yield text[:at] + other + text[at + 1 :]
    for at, (one, other) in enumerate(pairwise(text)):
        made = dict.fromkeys((*_made_of().get(one + other, ()), normalize("NFC", one + other)))
        swapped = [other + one] if 0 != combining(one) != combining(other) != 0 else []
        yield from (text[:at] + new + text[at + 2 :] for new in (*made, *swapped))


def _is_alone(text: str) -> bool:
    """Whether it is surely the only text of its class."""
    return _with_others().isdisjoint(text)


@cache
def _with_others() -> frozenset[str]:
    """The characters that are equivalent to other texts, alone or behind another character."""
    every = [*map(chr, range(sys.maxunicode + 1))]
    apart = ((one, normalize("NFD", one)) for one in every)
    parts = ({one, *other[1:]} for one, other in apart if one != other)
    return frozenset(filter(combining, every)).union((one for one in _made_of() if len(one) == 1), *parts)


@cache
def _apart(character: str) -> str:
    """What Unicode decomposes a character to in one step; empty where it is made of nothing else."""
    apart = normalize("NFD", character)
    if apart == character:
        return ""
    if said := decomposition(character):
        return "".join(chr(int(number, 16)) for number in said.split())
    return normalize("NFC", apart[:-1]) + apart[-1]  # a syllable of Hangul: those are not in the table


@cache
def _made_of() -> Mapping[str, Sequence[str]]:
    """The characters that are decomposed to a text in one step, by that text; without Hangul."""
    found: dict[str, list[str]] = {}
    for one in map(chr, range(sys.maxunicode + 1)):
        if decomposition(one) and (apart := _apart(one)):
            found.setdefault(apart, []).append(one)
    return found


def _bytes_of(texts: Iterator[str] | Sequence[str]) -> Iterator[bytes]:
    return (text.encode("utf-8", "surrogateescape") for text in texts)


def _finds(number: int, choose: Callable[[Sequence[int]], int]) -> Derived:
    """A `derive` for the field segment. Characters of the byte alphabet have one spelling only."""

    def make(behaviour: Behaviour) -> object:
        return behaviour.segment if behaviour.byte_level else Equivalent(behaviour.segment, choose)

    return Derived(Place.BEFORE, number, make)


def _merges_too(behaviour: Behaviour) -> object:
    if behaviour.byte_level or algorithm(behaviour.segment) is not bpe:
        return behaviour.segment
    return Equivalent(SeenAs(behaviour.segment, with_equivalent_merges), max)


QUIRKS = (
    Quirk(
        name="finds_later_of_equivalent_pieces",
        title="Takes canonically equivalent pieces for one; the later id counts",
        symptom="Letters and signs get the ids of pieces that look the same. A semicolon becomes the Greek question "
        "mark, and à becomes the piece of a letter and a mark.",
        cause="The vocabulary is a dictionary of Swift strings, or its keys were normalized. Pieces that are "
        "canonically equivalent have one key, and the later piece takes the place of the earlier.",
        fix=_FIX,
        field="segment",
        derive=_finds(130, max),
        links=_LINKS,
        witness=lambda: toys.spm("à a\N{COMBINING GRAVE ACCENT}").on("à"),
    ),
    Quirk(
        name="finds_earlier_of_equivalent_pieces",
        title="Takes canonically equivalent pieces for one; the earlier id counts",
        symptom="Letters with combining marks get the id of a piece that looks the same: a letter and a mark become à "
        "as one character.",
        cause="The vocabulary is a dictionary of Swift strings, or its keys were normalized. Pieces that are "
        "canonically equivalent have one key, and the first piece keeps it.",
        fix=_FIX,
        field="segment",
        derive=_finds(140, min),
        links=_LINKS,
        witness=lambda: toys.spm("à a\N{COMBINING GRAVE ACCENT} a \N{COMBINING GRAVE ACCENT}").on(
            "a\N{COMBINING GRAVE ACCENT}"
        ),
    ),
    Quirk(
        name="merges_equivalent_pieces",
        title="Compares merges and pieces by canonical equivalence",
        symptom="Letters with combining marks merge as one character would, and get the id of a piece that looks the "
        "same.",
        cause="Vocabulary and merges are dictionaries of Swift strings. Pieces and pairs that are canonically "
        "equivalent have one key, and the later one takes the place of the earlier.",
        fix=_FIX,
        field="segment",
        derive=Derived(Place.BEFORE, 150, _merges_too),
        links=_LINKS,
        witness=lambda: toys.bpe("ab\N{COMBINING GRAVE ACCENT}à", "a+\N{COMBINING GRAVE ACCENT} à+b").on(
            "a\N{COMBINING GRAVE ACCENT}b"
        ),
    ),
)
