"""Quirks of BERT's normalizer with characters of some kinds: marks, controls, those of newer versions of Unicode."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import regex

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.bert_options import cleans, without_stripping
from tokparity.quirks.changed_stages import changed, wraps_stages
from tokparity.reference import splits
from tokparity.reference.normalise import Bert
from tokparity.reference.unicode_ages import character_class, spans
from tokparity.reference.unicode_versions import as_of_15

_TO_SPACES = dict.fromkeys(map(ord, "\v\f\x85"), " ")
"""The control characters (category Cc) that are white space and that BERT does not take for it."""

_MARKS = regex.compile(r"\p{M}")
_LATIN_MARKS = re.compile("[\u0300-\u036f]+")
_VOICED = re.compile("([ぁ-ヿ][\u3099\u309a])")

_FORMATS = "890-891 8E2 110CD 13430-1343F"
"""Format characters of Unicode 9 to 15."""

_CAPITALS = "1C89 A7CB-A7CC A7CE A7D2 A7D4 A7DA A7DC 10D50-10D65 16EA0-16EB8"
"""Capital letters of Unicode 16 and 17."""

_NEWER_FORMATS = re.compile(f"[{character_class(spans(_FORMATS))}]+")
_NEWER_CAPITALS = re.compile(f"([{character_class(spans(_CAPITALS))}])")


@dataclass(frozen=True)
class ControlsAsSpaces:
    """BERT's normalizer on a text in which these characters are spaces."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        return self.inner(text.translate(_TO_SPACES))


@dataclass(frozen=True)
class FirstOnly:
    """BERT's normalizer, on a text in which each character is the first one of its decomposition."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        return self.inner("".join(unicodedata.normalize("NFD", character)[0] for character in text))


@dataclass(frozen=True)
class VoicedKept:
    """BERT's normalizer, on all but kana with a voiced sound mark."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        parts = _VOICED.split(unicodedata.normalize("NFD", text))
        kept = (unicodedata.normalize("NFC", part) if n % 2 else self.inner(part) for n, part in enumerate(parts))
        return "".join(kept)


@dataclass(frozen=True)
class AllBut:
    """BERT's normalizer, on all but the characters of a class."""

    inner: Normalise
    members: str

    def __call__(self, text: str) -> str:
        parts = regex.split(f"({self.members}+)", text)
        return "".join(part if n % 2 else self.inner(part) for n, part in enumerate(parts))


@dataclass(frozen=True)
class WithoutLatinMarks:
    """BERT's normalizer, which keeps accents, on a decomposed text without the marks of one block."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        kept = changed(self.inner, without_stripping)
        return str(kept(_LATIN_MARKS.sub("", unicodedata.normalize("NFD", text))))


@dataclass(frozen=True)
class WithoutMarks:
    """BERT's normalizer, and then no marks at all, as Unicode 15 knows them."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        return without(_MARKS, self.inner(text), as_of_15)


def without(pattern: regex.Pattern[str], text: str, seen_as: Callable[[str], str]) -> str:
    """The text without what the pattern matches in the text as a version of Unicode sees it."""
    return "".join(kept for kept, seen in zip(text, seen_as(text), strict=True) if not pattern.match(seen))


