"""Makes bytes visible and harmless: control, bidirectional and zero-width characters become escapes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal

from tokparity.questions import Encode, Question
from tokparity.questions.json_text import literal
from tokparity.questions.shell import repeated

Style = Literal["plain", "escape", "space"]

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", "\x1b": "\\e"}
_DOTTED_CIRCLE = "\u25cc"
_CODE_POINTS = 16  # of a longer text nobody reads them
_IN_TURN, _IN_TURN_BYTES = 5, 200  # of questions that are asked before another one


@dataclass(frozen=True)
class Run:
    """A stretch of visible text in one style: `plain`, `escape` for what does not print, `space` for U+0020."""

    style: Style
    text: str


def runs(text: bytes) -> list[Run]:
    """The text as runs; joined, they show every code point and every invalid byte."""
    spelled = [_spell(c) for c in text.decode("utf-8", "surrogateescape")]
    if spelled and spelled[0][0] == "plain" and unicodedata.combining(spelled[0][1]):
        # A mark with nothing to sit on would slide onto whatever is printed before it.
        spelled[0] = ("plain", _DOTTED_CIRCLE + spelled[0][1])
    # Each escape stays a run of its own: it is shown as one character.
    keyed = groupby(enumerate(spelled), key=lambda at: (at[1][0], at[0] if at[1][0] == "escape" else 0))
    return [Run(style, "".join(part for _, (_, part) in group)) for (style, _), group in keyed]


def plain(text: bytes) -> str:
    """The text on one line with escapes for what does not print; for reading, not for reading back."""
    if text.isascii() and (spelled := text.decode("ascii")).isprintable():  # most texts; a table has 100,000 of them
        return spelled
    return "".join(run.text for run in runs(text)).replace("␣", " ")


@lru_cache(maxsize=1 << 16)
def _spell(character: str) -> tuple[Style, str]:
    if character == " ":
        return "space", "␣"
    if character in _SHORT:
        return "escape", _SHORT[character]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return "escape", f"\\x{code - 0xDC00:02x}"
    if character.isprintable() and not _is_invisible(character):
        return "plain", character
    if code < 0x100:
        return "escape", f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}"
    return "escape", f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_invisible(character: str) -> bool:
    """Printable by its category and still not seen: variation selectors, fillers, the grapheme joiner."""
    name = unicodedata.name(character, "")
    return "VARIATION SELECTOR" in name or "FILLER" in name or name == "COMBINING GRAPHEME JOINER"


def code_points(text: bytes, most: int = _CODE_POINTS) -> str:
    """The text's code points as U+XXXX, where it is short and not plain ASCII; else nothing."""
    characters = text.decode("utf-8", "surrogateescape")
    if not 0 < len(characters) <= most or text.isascii():
        return ""
    return " ".join(f"0x{ord(c) - 0xDC00:02X}" if 0xDC80 <= ord(c) <= 0xDCFF else f"U+{ord(c):04X}" for c in characters)


def clip(text: bytes, limit: int) -> tuple[bytes, int]:
    """The first `limit` bytes, not cut inside a character, and how many bytes were left out."""
    if len(text) <= limit:
        return text, 0
    end = limit
    while end > limit - 4 and text[end] & 0xC0 == 0x80:
        end -= 1
    return text[:end], len(text) - end


def spelled(question: Question, most: int) -> str:
    """A question on one line: its text as a JSON literal, or its ids; cut after this many bytes, or as N times."""
    unit, times, rest = repeated(question.shown)
    if times:
        return f"{literal(unit)} x {times:,}" + (f" + {literal(rest)}" if rest else "")
    shown, hidden = clip(question.shown, most)
    text = literal(shown) if isinstance(question, Encode) else shown.decode()
    return text + (f" ... {hidden} more bytes" if hidden else "")


def pointed(question: Question, most: int) -> str:
    """The same, and the code points where a character above U+FFFF is two escapes of the literal."""
    text = spelled(question, most)
    points = code_points(question.shown) if isinstance(question, Encode) and "\\ud" in text else ""
    return f"{text} ({points})" if points else text


def in_turn(questions: Sequence[Question]) -> str:
    """Questions in the order in which they are asked; of many the first ones."""
    every = [(one, len([*some])) for one, some in groupby(questions)]
    shown = [(f"{n} times " if n > 1 else "") + spelled(one, _IN_TURN_BYTES) for one, n in every[:_IN_TURN]]
    more = sum(n for _, n in every[_IN_TURN:])
    return ", then ".join([*shown, *([f"{more:,} others"] if more else [])])
