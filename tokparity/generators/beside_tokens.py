"""Every added token beside each class of characters, and texts that come again after others.

What an engine does around a token may depend on the character before it or behind it; what it keeps from text to text
shows where the same few texts come again and again.
"""

from __future__ import annotations

import random

from tokparity.generators import Draw
from tokparity.generators.characters import permuted, pick
from tokparity.generators.subject import Subject

NAME = "beside_tokens"
TITLE = "every added token beside each class of characters; the same texts after others"

_BESIDE = (
    "", "a", "A", "1", " ", "  ", "\n", "\t", "\r\n", ".", "!", "<", "_", "'", "é", "ß", "世", "か", "ก", "한", "٣",
    "\u0301", "\u200d", "\ufe0f", "\u00a0", "\u3000", "\u2581", "\u0120", "\U0001f600", "\U0001d400", "\ufeff", "\0",
)  # fmt: skip
_AGAIN = 4
"""One text in so many is one of those that come again."""


def prepare(subject: Subject) -> Draw:
    """By turns before a token, behind it, and on both sides."""
    tokens = subject.tokens or ("<s>",)
    again = tuple(word.strip() + b" again" for word in subject.words[:: max(len(subject.words) // 16, 1)])
    places = len(tokens) * len(_BESIDE) * 3

    def draw(rng: random.Random, index: int) -> bytes:
        if index % _AGAIN == 0:
            return pick(rng, again)
        place, side = divmod(permuted(index - index // _AGAIN, places), 3)
        token, beside = tokens[place // len(_BESIDE)], _BESIDE[place % len(_BESIDE)]
        before, after = beside if side != 1 else "", beside if side != 0 else ""
        return (before + token + after + pick(rng, ("", "", "b"))).encode()

    return draw