@dataclass(frozen=True)
class ByUnicode15:
    """BERT's normalizer, on a text without newer format characters; capitals that came later stay as they are."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        if text.isascii():
            return self.inner(text)
        parts = _NEWER_CAPITALS.split(_NEWER_FORMATS.sub("", text))
        return "".join(part if at % 2 else self.inner(part) for at, part in enumerate(parts))


def _is_bert(stage: Any) -> bool:
    return isinstance(stage, Bert)


def strips(stage: Any) -> bool:
    return isinstance(stage, Bert) and stage.drops_accents


QUIRKS = (
    Quirk(
        name="keeps_first_of_decomposition",
        title="Keeps only the first code point of each decomposition",
        symptom="Hangul syllables lose their vowels: 각 becomes ᄀ.",
        cause="The table for NFD has one code point per character: the base; what follows is lost. For Latin letters "
        "this strips the accents.",
        fix="Decompose in full, then drop nonspacing marks only.",
        field="normalise",
        derive=wraps_stages(150, strips, FirstOnly),
        links=github("ggml-org/llama.cpp/issues/5496", "ggml-org/llama.cpp/pull/7122"),
        witness=lambda: toys.wordpiece("ᄀ ##ᅡ ##ᆨ", normalise=Bert()).on("각"),
    ),
    Quirk(
        name="keeps_voiced_sound_marks",
        title="Keeps voiced sound marks on kana",
        symptom="Long Japanese words become one unknown token, because ザ and で are not pieces while サ and て are.",
        cause="Accents are stripped by a routine for Latin letters, which leaves U+3099 and U+309A alone.",
        fix="Decompose (NFD) and drop every nonspacing mark.",
        field="normalise",
        derive=wraps_stages(140, strips, VoicedKept),
        links=github("huggingface/swift-transformers/pull/354"),
        witness=lambda: toys.wordpiece("サ ザ", normalise=Bert()).on("ザ"),
    ),
    Quirk(
        name="strips_marks_of_one_block_only",
        title="Strips only the marks of U+0300 to U+036F as accents",
        symptom="Words with the marks of other scripts (Arabic, Hebrew, Indic ones, voiced kana), or with a variation "
        "selector, are unknown; French and Vietnamese are right.",
        cause="The engine decomposes the text and drops only the block Combining Diacritical Marks, like the usual "
        r"JavaScript expression /[\u0300-\u036f]/g.",
        fix="Decompose (NFD) and drop category Mn.",
        field="normalise",
        derive=wraps_stages(180, strips, WithoutLatinMarks),
        links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
        witness=lambda: toys.wordpiece("サ ザ", normalise=Bert()).on("ザ"),
    ),
    Quirk(
        name="strips_spacing_marks",
        title="Strips every combining mark as an accent",
        symptom="Vowel signs of Indic scripts are lost, and so are marks that Unicode added after 2015.",
        cause="All marks (\\p{M}, by tables of Unicode 15) are dropped, where only nonspacing ones (\\p{Mn}, by those "
        "of Unicode 8) should be.",
        fix="Drop category Mn only.",
        field="normalise",
        derive=wraps_stages(110, strips, WithoutMarks),
        links=github("ggml-org/llama.cpp/issues/5496", "ggml-org/llama.cpp/pull/5740"),
        witness=lambda: toys.wordpiece("क का", normalise=Bert()).on("का"),
    ),
    Quirk(
        name="keeps_format_characters",
        title="Keeps format characters in words",
        symptom="A word with a zero-width joiner, a soft hyphen or a byte order mark becomes the unknown token or is "
        "cut at other places. BERT's tokenizer drops these characters.",
        cause="Only control characters (Cc) are dropped, as iscntrl() in C and unicode.IsControl in Go know them; "
        "BERT's clean_text drops format characters (Cf) with them.",
        fix="Drop categories Cc and Cf, all but U+0009, U+000A and U+000D.",
        field="normalise",
        derive=wraps_stages(190, cleans, lambda inner: AllBut(inner, r"\p{Cf}")),
        links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
        witness=lambda: toys.wordpiece("ab a b", normalise=Bert()).on("a\u200db"),
    ),
    Quirk(
        name="keeps_private_use_characters",
        title="Keeps private-use characters in words",
        symptom="A word with a private-use character (U+E000 to U+F8FF, such as a font's icons) becomes the unknown "
        "token, and so does the character alone. Hugging Face's tokenizers drop these characters.",
        cause="Of the control characters only categories Cc and Cf are dropped, as BERT's own tokenization.py does; "
        "tokenizers drops all of category C.",
        fix="Drop category Co as well, where the model was trained with Hugging Face's tokenizers.",
        field="normalise",
        derive=wraps_stages(195, cleans, lambda inner: AllBut(inner, r"\p{Co}")),
        links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
        witness=lambda: toys.wordpiece("ab a b", normalise=Bert()).on("a\ue000b"),
    ),
    Quirk(
        name="keeps_replacement_characters",
        title="Keeps U+FFFD in words",
        symptom="A word with U+FFFD, or with bytes that are not UTF-8, becomes the unknown token. BERT's tokenizer "
        "drops that character.",
        cause="Only control characters are dropped; BERT's clean_text drops U+0000 and U+FFFD with them.",
        fix="Drop U+FFFD as well.",
        field="normalise",
        derive=wraps_stages(196, cleans, lambda inner: AllBut(inner, "\ufffd")),
        links=("https://github.com/google-research/bert/blob/master/tokenization.py",),
        witness=lambda: toys.wordpiece("ab a b", normalise=Bert()).on("a\ufffdb"),
    ),
    Quirk(
        name="splits_words_at_control_spaces",
        title="Ends a word at a control character that BERT drops",
        symptom="A word with a vertical tab, a form feed or U+0085 in it becomes two words. BERT's tokenizer drops "
        "the character.",
        cause="The engine first checks for white space and then for control characters. BERT's clean_text checks in "
        "the other order, except for tab, newline and return.",
        fix="Drop control characters first, all but U+0009, U+000A and U+000D.",
        field="normalise",
        derive=wraps_stages(120, cleans, ControlsAsSpaces),
        links=github(
            "ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp", "google-research/bert/blob/master/tokenization.py"
        ),
        witness=lambda: toys.wordpiece("ab a b", normalise=Bert()).on("a\x85b"),
    ),
    Quirk(
        name="normalises_by_unicode_15",
        title="Normalizes text for BERT with the tables of Unicode 15",
        symptom="Format characters that Unicode added after 2015 (U+08E2) are removed. Capitals of Unicode 16 "
        "(U+1C89) are not made small letters.",
        cause="The engine's tables are newer than those for control characters in Hugging Face's tokenizers (Unicode "
        "8), and older than those for small letters (Unicode 17).",
        fix="Nothing is wrong with the text. For equal ids, use the tables of Hugging Face's tokenizers.",
        field="normalise",
        derive=wraps_stages(130, _is_bert, ByUnicode15),
        links=("https://crates.io/crates/unicode_categories",),
        witness=lambda: toys.wordpiece("a b ab", normalise=Bert(), pretokenise=splits.Bert()).on("a\u08e2b"),
    ),
)
