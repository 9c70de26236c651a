"""Normalizers: text to text. Each is what the class of the same name in Hugging Face's `tokenizers` does.

Source: tokenizers 0.23, `normalizers/*.rs` and `tokenizer/normalizer.rs`; every one is compared with the library on all
code points. Which version of Unicode each of them obeys is written in `unicode_versions`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import regex

from tokparity.behaviour import Normalise
from tokparity.errors import FormatError
from tokparity.reference.byte_alphabet import to_alphabet
from tokparity.reference.onig import compile_onig
from tokparity.reference.unicode_ages import WHITESPACE, character_class, spans
from tokparity.reference.unicode_versions import as_of_8, as_of_9, lower, normal_form


@dataclass(frozen=True)
class UnicodeForm:
    """NFC, NFD, NFKC or NFKD, as of Unicode 9."""

    form: Literal["NFC", "NFD", "NFKC", "NFKD"]

    def __repr__(self) -> str:
        return self.form

    def __call__(self, text: str) -> str:
        return normal_form(self.form, text)


@dataclass(frozen=True)
class Lowercase:
    """Small letters, one character at a time."""

    def __call__(self, text: str) -> str:
        return lower(text)


@dataclass(frozen=True)
class Strip:
    """White space at the ends goes."""

    left: bool = True
    right: bool = True

    def __call__(self, text: str) -> str:
        text = text.lstrip(WHITESPACE) if self.left else text
        return text.rstrip(WHITESPACE) if self.right else text


MAX_GROWTH = 64
"""Characters that all stages together may make of one; NFKC makes 18 of U+FDFA, and two bytes spell each of these."""
MAX_MORE = 1024
"""Characters that a text may gain whatever its length."""
# What was a mark when Unicode was younger, and what became one only later.
_MARKS_9 = regex.compile(r"(?V1)[\p{M}\u1cf2\u1cf3--\U000111c9]")
_NONSPACING_8 = regex.compile(r"(?V1)[\p{Mn}\u1734\U0001171e--[\u1885\u1886\ua9bd\U000111c9]]")


@dataclass(frozen=True)
class StripAccents:
    """Removes combining marks; precomposed characters stay, so this usually follows NFD."""

    def __call__(self, text: str) -> str:
        return _without(_MARKS_9, text, as_of_9(text))


@dataclass(frozen=True)
class Prepend:
    """Something goes before every text that is not empty."""

    prefix: str

    def __call__(self, text: str) -> str:
        return self.prefix + text if text else text


@dataclass(frozen=True)
class Replace:
    """Every match of a pattern becomes `content`, taken literally. `literal`: the pattern is plain text."""

    pattern: str
    content: str
    literal: bool = True

    def __repr__(self) -> str:
        return f"Replace({self.pattern!r} by {self.content!r})"

    def __call__(self, text: str) -> str:
        if self.literal and self.pattern:
            if len(self.content) > len(self.pattern):
                check_growth(len(text), text.count(self.pattern) * len(self.content))
            return text.replace(self.pattern, self.content)
        parts: list[str] = []
        done = 0
        for start, end in compile_onig("" if self.literal else self.pattern).find(text):
            parts += text[done:start], self.content
            done = end
        check_growth(len(text), len(parts) // 2 * len(self.content))
        return "".join(parts) + text[done:]


@dataclass(frozen=True)
class ByteLevel:
    """The text is spelled in GPT-2's byte alphabet."""

    def __call__(self, text: str) -> str:
        return to_alphabet(text)


_NMT_SPACES = "\t\n\f\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"
_NMT_GONE = [*range(1, 9), 0xB, *range(0xE, 0x20), 0x7F, 0x8F, 0x9F]
_NMT: dict[int, str] = dict.fromkeys(map(ord, _NMT_SPACES), " ") | dict.fromkeys(_NMT_GONE, "")


@dataclass(frozen=True)
class Nmt:
    """Control characters go, odd spaces (and ▁) become U+0020. Source: SentencePiece's `nmt` rules."""

    def __call__(self, text: str) -> str:
        return text.translate(_NMT)


_CONTROL = """0-8 B-C E-1F 7F-9F AD 600-605 61C 6DD 70F 180E 200B-200F 202A-202E 2060-2064 2066-206F D800-F8FF FEFF
FFF9-FFFB FFFD 110BD 1BCA0-1BCA3 1D173-1D17A E0001 E0020-E007F F0000-FFFFD 100000-10FFFD"""
_CONTROLS = re.compile(f"[{character_class(spans(_CONTROL))}]+")
_SPACES = re.compile(f"[{re.escape(WHITESPACE)}]")
_IDEOGRAPHS = "3400-4DBF 4E00-9FFF F900-FAFF 20000-2A6DF 2A700-2B81F 2B920-2CEAF 2F800-2FA1F"
_CHINESE = re.compile(f"([{character_class(spans(_IDEOGRAPHS))}])")


@dataclass(frozen=True)
class Bert:
    """BERT's: control characters go, white space becomes U+0020, ideographs stand alone, accents and capitals go.

    `strip_accents` None means as `lowercase`. Source: BERT's `tokenization.py` (BasicTokenizer), `normalizers/bert.rs`.
    """

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True
    form: Normalise | None = UnicodeForm("NFD")
    """What accents are taken from; None: the text as it is."""

    @property
    def drops_accents(self) -> bool:
        """Whether accents go: where it is not said, with the capitals."""
        return self.lowercase if self.strip_accents is None else self.strip_accents

    def __call__(self, text: str) -> str:
        if self.clean_text:
            text = _SPACES.sub(" ", _CONTROLS.sub("", text))
        if self.handle_chinese_chars:
            text = _CHINESE.sub(r" \1 ", text)
        if self.drops_accents:
            text = self.form(text) if self.form else text
            text = _without(_NONSPACING_8, text, as_of_8(text))
        return lower(text) if self.lowercase else text


@dataclass(frozen=True)
class Sequence:
    """Normalizers one after the other."""

    stages: tuple[Normalise, ...]

    def __repr__(self) -> str:
        return ", then ".join(map(repr, self.stages))

    def __call__(self, text: str) -> str:
        normalised = text
        for stage in self.stages:
            normalised = stage(normalised)
            check_growth(len(text), len(normalised))
        return normalised


def check_growth(before: int, after: int, stage: str = "normalizer") -> None:
    """No sound model turns so few characters into that many; doubling them forty times would take all memory."""
    if after > MAX_GROWTH * before + MAX_MORE:
        raise FormatError(
            f"the {stage} turns {before} characters into at least {after}, which is too many",
            f"check the {stage} of the model",
        )


def _without(gone: regex.Pattern[str], text: str, old: str) -> str:
    """The text without the characters at whose place `old`, the text as an older Unicode saw it, matches `gone`."""
    places = [found.start() for found in gone.finditer(old)]
    if not places:
        return text
    characters = list(text)
    for at in places:
        characters[at] = ""
    return "".join(characters)
