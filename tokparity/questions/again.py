"""The question of what becomes of ids that go through their text: encoded, decoded, encoded again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tokparity.questions.decode import Decode
from tokparity.questions.encode import Encode
from tokparity.questions.json_text import from_json, to_json
from tokparity.questions.shell import quote
from tokparity.questions.shrink import MOST, shrink_ids, shrink_text


@dataclass(frozen=True, slots=True)
class Again:
    """A text that is encoded, decoded and encoded again; where there is none, `ids` that are decoded first.

    An engine answers it by encoding and decoding alone, so all flags of both are given.
    """

    KIND: ClassVar = "again"

    text: bytes | None
    ids: tuple[int, ...] = ()
    add_special: bool = True
    parse_special: bool = False
    skip_special: bool = True

    @property
    def first(self) -> Encode | Decode:
        """What an engine is asked first."""
        return self.decode(self.ids) if self.text is None else self.encode(self.text)

    def encode(self, text: bytes) -> Encode:
        """The question of a text on the way."""
        return Encode(text, self.add_special, self.parse_special)

    def decode(self, ids: Sequence[int]) -> Decode:
        """The question of ids on the way."""
        return Decode(tuple(ids), self.skip_special)

    @property
    def alike(self) -> tuple[object, ...]:
        """Questions that can be put together have this in common."""
        return self.KIND, self.text is None, self.add_special, self.parse_special, self.skip_special

    @property
    def size(self) -> int:
        """The text's bytes, or 4 for each id."""
        return self.first.size

    @property
    def order(self) -> tuple[Any, ...]:
        """Behind all other questions, texts before rows of ids, the shortest first."""
        return 3, *self.first.order, self.add_special, self.parse_special, self.skip_special

    @property
    def literal(self) -> str:
        """The text or the ids as JSON on one line."""
        return self.first.literal

    @property
    def shown(self) -> bytes:
        """What a reader is shown of it."""
        return self.first.shown

    @property
    def remarks(self) -> Iterator[str]:
        """In words, what is asked beside the text."""
        yield "encoded, decoded and encoded again" if self.text is not None else "decoded, encoded and decoded again"
        yield from self.encode(b"").remarks
        if not self.skip_special:
            yield "special tokens shown"

    def shrunk(self, check: Callable[[Sequence[Again]], Sequence[bool]], most: int = MOST) -> Again:
        """The shortest text, or the fewest ids, for which `check` holds; the best so far after `most` attempts."""
        return self.fewer(check, most)

    def fewer(self, check: Callable[[Sequence[Again]], Sequence[bool]], most: int = MOST) -> Again:
        """The same with the flags as they are."""
        if self.text is None:
            ids = shrink_ids(self.ids, lambda rows: check([replace(self, ids=row) for row in rows]), most)
            return replace(self, ids=ids)
        text = shrink_text(self.text, lambda texts: check([replace(self, text=text) for text in texts]), most)
        return replace(self, text=text)

    def command(self, model: str, engine: str) -> str:
        """A command for a POSIX shell that has an engine encode this again.

        `model` and `engine` are words of that command already.
        """
        flags = "" if self.add_special else " --no-special"
        flags += " --parse-special" if self.parse_special else ""
        flags += "" if self.skip_special else " --keep-special"
        command = f"tokparity diff {model} --engine {engine} --again{flags}"
        if self.text is None:
            return f"{command} --ids '{self.literal}'"
        if b"\0" in self.text:  # no argument of a process can hold a NUL
            return f"printf '%s\\n' {quote(self.literal.encode())} | {command} -"
        return f"{command}{' --' if self.text.startswith(b'-') else ''} {quote(self.text)}"

    def to_json(self) -> dict[str, Any]:
        """The question as a JSON object."""
        asked = {"ids": list(self.ids)} if self.text is None else {"text": to_json(self.text)}
        flags = {name: getattr(self, name) for name in ("add_special", "parse_special", "skip_special")}
        return {**asked, **flags}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Again:
        """The question that `to_json` wrote."""
        flags = [bool(value[name]) for name in ("add_special", "parse_special", "skip_special")]
        if "ids" in value:
            return cls(None, tuple(map(int, value["ids"])), *flags)
        return cls(from_json(value["text"]), (), *flags)
