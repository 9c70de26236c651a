"""Words of random characters with white space between, as three generators of llama.cpp's script make them.

Random characters (European letters and signs), random Unicode, and random characters of the vocabulary; see
`tests/test-tokenizer-random.py`. Its texts have 200 to 1,000 words, ours up to 24: they shrink sooner.
"""

from __future__ import annotations

import random

from tokparity.generators import Draw
from tokparity.generators.characters import any_code_point, few, number, permuted, pick, scalar
from tokparity.generators.subject import Subject

NAME = "random_words"
TITLE = "words of random letters and signs, of random code points, of the vocabulary's characters"

_SIMPLE = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜáéíóúàèìòùâêîôûäëïöü"
    ".-,*/+ª!\"·$%&()=?¿[]{}<>\\|@#~½¬;:_'0123456789ñçßøåæœšž"
)
_GAPS = (" ",) * 10 + ("\n",) * 3 + ("\r\n",) * 2 + ("\t",) * 2 + ("  ", "")


def prepare(subject: Subject) -> Draw:
    """Texts of 1 to 24 words."""
    characters = subject.characters

    def code_point(rng: random.Random) -> str:
        return any_code_point(rng) if rng.random() < 0.2 else scalar(permuted(number(rng, 0, 1 << 30), 0x2F800))

    def draw(rng: random.Random, index: int) -> bytes:
        kind = index % 3
        parts: list[str] = []
        for _ in range(few(rng, 24)):
            length = number(rng, 1, 7)
            if kind == 0:
                parts.extend(pick(rng, _SIMPLE) for _ in range(length))
            elif kind == 1:
                parts.extend(code_point(rng) for _ in range(length))
            else:
                parts.extend(pick(rng, characters) for _ in range(length))
            parts.append(pick(rng, _GAPS))
        return "".join(parts).encode()

    return draw
