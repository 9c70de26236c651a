"""Small models for the `tokenizers` library, trained by counting.

The library's own trainers give another vocabulary each time (they walk through hash maps), and a test should not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tokenizers import Tokenizer, models

SIZE = 700
"""Pieces of each model, special ones not counted."""
_LONGEST = 6  # characters of a piece of a Unigram

Words = Mapping[str, int]
"""How often each word comes."""
Pair = tuple[str, str]


@dataclass(frozen=True)
class Recipe:
    """How to make a model of words; its special tokens are its first pieces."""

    special: Sequence[str]
    make: Callable[[Words], Any]


def train(tokenizer: Tokenizer, recipe: Recipe, lines: Iterable[str]) -> None:
    """Give the tokenizer a model of what its first stages make of the lines."""
    words: Counter[str] = Counter()
    for line in lines:
        text = tokenizer.normalizer.normalize_str(line) if tokenizer.normalizer else line
        cut = tokenizer.pre_tokenizer.pre_tokenize_str(text) if tokenizer.pre_tokenizer else [(text, (0, 0))]
        words.update(word for word, _ in cut)
    tokenizer.model = recipe.make(words)
    tokenizer.add_special_tokens(list(recipe.special))


def unigram(special: Sequence[str], unknown: str = "<unk>") -> Recipe:
    """The substrings that cover most, scored by how often they come."""

    def make(words: Words) -> Any:
        counts: Counter[str] = Counter()
        for word, count in words.items():
            for start in range(len(word)):
                for end in range(start + 1, min(start + _LONGEST, len(word)) + 1):
                    counts[word[start:end]] += count
        best = sorted(counts, key=lambda piece: (len(piece) > 1, -counts[piece] * len(piece), piece))
        scored = [(piece, math.log(counts[piece] / counts.total())) for piece in _without(special, best)]
        return models.Unigram([*((token, 0.0) for token in special), *scored], unk_id=special.index(unknown))

    return Recipe(special, make)


def bpe(special: Sequence[str], alphabet: Sequence[str] = (), **options: Any) -> Recipe:
    """Merges of what stands side by side most often; the alphabet is in it in any case, `options` are the model's."""
    prefix, suffix = (options.get(name) or "" for name in ("continuing_subword_prefix", "end_of_word_suffix"))

    def make(words: Words) -> Any:
        symbols, merges = _merges(words, prefix, suffix, alphabet)
        made = (left + right.removeprefix(prefix) for left, right in merges)
        return models.BPE(_vocabulary(special, (*symbols, *made)), merges, **options)

    return Recipe(special, make)


def wordpiece(special: Sequence[str], prefix: str = "##", **options: Any) -> Recipe:
    """The pieces that merging would make, which are matched longest first."""

    def make(words: Words) -> Any:
        symbols, merges = _merges(words, prefix, "")
        made = (left + right.removeprefix(prefix) for left, right in merges)
        vocabulary = _vocabulary(special, (*symbols, *made))
        return models.WordPiece(vocabulary, continuing_subword_prefix=prefix, **options)

    return Recipe(special, make)


def word_level(special: Sequence[str], unknown: str) -> Recipe:
    """Whole words."""

    def make(words: Words) -> Any:
        frequent = sorted(words, key=lambda word: (-words[word], word))
        return models.WordLevel(_vocabulary(special, frequent), unk_token=unknown)

    return Recipe(special, make)


def _vocabulary(special: Sequence[str], pieces: Iterable[str]) -> dict[str, int]:
    return {piece: i for i, piece in enumerate([*special, *_without(special, pieces)])}


def _without(special: Sequence[str], pieces: Iterable[str]) -> list[str]:
    return [piece for piece in dict.fromkeys(pieces) if piece not in special][:SIZE]


def _merges(words: Words, prefix: str, suffix: str, alphabet: Sequence[str] = ()) -> tuple[list[str], list[Pair]]:
    """The symbols that words begin as, and merges until there are SIZE pieces or no pair comes twice."""
    cut = [[c if i == 0 else prefix + c for i, c in enumerate(word)] for word in words if word]
    counts = [count for word, count in words.items() if word]
    for symbols in cut:
        symbols[-1] += suffix
    alphabet = sorted({*alphabet, *(symbol for symbols in cut for symbol in symbols)})
    places: dict[Pair, Counter[int]] = {}  # of each pair: in which words, how often
    for i, symbols in enumerate(cut):
        for pair in pairwise(symbols):
            places.setdefault(pair, Counter())[i] += 1
    merges: list[Pair] = []
    while len(alphabet) + len(merges) < SIZE and places:
        often = {pair: sum(counts[i] * n for i, n in where.items()) for pair, where in places.items()}
        best = min(often, key=lambda pair: (-often[pair], pair))
        if often[best] < 2:
            break
        merges.append(best)
        for i in places[best].copy():
            _count(places, cut[i], i, -1)
            cut[i] = _merged(cut[i], best, prefix)
            _count(places, cut[i], i, 1)
    return alphabet, merges


def _count(places: dict[Pair, Counter[int]], symbols: list[str], word: int, step: int) -> None:
    for pair in pairwise(symbols):
        where = places.setdefault(pair, Counter())
        where[word] += step
        if not where[word]:
            del where[word]
        if not where:
            del places[pair]


def _merged(symbols: list[str], pair: Pair, prefix: str) -> list[str]:
    merged: list[str] = []
    i = 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            merged.append(pair[0] + pair[1].removeprefix(prefix))
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged
