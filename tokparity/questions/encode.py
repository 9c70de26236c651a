"""The question that nearly every case asks: which ids does this text become?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tokparity.questions.json_text import from_json, literal, to_json
from tokparity.questions.shell import python_of, quote
from tokparity.questions.shrink import MOST, shrink_text

_FLAGS = ((False, False), (True, False), (False, True), (True, True))
"""(add_special, parse_special), the plainest first."""


@dataclass(frozen=True, slots=True)
class Encode:
    """A text to be encoded; where an engine can decode, its ids are decoded again as well.

    `text` is bytes, whatever they are. `add_special` asks for BOS, EOS and the like; `parse_special` asks that
    special tokens spelled in the text are recognized.
    """

    KIND: ClassVar = "encode"

    text: bytes
    add_special: bool = True
    parse_special: bool = False

    @property
    def alike(self) -> tuple[object, ...]:
        """Questions that can be put together have this in common."""
        return self.KIND, self.add_special, self.parse_special

    @property
    def size(self) -> int:
        """The text's bytes."""
        return len(self.text)

    @property
    def order(self) -> tuple[Any, ...]:
        """Texts before rows of ids, the shortest first; ties are broken so that the order of arrival plays no part."""
        return 0, len(self.text), self.text, self.add_special, self.parse_special

    @property
    def literal(self) -> str:
        """The text as a JSON literal on one line."""
        return literal(self.text)

    @property
    def shown(self) -> bytes:
        """What a reader is shown of it."""
        return self.text

    @property
    def remarks(self) -> Iterator[str]:
        """In words, what is asked beside the text."""
        if not self.add_special:
            yield "no special tokens added"
        if self.parse_special:
            yield "special tokens parsed"

    def shrunk(self, check: Callable[[Sequence[Encode]], Sequence[bool]], most: int = MOST) -> Encode:
        """Return the question with the plainest flags and the shortest, plainest text for which `check` still holds.

        After `most` attempts, it is the best question found so far.
        """
        flagged = [replace(self, add_special=add, parse_special=parse) for add, parse in _FLAGS]
        return next((q for q in flagged if q == self or check([q])[0]), self).fewer(check, most)

    def fewer(self, check: Callable[[Sequence[Encode]], Sequence[bool]], most: int = MOST) -> Encode:
        """The same with the flags as they are."""
        text = shrink_text(self.text, lambda texts: check([replace(self, text=text) for text in texts]), most)
        return replace(self, text=text)

    def command(self, model: str, engine: str) -> str:
        """A command for a POSIX shell (bash or zsh if the text needs $'...') that runs this text on an engine.

        `model` and `engine` are words of that command already.
        """
        flags = f" --engine {engine}"
        flags += "" if self.add_special else " --no-special"
        flags += " --parse-special" if self.parse_special else ""
        if (expression := python_of(self.text)) and b"\0" not in self.text:
            made = quote(f"import json; print(json.dumps({expression}))".encode())
            return f"python3 -c {made} | tokparity diff {model}{flags} -"
        if b"\0" in self.text:  # no argument of a process can hold a NUL
            return f"printf '%s\\n' {quote(self.literal.encode())} | tokparity diff {model}{flags} -"
        separator = " --" if self.text.startswith(b"-") else ""
        return f"tokparity diff {model}{flags}{separator} {quote(self.text)}"

    def to_json(self) -> dict[str, Any]:
        """The question as a JSON object."""
        return {"text": to_json(self.text), "add_special": self.add_special, "parse_special": self.parse_special}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Encode:
        """The question that `to_json` wrote."""
        return cls(from_json(value["text"]), bool(value["add_special"]), bool(value["parse_special"]))
