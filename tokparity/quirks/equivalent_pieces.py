"""Quirks of a vocabulary whose keys are equal where Unicode calls them canonically equivalent.

A String of Swift compares so: "à" as one character is "à" as a letter and a mark. Source: the Swift standard library,
`String.==`; Unicode, chapter 3.7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from typing import Any
from unicodedata import decomposition, normalize

from tokparity.behaviour import Behaviour, Trace
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import SeenAs, algorithm
from tokparity.reference.bpe import bpe
from tokparity.vocabulary import Vocabulary

_SPELLINGS = 32
"""How many spellings of a piece are found at most: those of a word with five letters that have two each."""

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
        spelled, given = _spelled_out(vocabulary, self.choose)
        segment = self.inner(spelled, behaviour)

        def found(word: str, trace: Trace | None = None) -> list[int]:
            return [given.get(i, i) for i in segment(word, trace)]

        return found


def _spelled_out(
    vocabulary: Vocabulary, choose: Callable[[Sequence[int]], int]
) -> tuple[Vocabulary, Mapping[int, int]]:
    """The vocabulary with a piece for each further spelling, and the ids that come in the place of others."""
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
    """The texts that are canonically equivalent to a text in NFC, each character by itself, up to a number."""
    if not _is_alone(form):
        yield from map("".join, islice(product(*map(_ways, form)), _SPELLINGS))
        yield normalize("NFD", form)


def _is_alone(text: str) -> bool:
    """Whether it is surely the only text of its class."""
    return _with_others().isdisjoint(text)


@cache
def _with_others() -> frozenset[str]:
    """The characters that are equivalent to other texts, alone or behind another character."""
    apart = ((one, normalize("NFD", one)) for one in map(chr, range(0x110000)))
    return frozenset(_also()).union(*({one, *other[1:]} for one, other in apart if one != other))


@cache
def _ways(character: str) -> Sequence[str]:
    """The character, without its last mark, and so on, each mark behind it; and each by the names that it also has."""
    apart = normalize("NFD", character)
    parts = dict.fromkeys(normalize("NFC", apart[:n]) + apart[n:] for n in range(len(apart), 0, -1))
    return ["".join(way) for part in parts for way in product(*((one, *_also().get(one, ())) for one in part))]


@cache
def _also() -> Mapping[str, Sequence[str]]:
    """The characters that are a certain other one in every normal form, such as the sign for ohm; by that other one."""
    found: dict[str, list[str]] = {}
    for one in map(chr, range(0x110000)):
        if decomposition(one) and len(composed := normalize("NFC", one)) == 1 and composed != one:
            found.setdefault(composed, []).append(one)
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
        symptom="Accented letters get the id of a piece that looks the same: à as one character becomes à as a letter "
        "and a mark. Letters with marks become a piece where they should be two.",
        cause="The vocabulary is a dictionary of Swift strings, or its keys were normalized. Pieces that are "
        "canonically equivalent have one key, and the later piece takes the place of the earlier.",
        fix="Compare the bytes of pieces, not strings: take UTF-8 bytes or NSString as keys.",
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
        fix="Compare the bytes of pieces, not strings: take UTF-8 bytes or NSString as keys.",
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
        fix="Compare the bytes of pieces, not strings: take UTF-8 bytes or NSString as keys, or merge ids.",
        field="segment",
        derive=Derived(Place.BEFORE, 150, _merges_too),
        links=_LINKS,
        witness=lambda: toys.bpe("ab\N{COMBINING GRAVE ACCENT}à", "a+\N{COMBINING GRAVE ACCENT} à+b").on(
            "a\N{COMBINING GRAVE ACCENT}b"
        ),
    ),
)
