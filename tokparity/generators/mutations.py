"""Texts of the corpora with something changed: inserted, deleted, doubled, moved, in other case or form, bytes cut."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from tokparity.generators import Draw
from tokparity.generators.characters import (
    FORMS,
    LETTERS,
    MARKS,
    SPACES,
    UNUSUAL,
    any_code_point,
    few,
    normal_form,
    number,
    of,
    pick,
)
from tokparity.generators.subject import Subject
from tokparity.sources import corpus
from tokparity.sources.generated_corpora import GENERATED

NAME = "mutations"
TITLE = "texts of the corpora with something changed"

_WINDOW = 48
"""Bytes of a corpus text that are used at a time."""

_LONGEST = 400
"""Bytes; what grows beyond is cut."""

_CASED_BELOW = 0x590
"""Only the case of older scripts is swapped: which others have case depends on the version of Unicode."""


def prepare(subject: Subject) -> Draw:
    """A window of a corpus text with one to four changes. Computed corpora depend on installed libraries: left out."""
    sources = _sources()
    words = subject.words

    def draw(rng: random.Random, index: int) -> bytes:
        source = pick(rng, sources)
        start = number(rng, 0, max(len(source) - _WINDOW, 0))
        window = source[start : start + number(rng, 1, _WINDOW)].decode("utf-8", "ignore")
        return mutate(rng, window.encode(), words)

    return draw


@cache
def _sources() -> tuple[bytes, ...]:
    return tuple(
        case.question.text
        for name in corpus.names()
        if name not in GENERATED and name not in corpus.LONG
        for case in corpus.load(name)
        if case.question.text
    )


def mutate(rng: random.Random, text: bytes, words: tuple[bytes, ...]) -> bytes:
    """The text with one to four changes; `words` are what may be inserted."""
    for _ in range(few(rng, 4)):
        if rng.random() < 0.05 and text:
            text = _broken(rng, text)
        else:
            characters = text.decode("utf-8", "surrogateescape")
            text = pick(rng, _CHANGES)(rng, characters, words).encode("utf-8", "surrogateescape")
    return text if len(text) <= _LONGEST else text[:_LONGEST]


def _broken(rng: random.Random, text: bytes) -> bytes:
    """One byte cut out, or changed."""
    at = number(rng, 0, len(text) - 1)
    return text[:at] + (b"" if rng.random() < 0.5 else bytes((number(rng, 0, 255),))) + text[at + 1 :]


def _span(rng: random.Random, text: str) -> tuple[int, int]:
    start = number(rng, 0, len(text))
    return start, min(len(text), start + few(rng, 6))


def _insert(rng: random.Random, text: str, words: tuple[bytes, ...]) -> str:
    at, _ = _span(rng, text)
    new = pick(rng, (
        pick(rng, SPACES), of(rng, MARKS), of(rng, LETTERS), any_code_point(rng), of(rng, UNUSUAL),
        pick(rng, words).decode("utf-8", "surrogateescape"), pick(rng, words).decode("utf-8", "surrogateescape"),
        chr(number(rng, 0x21, 0x7E)), pick(rng, "0123456789"),
    ))  # fmt: skip
    return text[:at] + new + text[at:]


def _delete(rng: random.Random, text: str, words: tuple[bytes, ...]) -> str:
    start, end = _span(rng, text)
    return text[:start] + text[end:]


def _double(rng: random.Random, text: str, words: tuple[bytes, ...]) -> str:
    start, end = _span(rng, text)
    return text[:end] + text[start:end] * few(rng, 3) + text[end:]


def _move(rng: random.Random, text: str, words: tuple[bytes, ...]) -> str:
    start, end = _span(rng, text)
    rest = text[:start] + text[end:]
    at = number(rng, 0, len(rest))
    return rest[:at] + text[start:end] + rest[at:]


def _swap_case(rng: random.Random, text: str, words: tuple[bytes, ...]) -> str:
    start, end = _span(rng, text)
    swapped = "".join(c.swapcase() if ord(c) < _CASED_BELOW else c for c in text[start:end])
    return text[:start] + swapped + text[end:]


def _reform(rng: random.Random, text: str, words: tuple[bytes, ...]) -> str:
    start, end = _span(rng, text)
    return text[:start] + normal_form(pick(rng, FORMS), text[start:end]) + text[end:]


def _replace(rng: random.Random, text: str, words: tuple[bytes, ...]) -> str:
    start, end = _span(rng, text)
    return text[:start] + of(rng, pick(rng, (LETTERS, MARKS, UNUSUAL))) + text[end:]


Change = Callable[[random.Random, str, tuple[bytes, ...]], str]
_CHANGES: tuple[Change, ...] = (_insert, _insert, _delete, _double, _move, _swap_case, _reform, _replace)
