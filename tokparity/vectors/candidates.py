"""The questions that the vectors of a model are chosen from."""

from __future__ import annotations

import heapq
import random
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product

from tokparity.case import Case, Origin, TextCase
from tokparity.generators import Prepared, id_sequences
from tokparity.questions import Decode, Encode, Question
from tokparity.session.deviations import known_cases
from tokparity.sources import corpus
from tokparity.sources.probes import probes
from tokparity.sources.random_texts import random_cases
from tokparity.vectors.comments import LANGUAGES
from tokparity.vectors.model import Right

SEED = 11
LONGEST = 400
"""Bytes of a text that is random or of a corpus."""

_CORPORA = ("whitespace", "special_tokens", "normalisation", "letter_case", "invalid_utf8", "code", "prompts")
_LINES = 40
"""Of each of these corpora."""
_FLAGS = tuple(product((False, True), repeat=2))
_SENTENCE = 60
"""Bytes from which on a line is a sentence."""
_TOKENS = 40
"""Pieces of a special kind that are decoded."""
_LONGEST_PIECES = 4
"""The longest pieces, which are decoded: a buffer may be too small for them."""
_ROW = 64
"""Ids of a row at most."""
_SPACES = ("\n", "\r\n", "\r", "\t", " \n", "\n ", "\v", "\f", "\u0085", "\u00a0", "\u2028", "\u3000", "\u200b")
"""White space, and two lines that follow each other."""
_WORD = 90
"""Characters of a long word, of which WordPiece takes at most 100."""

Known = dict[Question, Origin]
"""Questions and where each comes from."""


def first(prepared: Prepared, engines: Iterable[str]) -> Known:
    """The questions that are put to every mutant: probes, known deviations of engines, sentences, lines of corpora."""
    found: Known = {}
    subject = prepared.subject
    for case in (*probes(subject), *known_cases(engines)):
        asked = case.question
        found.setdefault(asked, case.origin)
        found.setdefault(Encode(asked.text, not asked.add_special, not asked.parse_special), case.origin)
    for case in chain(_lines(), sentences()):
        found.setdefault(case.question, case.origin)
    for text in chain(typical(), corners(), long_texts()):
        found.setdefault(text, Origin("given", "typical"))
    return found


def more(prepared: Prepared, count: int, seed: int) -> Known:
    """Random texts of all generators, each with one pair of flags."""
    cases = random_cases((), seed, count, prepared)
    return {
        Encode(case.question.text, *_FLAGS[number % 4]): case.origin
        for number, case in enumerate(cases)
        if len(case.question.text) <= LONGEST
    }


def rows(prepared: Prepared, answers: Iterable[Right], count: int, seed: int) -> Known:
    """Rows of ids to be decoded: ids of texts, of random pieces, of each special piece, all inside the vocabulary."""
    vocabulary = prepared.subject.vocabulary
    known = [row for row in answers if isinstance(row, tuple)]
    draw, rng = id_sequences.prepare(prepared.subject), random.Random(f"rows:{seed}")
    origin = Origin("generator", id_sequences.ORIGIN, 0, seed)
    drawn = (draw(rng, index, known) for index in range(count))
    found = [row for row in (*_special_rows(prepared, known), *known[: count // 2], *drawn) if row]
    inside = [row for row in found if all(0 <= one < len(vocabulary) and vocabulary.pieces[one] for one in row)]
    return {Decode(row[:_ROW], skip): origin for row in inside for skip in (True, False)}


def sentences() -> Iterator[TextCase]:
    """The first line that is long enough to be a sentence, of each language."""
    left = set(LANGUAGES)
    for case in corpus.load("languages"):
        if case.origin.name in left and len(case.question.text) > _SENTENCE:
            left.remove(case.origin.name)
            yield Case(Encode(case.question.text, True, False), case.origin)


def typical() -> Iterator[Encode]:
    """What every engine's author tries first."""
    for text in (
        "",
        "a\tb",
        "Hello, world!",
        "It's 1,234.50 €, isn't it?",
        "👍🏽 👩\u200d👩\u200d👧 🇩🇪",
        "x = [1, 2]\n\treturn x  # ok",
    ):
        yield Encode(text.encode(), True, False)


def decoded(right: Mapping[Question, Right]) -> Iterator[Decode]:
    """The ids of these texts, to be decoded again."""
    for row in map(right.get, typical()):
        if isinstance(row, tuple) and row:
            yield Decode(row[:_ROW], True)


def long_texts() -> Iterator[Encode]:
    """Texts beyond the sizes of buffers and blocks that engines use, up to 8,192 bytes: words, and a run of letters."""
    words = " ".join(f"{word}{number}" for number, word in enumerate(["the", "quick", "brown", "fox", "Jumps"] * 220))
    for size in (530, 2100, 8300):
        yield Encode(words[:size].encode(), True, False)
    yield Encode(("ä" * 300).encode(), False, False)


def corners() -> Iterator[Encode]:
    """Where readers, patterns, limits and caches of engines have corners, whatever the model is.

    Readers take repeated signs for comments and escapes. Each kind of white space stands behind each kind of character.
    Many tables begin with Latin-1. Long words have more bytes and UTF-16 units than characters. Words of one length
    begin or end alike.
    """
    texts = ["1".join(sign * times for sign in string.punctuation) for times in (2, 3)]
    texts += [f"a{space}b1{space}2.{space};{space}{space}-{space}" for space in _SPACES]
    texts.append("".join(map(chr, range(0xA1, 0x100))))
    texts.append(" ".join(letter * _WORD for letter in "aяა𐐨"))
    texts.append(" information informatics nationality rationality 1234567890123 1234567890124 listen silent")
    return (Encode(text.encode(), False, False) for text in texts)


def _special_rows(prepared: Prepared, known: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Each special id, and each of the longest pieces, alone, between ids of ordinary text, first and last."""
    subject = prepared.subject
    ordinary = next((row[-2:] for row in known if len(row) > 3), (0,))
    marked = [i for i, kind in enumerate(subject.vocabulary.kinds) if kind.value != 1]
    pieces = subject.vocabulary.pieces
    longest = heapq.nsmallest(_LONGEST_PIECES, range(len(pieces)), key=lambda one: (-len(pieces[one]), one))
    chosen = dict.fromkeys([*subject.vocabulary.special.values(), *marked[:_TOKENS], *marked[-_TOKENS:], *longest])
    for one in chosen:
        yield (one,)
        yield (*ordinary, one, *ordinary)
        yield (one, *ordinary)
        yield (*ordinary, one, one)


def _lines() -> Iterator[TextCase]:
    for name in _CORPORA:
        if name in corpus.names():
            yield from islice((case for case in corpus.load(name) if len(case.question.text) <= LONGEST), _LINES)
