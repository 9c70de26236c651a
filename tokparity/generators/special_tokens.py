"""Added and special tokens: with spaces on either side, doubled, overlapping, cut short, inside words.

Holds what `added_lr_strip` and `random_added_tokens` of llama.cpp's `tests/test-tokenizer-random.py` describe.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tokparity.generators import Draw
from tokparity.generators.characters import LETTERS, few, number, of, permuted, pick
from tokparity.generators.subject import Subject

NAME = "special_tokens"
TITLE = "added and special tokens with spaces, overlaps, prefixes, inside words"

SPACES = ("", " ", "  ", "\n", "\r\n", "\n\n", "\t", "\t\t")
_MORE_SPACES = (*SPACES, "\u00a0", "\u3000", " \n ", "▁", "\u2009", "\u200b")
_LOOK_ALIKES = ("<s>", "</s>", "<unk>", "<|endoftext|>", "[CLS]", "[SEP]", "[MASK]", "<mask>", "<0x41>", "<|im_start|>")
_BETWEEN = (" ", "\n", "\t", "-", "!", "one", "1", "<s>", "</s>", "", "", "é", "世")


def prepare(subject: Subject) -> Draw:
    """A fifth from the enumeration of tokens in spaces, the rest drawn."""
    tokens = subject.tokens or _LOOK_ALIKES
    mixed = (*tokens, *_LOOK_ALIKES) if len(tokens) < 40 else tokens

    def draw(rng: random.Random, index: int) -> bytes:
        shape = index % 5
        if shape == 0:
            return at(tokens, permuted(index // 5, len(tokens) * len(SPACES) ** 2 * 4))
        if shape == 1:
            return _in_a_row(rng, mixed).encode()
        if shape == 2:
            return _cut(rng, mixed).encode()
        if shape == 3:
            return _overlapping(rng, mixed).encode()
        before, after = pick(rng, _MORE_SPACES), pick(rng, _MORE_SPACES)
        return (_word(rng) + before + pick(rng, mixed) + after + _word(rng)).encode()

    return draw


def _word(rng: random.Random) -> str:
    return pick(rng, ("", "", "a", "Hello", "é", "世界", "1", ".", "a b ", " ", of(rng, LETTERS)))


def _in_a_row(rng: random.Random, tokens: tuple[str, ...]) -> str:
    parts: list[str] = []
    for _ in range(few(rng, 8)):
        parts += [pick(rng, tokens), pick(rng, _BETWEEN)]
    return "".join(parts)


def _cut(rng: random.Random, tokens: tuple[str, ...]) -> str:
    """A token without its end or its beginning, or in another case, before or behind a whole one."""
    token = pick(rng, tokens)
    at = number(rng, 0, len(token))
    broken = pick(rng, (token[:at], token[at:], token[:at] + " " + token[at:], _upper(token), _lower(token), token * 2))
    return pick(rng, (broken, broken + pick(rng, tokens), pick(rng, tokens) + broken, "a" + broken + "b"))


def _upper(text: str) -> str:
    """ASCII letters alone: which others have case depends on the version of Unicode."""
    return "".join(c.upper() if c.isascii() else c for c in text)


def _lower(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def _overlapping(rng: random.Random, tokens: tuple[str, ...]) -> str:
    """Two tokens that share characters where they can, else side by side."""
    first, second = pick(rng, tokens), pick(rng, tokens)
    for length in range(min(len(first), len(second)) - 1, 0, -1):
        if first.endswith(second[:length]):
            return first + second[length:]
    cut = number(rng, 0, len(first))
    return first[:cut] + second + first[cut:]


def at(tokens: tuple[str, ...], place: int) -> bytes:
    """A token in spaces, alone or between letters: the text at a place of the enumeration."""
    place, shape = divmod(place, 4)
    place, right = divmod(place, len(SPACES))
    token, left = divmod(place, len(SPACES))
    spaced = SPACES[left] + tokens[token] + SPACES[right]
    return ("a" * (shape in (1, 3)) + spaced + "z" * (shape >= 2)).encode()


def in_order(subject: Subject) -> Iterator[bytes]:
    """The whole enumeration as llama.cpp's script walks it, over the model's sorted tokens."""
    tokens = tuple(sorted(subject.tokens))
    return (at(tokens, place) for place in range(len(tokens) * len(SPACES) ** 2 * 4))
