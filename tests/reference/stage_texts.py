"""Texts on which stages are compared with the library: what each of them has to decide about."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

ALL = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]

SOME = [
    character
    for character in ALL
    if character < "\U00040000" or (character >= "\U000e0000" and ord(character) < 0xE0200)
]
"""All but eleven planes in which Unicode has no character, and those for private use."""

EVERY_CODE_POINT = pytest.mark.parametrize(
    "characters", [SOME, pytest.param(ALL, marks=pytest.mark.nightly)], ids=["planes that are used", "all"]
)

FRAGMENTS = [
    *"ab xX-_.,!?'\"▁Ġ漢あé1٣½²ßſΣς",
    "\u0301",
    "\u0345",
    "\u200d",
    "\u00a0",
    "\u2028",
    "\u3000",
    "\x85",
    "\x1c",
    "\r\n",
    "\n",
    "\t",
    "  ",
    "'ll",
    "'S",
    "``",
    "ﬁ",
    "\u0958",
    "\u1100\u1161",
    "👨\u200d👩",
    "🇩🇪",
    "\U00011de0",
    "\u1c89",
    "\ufffd",
]

TEXTS = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.characters(codec="utf-8")), max_size=12).map("".join)
