"""Words that go on where a contraction might end: "it'sand", "WE'REALLY", with quotes of several kinds.

Most patterns of pre-tokenizers cut behind 's, 't, 're, 've, 'm, 'll and 'd, in small letters or in either case. Whether
one does shows in the ids only where some piece goes on there, so the words are pieces of the model.
"""

from __future__ import annotations

import random
import re

from tokparity.generators import Draw
from tokparity.generators.characters import LETTERS, of, pick
from tokparity.generators.subject import Subject

NAME = "contractions"
TITLE = "words that go on where a contraction might end"

_ENDED = re.compile(rb"(?i)(?:s|t|re|ve|m|ll|d)[a-z]+")
_QUOTES = ("'", "'", "'", "’", "ʼ", "＇")
_BEFORE = ("I", "it", "WE", "é", "世", "1", " ", "", "\n", ".")
_AFTER = ("", "", " ", "s", "'s", "\n", "1")


def prepare(subject: Subject) -> Draw:
    """A quote before a piece that begins as a contraction ends, with something before and behind it."""
    pieces = tuple(piece for piece in subject.words if _ENDED.fullmatch(piece)) or (b"sa", b"ree")

    def draw(rng: random.Random, index: int) -> bytes:
        before = of(rng, LETTERS) if index % 4 == 0 else pick(rng, _BEFORE)
        piece = pick(rng, pieces)
        if index % 3 == 0:
            piece = piece.upper()
        return (before + pick(rng, _QUOTES)).encode() + piece + pick(rng, _AFTER).encode()

    return draw
