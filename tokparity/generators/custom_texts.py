"""Texts written by hand: everyday ones, and the edge cases that tokenizers are known to have stumbled over.

The classes of texts are those of llama.cpp's `tests/test-tokenizer-random.py` (custom texts, edge cases) and of the
issues behind them. After each alone come pairs of them.
"""

from __future__ import annotations

import random

from tokparity.generators import SEED_STEP, Draw
from tokparity.generators.characters import SPACES, pick
from tokparity.generators.subject import Subject

NAME = "custom_texts"
TITLE = "everyday texts and known edge cases, alone and in pairs"

EVERYDAY = (
    "", " ", "  ", "   ", "\t", "\n", "\n\n", "\n\n\n", "\t\n", "\r\n", "Good morning", " Good morning", "Good Morning",
    " GOOD MORNING!", "Good, morning!", " see 🦙.cpp run", "x097 kq84tz bvvrpl", "Доброе утро", "ភាសាខ្មែរពិបាក",
    "🚀 (one) 😶‍🌫️ (several code points) ✅ (a piece of its own)", "    Four\n    Four", " (", "\n =", "' ago",
    "Hey, y'all! We're 😀 ?我想去Berlin玩2718281天～", "7", "77", "777", "7777", "77777", "777777", "7777777777",
    "1,234.56", "12:30", "don't", "DON'T", "I'll", "I’ll", "they've'd", "a'b", "'s", "a\u0301",
    "naïve", "œuvre", "Straße",
)  # fmt: skip

EDGE_CASES = (
    "\x1f-b", "¼-b", "½-b", "¾-b", "b 〇c", "Ⅵ-b", "\ufeff//", "Cửa hàng Việt", "<s>b", "<unk><|endoftext|><s>", "b\nc",
    '"`', " \u2e4e", "\n\x0b  ", "b\xa0\xa0\x00c", "two <mask>", "b </s> c", "b <mask> c", "\xa0bD", "\u2029 \uA3E4",
    "b ?", "å", "\U000ac517", "\U000522f4", "<s><s><unk><s>b<s>c<s>d<unk>e<unk></s>", "<s> <s> <unk> b </s> </s>",
    "!!!!!!", "      ", "▁", "▁▁b", " ▁b", "b▁ c", "Ġb", "<0x0A>", "<0x41>b", "##b", "b##c", "[UNK]", "[toxicity=0]",
    "e\u0301", "\u0301", "ｱ\uff9e", "か\u3099", "ﬁne", "①②", "㌔", "ǅ", "İ", "ſ", "ẞ", "ΟΔΟΣ", "\u1fae", "\U0001fae8",
    "各各", "สวัสดี", "क्षत्रिय", "👩‍👩‍👧", "🇩🇪🇫", "1️⃣", "\u200d", "\u200b b", "\u2060b", "b\u00adc", "\u061c", "\x7f",
    "a\x85b", "b\x0bc\x0cd",
)  # fmt: skip

ALL_AT_ONCE = (
    "  I'Ll DON'T\x01 \tnaïve é世界e\u0301½ﬁ😀a\u200d 12345 <s></s><unk>[MASK]<|endoftext|>\r\n\n ▁Ġ##ab!!!!  .,ÅΣ "
)
"""A text on which nearly every fault shows: what is wrong with an engine is known after one case, and then shrunk."""

TEXTS = (
    ALL_AT_ONCE.encode(),
    ALL_AT_ONCE.encode() + b"\xff\xe0\x80\xaf\x00 z",
    *(text.encode() for text in (*EVERYDAY, *EDGE_CASES)),
    b"\xff", b"b\x80c", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"b\x00c",
)  # fmt: skip


def prepare(subject: Subject) -> Draw:
    """Each text once, then two or three of them with something between."""

    def draw(rng: random.Random, index: int) -> bytes:
        place = index % SEED_STEP  # whatever the seed
        if place < len(TEXTS):
            return TEXTS[place]
        parts = [pick(rng, TEXTS), pick(rng, TEXTS)]
        return pick(rng, ("", *SPACES)).encode().join(parts)

    return draw
