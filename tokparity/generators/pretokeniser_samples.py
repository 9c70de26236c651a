"""Strings drawn from the alternatives of the model's own pre-tokenizer, and from what lies just beside them.

Some expressions that most pre-tokenizers have in one form or another are always among them: where two engines use
different ones, it shows there.
"""

from __future__ import annotations

import random

from tokparity.errors import FormatError
from tokparity.generators import Draw
from tokparity.generators.characters import SPACES, few, number, pick
from tokparity.generators.regex_samples import ALPHABET, Sample, alternatives
from tokparity.generators.subject import Subject

NAME = "pretokeniser_samples"
TITLE = "strings at the boundaries of every alternative of the pre-tokenizer"

COMMON = (
    r"'(?i:[sdmt]|ll|ve|re)",
    r"[^\r\n\p{L}\p{N}]?\p{L}+",
    r"\p{N}{1,5}",
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
    r"\s*[\r\n]+",
    r"\s{1,4}",
    r"\p{Lu}+\p{Ll}+\p{M}*",
    r"\p{L}\p{M}+\p{L}?",
    r"[一-龥぀-ゟ゠-ヿ]+",
    r"[0-9][0-9][0-9]",
    r"[!-/:-~\[-`]+[A-Za-z]+",
    r"_?[A-Za-z0-9]+_?",
    r"[\p{P}\p{S}]+\p{N}",
    r" ?\p{M}+",
)


def prepare(subject: Subject) -> Draw:
    """One to four samples in a row, now and then with a character changed at the seam."""
    own = _samplers(subject.patterns)
    common = _samplers(COMMON)
    pieces = subject.index

    def one(rng: random.Random) -> str:
        text = pick(rng, own if own and rng.random() < 0.6 else common)(rng)
        way = rng.random()
        if way < 0.1:
            return text[:-1]
        if way < 0.2:
            return text + text[-1:] * few(rng, 4)
        if way < 0.3:
            at = number(rng, 0, len(text))
            return text[:at] + pick(rng, ALPHABET) + text[at:]
        return text.swapcase() if way < 0.35 and text.isascii() else text

    def joined(rng: random.Random) -> bytes:
        """A sample and a piece that share a character: so a word's boundary comes to lie inside of a piece."""
        text = one(rng)
        if not text:
            return b""
        first, last, middle = text[0].encode(), text[-1].encode(), text.encode()
        if rng.random() < 0.3:
            last = last[-1:]  # pieces of bytes begin and end inside of characters
        before, after = pieces.one_ending(rng, first) or first, pieces.one_beginning(rng, last) or last
        way = number(rng, 0, 2)
        middle = middle + after[len(last) :] if way < 2 else middle
        return before[: len(before) - len(first)] + middle if way > 0 else middle

    def draw(rng: random.Random, index: int) -> bytes:
        if index % 3 == 0:
            return joined(rng)
        parts = [one(rng) for _ in range(1 + index % 4)]
        return pick(rng, ("", "", "", " ", *SPACES)).join(parts).encode()

    return draw


def _samplers(patterns: tuple[str, ...]) -> tuple[Sample, ...]:
    """Every alternative of every pattern; a pattern that is beyond the sampler gives none."""
    found: list[Sample] = []
    for pattern in patterns:
        try:
            found += alternatives(pattern)
        except FormatError:
            continue  # an exotic pattern: the common ones are drawn from instead
    return tuple(found)
