"""What a reader sees as one character and is several: marks, joined emoji, jamo, conjuncts, in all normal forms."""

from __future__ import annotations

import random
from collections.abc import Callable

from tokparity.generators import Draw
from tokparity.generators.characters import DIGITS, FORMS, LETTERS, MARKS, few, normal_form, number, of, pick
from tokparity.generators.subject import Subject

NAME = "graphemes"
TITLE = "base and marks, ZWJ chains, flags, jamo, conjuncts, in all normal forms"

_ZWJ, _ZWNJ, _VS15, _VS16, _KEYCAP = "\u200d", "\u200c", "\ufe0e", "\ufe0f", "\u20e3"
_EMOJI = "👩👨👧👦🏳🌈❤🔥💻🚀🐻❄👁🗨⚕✈😶🌫🧑🤝☠🦰♀♂"
_TONES = tuple(chr(code) for code in range(0x1F3FB, 0x1F400))
_INDIC = ((0x915, 0x939, 0x94D, 0x93E), (0x995, 0x9B9, 0x9CD, 0x9BE), (0xA15, 0xA39, 0xA4D, 0xA3E),
          (0xA95, 0xAB9, 0xACD, 0xABE), (0xB15, 0xB39, 0xB4D, 0xB3E), (0xB95, 0xBB9, 0xBCD, 0xBBE),
          (0xC15, 0xC39, 0xC4D, 0xC3E), (0xC95, 0xCB9, 0xCCD, 0xCBE), (0xD15, 0xD39, 0xD4D, 0xD3E),
          (0xD9A, 0xDC6, 0xDCA, 0xDCF), (0x1780, 0x17A2, 0x17D2, 0x17B6), (0x1000, 0x1021, 0x1039, 0x102B))  # fmt: skip
"""First and last consonant, virama, first vowel sign of twelve scripts."""

_COMPOSED = ((0xC0, 0x17F), (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0xFB00, 0xFB06), (0x132, 0x133), (0x1C4, 0x1CC),
             (0xFF66, 0xFF9F), (0x304C, 0x3094), (0x3300, 0x33FF), (0xF900, 0xFAFF),
             (0x2460, 0x24FF), (0x1D400, 0x1D7FF))  # fmt: skip
"""Characters that a normal form takes apart."""

Cluster = Callable[[random.Random], str]


def prepare(subject: Subject) -> Draw:
    """One to four clusters, bare or among words."""

    def draw(rng: random.Random, index: int) -> bytes:
        clusters = [CLUSTERS[index % len(CLUSTERS)](rng)]
        clusters += [pick(rng, CLUSTERS)(rng) for _ in range(few(rng, 4) - 1)]
        text = pick(rng, ("", "", "", " ", "a", "\n", "1")).join(clusters)
        if rng.random() < 0.2:
            text = pick(rng, ("a", " ", "A ", "1", "\n")) + text
        if rng.random() < 0.3:
            text = normal_form(pick(rng, FORMS), text)
        return text.encode()

    return draw


def _marked(rng: random.Random) -> str:
    base = of(rng, pick(rng, (LETTERS, LETTERS, _COMPOSED, DIGITS))) if rng.random() < 0.9 else ""
    return base + "".join(of(rng, MARKS) for _ in range(few(rng, 4)))


def _joined(rng: random.Random) -> str:
    """Emoji with tones and selectors, joined; now and then a joiner with nothing to join."""
    parts = [
        pick(rng, _EMOJI) + pick(rng, ("", "", _VS16, _VS15, pick(rng, _TONES), "\u0301")) for _ in range(few(rng, 5))
    ]
    return _ZWJ.join(parts) + pick(rng, ("", "", "", _ZWJ, _VS16))


def _selected(rng: random.Random) -> str:
    selector = chr(number(rng, 0xFE00, 0xFE0F)) if rng.random() < 0.7 else chr(number(rng, 0xE0100, 0xE0110))
    return of(rng, LETTERS) + selector * few(rng, 2)


def _flags(rng: random.Random) -> str:
    return "".join(chr(number(rng, 0x1F1E6, 0x1F1FF)) for _ in range(few(rng, 5)))


def _tags(rng: random.Random) -> str:
    letters = "".join(chr(number(rng, 0xE0061, 0xE007A)) for _ in range(few(rng, 5)))
    return "🏴" + letters + pick(rng, ("\U000e007f", "\U000e007f", ""))


def _keycap(rng: random.Random) -> str:
    return pick(rng, "0123456789#*") + pick(rng, (_VS16, "")) + pick(rng, (_KEYCAP, _KEYCAP, ""))


def _hangul(rng: random.Random) -> str:
    """Leading, vowel and trailing jamo, whole syllables, and halves of them."""
    leading, vowel, trailing = number(rng, 0x1100, 0x1112), number(rng, 0x1161, 0x1175), number(rng, 0x11A8, 0x11C2)
    syllable = chr(number(rng, 0xAC00, 0xD7A3))
    shapes = ((leading, vowel), (leading, vowel, trailing), (leading,), (vowel, trailing), (leading, leading, vowel))
    return pick(rng, ("", syllable)) + "".join(map(chr, pick(rng, shapes))) + pick(rng, ("", "\u302e", "\u0301"))


def _conjunct(rng: random.Random) -> str:
    first, last, virama, vowel = pick(rng, _INDIC)
    parts = [chr(number(rng, first, last)) for _ in range(few(rng, 4))]
    glue = chr(virama) + pick(rng, ("", "", _ZWJ, _ZWNJ))
    return glue.join(parts) + pick(rng, ("", chr(vowel + number(rng, 0, 6)), chr(virama), chr(first - 0x13)))


def _stacked(rng: random.Random) -> str:
    """Thai, Lao, Tibetan: a base with what goes above and below it."""
    first, last, marks = pick(
        rng, ((0xE01, 0xE2E, (0xE31, 0xE4E)), (0xE81, 0xEAE, (0xEB1, 0xECD)), (0xF40, 0xF6C, (0xF71, 0xFBC)))
    )
    return chr(number(rng, first, last)) + "".join(chr(number(rng, *marks)) for _ in range(few(rng, 3)))


def _composed(rng: random.Random) -> str:
    return of(rng, _COMPOSED) + (of(rng, MARKS) if rng.random() < 0.5 else "")


CLUSTERS: tuple[Cluster, ...] = (
    _marked, _joined, _selected, _flags, _tags, _keycap, _hangul, _conjunct, _stacked, _composed, _marked, _composed,
)  # fmt: skip
