"""Splitting where the script changes.

Source: tokenizers 0.23, `pre_tokenizers/unicode_scripts`, which has the scripts of Unicode 9.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import regex

from tokparity.reference.splits import Stage
from tokparity.reference.unicode_versions import as_of_9

_COMMON = "\u0589\u061c"
_DEVANAGARI = "\u0953\u0954"


@dataclass(frozen=True)
class UnicodeScripts(Stage):
    """UnicodeScripts: a word ends where the script changes (as of Unicode 9; the Japanese scripts count as Han).

    U+0020 and what Unicode 9 did not know belong to every script; at the start of a text they go.
    """

    def cut(self, text: str) -> Iterator[tuple[int, int]]:
        starts: list[int] = []
        last = None
        old = as_of_9(text)
        for at, character in enumerate(old):
            script = _script(character)
            if script is not None and script != last:
                starts.append(at)
                last = script
        return pairwise([*starts, len(text)])


_NAMES = """
Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo
Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Common Coptic
Cuneiform Cypriot Cyrillic Deseret Devanagari Duployan Egyptian_Hieroglyphs Elbasan Ethiopic Georgian Glagolitic
Gothic Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited
Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi Khmer Khojki
Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Malayalam Mandaic Manichaean Marchen
Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean
New_Tai_Lue Newa Nko Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian
Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician
Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sora_Sompeng Sundanese
Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangut Telugu Thaana Thai Tibetan Tifinagh
Tirhuta Ugaritic Vai Warang_Citi Yi
"""
_SCRIPTS = tuple(_NAMES.split())
_SCRIPT = regex.compile("|".join(rf"(\p{{Script={name}}})" for name in _SCRIPTS))
_AS_HAN = {"Hiragana", "Katakana"}


@lru_cache(maxsize=1 << 14)
def _script(character: str) -> str | None:
    """The script of a character; None if it belongs to every one. Remembered, for the pattern tries 136 scripts."""
    if character in _COMMON:
        return "Common"
    if character in _DEVANAGARI:
        return "Devanagari"
    found = _SCRIPT.match(character)
    if character == " " or found is None:
        return None
    name = _SCRIPTS[found.lastindex - 1]
    return "Han" if name in _AS_HAN or character == "\u30fc" else name
