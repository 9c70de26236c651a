"""Texts for pieces and merges that two tokenizers rank differently: each beside what it overtakes in one of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from math import inf
from typing import TypeVar

from tokparity.case import Origin, TextCase, text_case
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.reference.spm import spm
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Vocabulary

_ENTRIES = 12
"""Pieces or merges that are looked at, evenly spread over all that differ."""
_TEXTS = 6_000
"""Texts in all."""
_FEWEST = 100
"""Texts of one piece or merge at least."""
_REPEATED = (2, 3, 150)
"""Times that a piece stands in a row: a word that is a piece may be taken whole, without merges."""

_Entry = TypeVar("_Entry")
_Pair = tuple[str, str]
_Places = Mapping[_Pair, float]


def rivals(one: Tokenizer, other: Tokenizer) -> Iterator[TextCase]:
    """Texts in which a piece or a merge whose rank differs meets others; none where all ranks are the same."""
    ours, theirs = one.vocabulary, other.vocabulary
    by_scores = one.behaviour.segment in (spm, ugm)
    each = _of_scores(ours, theirs) if by_scores else _of_merges(ours.merge_places, theirs.merge_places)
    most = max(_TEXTS // max(len(each), 1), _FEWEST)
    for symbols in islice(chain.from_iterable(islice(spelled, most) for spelled in each), _TEXTS):
        for text in _texts(symbols, one):
            yield text_case(text, False, False, Origin("given", "rivals"))


def _texts(symbols: str, tokenizer: Tokenizer) -> Iterator[bytes]:
    """The text that is cut into these symbols; also without the space that the model itself puts before a text."""
    behaviour = tokenizer.behaviour
    spelled = symbols.removesuffix(behaviour.word_suffix)
    if behaviour.byte_level:
        yield from_alphabet(spelled)
        return
    text = spelled.replace(behaviour.space_marker, " ") if behaviour.space_marker else spelled
    for form in dict.fromkeys((text.lstrip(" "), text)):
        yield form.encode("utf-8", "surrogateescape")


def _some(entries: Sequence[_Entry]) -> Sequence[_Entry]:
    """A few of them, evenly spread."""
    return entries[:: max(len(entries) // _ENTRIES, 1)][:_ENTRIES]


def _of_merges(ours: _Places, theirs: _Places) -> list[Iterator[str]]:
    """For each merge that only one side has, or that stands elsewhere, what it may be seen in."""
    if ours == theirs:
        return []
    lone = [pair for pair in (*ours, *theirs) if (pair in ours) != (pair in theirs)]
    common = [pair for pair in ours if pair in theirs]
    stay = _longest_rise([theirs[pair] for pair in common])
    moved = [pair for i, pair in enumerate(common) if i not in stay]
    return [_beside(pair, ours, theirs) for pair in (*_some(lone), *_some(moved))]


def _beside(pair: _Pair, ours: _Places, theirs: _Places) -> Iterator[str]:
    """What a merge makes, alone and beside the merges that it overtakes: those that want a part, or what it makes."""
    left, right = pair
    made = left + right
    yield made
    yield from (made * times for times in _REPEATED)
    before, after = ours.get(pair, inf), theirs.get(pair, inf)
    for first, second in dict.fromkeys((*ours, *theirs)):
        place, its = ours.get((first, second), inf), theirs.get((first, second), inf)
        if (before < place) == (after < its):
            continue
        if first == right or (made, first) in ours or (made, first) in theirs:
            yield made + (second if first == right else first + second)
        if second == left or (second, made) in ours or (second, made) in theirs:
            yield (first if second == left else first + second) + made


def _longest_rise(places: Sequence[float]) -> set[int]:
    """The indices of a longest rising run of entries (patience sorting); those left out are what was moved."""
    tails: list[float] = []
    at: list[int] = []  # of each tail
    before: list[int] = []
    for i, place in enumerate(places):
        length = bisect_left(tails, place)
        before.append(at[length - 1] if length else -1)
        tails[length : length + 1], at[length : length + 1] = [place], [i]
    found: set[int] = set()
    i = at[-1] if at else -1
    while i >= 0:
        found.add(i)
        i = before[i]
    return found


def _of_scores(ours: Vocabulary, theirs: Vocabulary) -> list[Iterator[str]]:
    """For each piece of another score, what it may be seen in."""
    if len(ours.scores) != len(theirs.scores):
        return []
    known = ours.spelled_ids
    other = [piece for piece, i in known.items() if ours.scores[i] != theirs.scores[i]]
    return [_across(piece, known) for piece in _some(other)]


def _across(piece: str, known: Mapping[str, int]) -> Iterator[str]:
    """A piece alone, in longer pieces, and together with those that share its beginning or its end with it."""
    yield piece
    yield from (piece * times for times in _REPEATED)
    ends = [(piece[i:], piece[:i]) for i in range(1, len(piece))]
    for rival in known:
        if piece in rival:
            yield rival
        for tail, head in ends:
            if rival.startswith(tail):
                yield head + rival
            if rival.endswith(head):
                yield rival + tail
    for rival in known:  # a rival that only meets it
        yield piece + rival
        yield rival + piece
