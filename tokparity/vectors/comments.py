"""What a case is about, in plain English and as tags, from its text alone. Everything here is ASCII."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

from tokparity.case import Origin
from tokparity.questions import Decode, Encode, Question, Stream
from tokparity.reference.unicode_ages import NEWEST, added

_KNOWN_TO_ALL = 14
"""Every supported Python's tables are of this version of Unicode or a later one."""
_RUNS = 4
"""A text of more runs is summed up."""
_LONG = 200
"""Characters of a text that is tagged as long."""

LANGUAGES = {
    f"languages/{name}.txt": language
    for name, language in {
        "en-Latn": "English", "de-Latn": "German", "tr-Latn": "Turkish", "ru-Cyrl": "Russian", "ar-Arab": "Arabic",
        "hi-Deva": "Hindi", "th-Thai": "Thai", "zh-Hans": "Chinese", "ja-Jpan": "Japanese", "ko-Kore": "Korean",
    }.items()
}  # fmt: skip
"""The files of which the vectors have an ordinary sentence."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SPACES = {
    " ": "space", "\n": "line feed", "\r": "carriage return", "\t": "tab", "\0": "NUL", "'": "apostrophe",
    "\u200d": "zero width joiner", "\ufeff": "byte order mark", "\ufffd": "replacement character", "▁": "U+2581",
}  # fmt: skip
_SPECIAL, _INVALID = "special token", "invalid byte"
_ASCII = ((str.islower, "small letter"), (str.isupper, "capital letter"), (str.isdigit, "digit"))
_CATEGORIES = {"M": "combining mark", "N": "number", "P": "punctuation mark", "S": "symbol", "Z": "space", "C": "code"}
_TAGGED = (
    ("space", "whitespace"), ("tab", "whitespace"), ("line feed", "whitespace"), ("carriage return", "whitespace"),
    ("digit", "digits"), ("number", "digits"), ("combining mark", "combining marks"), ("emoji", "emoji"),
    ("punctuation", "punctuation"), ("apostrophe", "contractions"), (_SPECIAL, "special tokens"), ("NUL", "control"),
    (_INVALID, "invalid UTF-8"), ("control", "control"), ("joiner", "control"), ("byte order mark", "control"),
    ("private", "unusual code points"),
    ("character of Unicode", "recent Unicode"), ("unassigned", "unusual code points"),
)  # fmt: skip


class Commentator:
    """Describes the questions of one model, whose special tokens it knows."""

    def __init__(self, specials: Iterable[str]) -> None:
        spelled = sorted({one for one in specials if len(one) > 1}, key=lambda one: (-len(one), one))
        self._specials = re.compile("|".join(map(re.escape, spelled)) or r"(?!)")
        self._recent = [(version, added(version, version)) for version in range(_KNOWN_TO_ALL + 1, NEWEST + 1)]

    def comment(self, question: Question, origin: Origin | None = None) -> str:
        """One line: the contents of the text, and its flags."""
        if isinstance(question, Decode):
            hidden = "special tokens left out" if question.skip_special else "special tokens shown"
            return f"{_count(len(question.ids), 'id')} decoded, {hidden}"
        if isinstance(question, Stream):
            behind = f", after a prompt of {_count(len(question.prefill), 'id')}" if question.prefill else ""
            many = "one id" if len(question.ids) == 1 else f"{_count(len(question.ids), 'id')}, one after another"
            return f"{many}{behind}"
        if origin is not None and origin.name in LANGUAGES:
            return f"an ordinary sentence in {LANGUAGES[origin.name]}"
        if isinstance(question, Encode):
            runs = self._runs(question.text)
            asked = ", special tokens parsed" if question.parse_special and _has(runs, _SPECIAL) else ""
            return _sentence(runs) + asked
        return ""

    def tags(self, question: Question, origin: Origin | None = None) -> tuple[str, ...]:
        """Sorted tags, so that a runner can leave out what an engine does not have."""
        if isinstance(question, Decode):
            return ("decode",)
        if isinstance(question, Stream):
            return ("prompt", "stream") if question.prefill else ("stream",)
        if not isinstance(question, Encode):
            return ()
        kinds = {kind for kind, _ in self._runs(question.text)}
        found = {tag for kind in kinds for word, tag in _TAGGED if word in kind}
        found |= {kind.split()[0] for kind in kinds if kind.endswith(" letter") and kind[0].isupper()}
        if kinds & {"small letter", "capital letter"}:
            found.add("Latin")
        if len(question.text) > _LONG:
            found.add("long")
        if origin is not None and origin.name in LANGUAGES:
            found.add("language")
        return tuple(sorted(found or {"other" if question.text else "empty"}))

    def _runs(self, text: bytes) -> list[tuple[str, int]]:
        """(kind, how many in a row), special tokens taken as one character each."""
        spelled = text.decode("utf-8", "surrogateescape")
        kinds: list[str] = []
        start = 0
        for found in self._specials.finditer(spelled):
            kinds += map(self._kind, spelled[start : found.start()])
            kinds.append(_SPECIAL)
            start = found.end()
        kinds += map(self._kind, spelled[start:])
        return [(kind, len(list(run))) for kind, run in groupby(kinds)]

    def _kind(self, character: str) -> str:
        if character in _SPACES:
            return _SPACES[character]
        if "\udc80" <= character <= "\udcff":
            return _INVALID
        if character.isascii():
            return next((kind for holds, kind in _ASCII if holds(character)), _by_category(character))
        point = ord(character)
        for version, spans in self._recent:
            if any(first <= point <= last for first, last in spans):
                return f"character of Unicode {version}"
        return _by_name(character)


def _by_name(character: str) -> str:
    name = unicodedata.name(character, "")
    category = unicodedata.category(character)
    if 0x1F000 <= ord(character) <= 0x1FAFF or ord(character) in range(0x2600, 0x27C0):
        return "emoji"
    if category == "Co":
        return "private use character"
    if category == "Cn":
        return "unassigned code point"
    if category.startswith("Z") or category == "Cf":
        return f"{name.lower()}" if name else f"U+{ord(character):04X}"
    if category.startswith("L") and name:
        script = name.split()[0]
        return f"{'CJK' if script == 'CJK' else script.split('-')[0].capitalize()} letter"
    return _by_category(character)


def _by_category(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Cf"):
        return f"control character U+{ord(character):04X}"
    return _CATEGORIES.get(category[0], "character")


def _has(runs: Sequence[tuple[str, int]], kind: str) -> bool:
    return any(one == kind for one, _ in runs)


def _sentence(runs: Sequence[tuple[str, int]]) -> str:
    if not runs:
        return "the empty text"
    if len(runs) <= _RUNS:
        told = [_count(times, kind) for kind, times in runs]
        if len(told) == 2:
            return f"{told[0]} before {told[1]}"
        return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
    length = sum(times for _, times in runs)
    kinds = [_plural(kind) for kind in dict.fromkeys(kind for kind, _ in runs)]
    more = f" and {_count(len(kinds) - 5, 'other kind')}" if len(kinds) > 5 else ""
    return f"{length} characters: {', '.join(kinds[:5])}{more}"


def _count(times: int, kind: str) -> str:
    if times == 1:
        return kind if kind[0].isupper() and " " not in kind else f"{'an' if kind[0] in 'aeioAEIO' else 'a'} {kind}"
    number = _NUMBERS[times] if times < len(_NUMBERS) else str(times)
    return f"{number} {_plural(kind)}"


def _plural(kind: str) -> str:
    if kind.startswith("U+") or kind in ("NUL", "emoji") or " U+" in kind:
        return kind if kind != "emoji" else "emoji"
    head, of, rest = kind.partition(" of ")
    return f"{head}s{of}{rest}"
