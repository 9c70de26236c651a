"""Every key of the model's precompiled charsmap: alone, doubled, followed by a mark, cut short.

For a model without one: characters that compatibility normalization, case folding or accent stripping changes.
"""

from __future__ import annotations

import random

from tokparity.generators import Draw
from tokparity.generators.characters import (
    FORMS,
    LETTERS,
    MARKS,
    any_code_point,
    normal_form,
    number,
    of,
    permuted,
    pick,
)
from tokparity.generators.subject import Subject

NAME = "charsmap_keys"
TITLE = "keys of the precompiled charsmap alone, doubled, before marks, cut short"

_CHANGED = (
    "½", "¼", "²", "³", "ª", "º", "µ", "ﬁ", "ﬂ", "ﬃ", "ﬆ", "Ĳ", "ŉ", "Ǆ", "ǅ", "ǆ", "ſ", "ẛ", "Å", "Å", "Ω",
    "K", "ℌ", "℃", "℡", "™", "①", "⑳", "⒜", "㈠", "㌀", "㍿", "㎏", "\ufdfa", "\ufdf2", "﹏", "ａ", "Ａ", "１", "ｱ",
    "ｶﾞ", "ﾡ", "が", "が", "パ", "パ", "é", "é", "ñ", "ñ", "ế", "ế", "ằ", "각", "각", "ᄀ", "ㄱ", "豈", "契", "İ", "ı",
    "ß", "ẞ", "Σ", "ς", "\u03c2\u0301", "Ἀ", "ᾳ", "ǰ", "ΐ", "Ⅳ", "ⅳ", "ⁿ", "‥", "…", "‼", "⁇", "′", "″", "︰",
    "，", "；", "～", "￥", "￢", "⑴", "𝐀", "𝟘", "\U0001ee00", "🄰", "ﬀı", "\u0915\u093c", "\u09a1\u09bc", "ำ", "ຳ",
    "\u0f79", "\u0308\u0301", ";", "·", "´", "¨", "¸", "﹨", "ﾞ", "㊙", "\ufb21", "\u05f2\u05b7",
    "\u05e9\u05c1", "\ufefb",
)  # fmt: skip
_SPACES = (
    "\u00a0",
    "\u2003",
    "\u3000",
    "\u2028",
    "\u200b",
    "\u00ad",
    "\ufeff",
    "\t",
    "\n",
    "\r",
    "\x00",
    "\x7f",
    "\u2060",
)


def prepare(subject: Subject) -> Draw:
    """The keys by turns, each in one of eight shapes."""
    keys = tuple(sorted(key for key in subject.charsmap if key)) or (*_CHANGED, *_SPACES)

    def draw(rng: random.Random, index: int) -> bytes:
        return framed(rng, index).encode("utf-8", "surrogateescape")

    def framed(rng: random.Random, index: int) -> str:
        key = keys[permuted(index, len(keys))]
        text = _shaped(rng, key, pick(rng, keys))
        if rng.random() < 0.3:
            text = pick(rng, ("a", " ", "1", of(rng, LETTERS))) + text + pick(rng, ("", "a", " "))
        return text

    return draw


def _shaped(rng: random.Random, key: str, other: str) -> str:
    mark = of(rng, MARKS)
    shape = number(rng, 0, 8)
    if shape == 0:
        return key
    if shape == 1:
        return key + key
    if shape == 2:
        return key + mark
    if shape == 3:
        return key + other + mark
    if shape == 4:
        return key[: number(rng, 0, len(key))] + mark
    if shape == 5:
        return key + mark + of(rng, MARKS)
    if shape == 6:
        return normal_form(pick(rng, FORMS), key + other)
    if shape == 7:
        return key[:-1] + any_code_point(rng)
    return mark + key + other
