"""The question of what a reader sees while ids come one after another, as those of a chat's answer do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tokparity.errors import FormatError
from tokparity.questions.shrink import MOST, shrink_ids

MOST_IDS = 1 << 16
"""Ids of one stream."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A row of ids that comes id by id after those of a prompt (`prefill`), of which no text is wanted again."""

    KIND: ClassVar = "stream"

    ids: tuple[int, ...]
    prefill: tuple[int, ...] = ()
    skip_special: bool = True

    def __post_init__(self) -> None:
        if len(self.ids) + len(self.prefill) > MOST_IDS:
            message = f"a stream of {len(self.ids) + len(self.prefill)} ids is too long"
            raise FormatError(message, f"give at most {MOST_IDS} ids, those of the prompt included")

    @property
    def alike(self) -> tuple[object, ...]:
        """Questions that can be put together have this in common."""
        return self.KIND, self.skip_special

    @property
    def row(self) -> tuple[int, ...]:
        """How it travels in a batch of rows: the number of ids of the prompt, these, and the others."""
        return len(self.prefill), *self.prefill, *self.ids

    @property
    def size(self) -> int:
        """The bytes of all its ids, 4 for each."""
        return 4 * (len(self.ids) + len(self.prefill))

    @property
    def order(self) -> tuple[Any, ...]:
        """Behind texts and rows of ids, the shortest first."""
        return 2, len(self.ids) + len(self.prefill), self.ids, self.prefill, self.skip_special

    @property
    def literal(self) -> str:
        """The ids as a JSON array on one line; with a prompt an object that has both."""
        return json.dumps({"prefill": self.prefill, "ids": self.ids}) if self.prefill else json.dumps(self.ids)

    @property
    def shown(self) -> bytes:
        """What a reader is shown of it."""
        return self.literal.encode()

    @property
    def remarks(self) -> Iterator[str]:
        """In words, what is asked beside the ids."""
        yield "ids to be decoded one after another"
        if self.prefill:
            yield "after the ids of a prompt"
        if not self.skip_special:
            yield "special tokens shown"

    def shrunk(self, check: Callable[[Sequence[Stream]], Sequence[bool]], most: int = MOST) -> Stream:
        """Return the question with the fewest ids for which `check` still holds.

        After `most` attempts it returns the shortest question found so far.
        """
        return self.fewer(check, most)

    def fewer(self, check: Callable[[Sequence[Stream]], Sequence[bool]], most: int = MOST) -> Stream:
        """The same with the flags as they are; the prompt goes first, for most faults need none."""
        prefill = shrink_ids(self.prefill, lambda rows: check([replace(self, prefill=row) for row in rows]), most)
        found = replace(self, prefill=prefill)
        ids = shrink_ids(found.ids, lambda rows: check([replace(found, ids=row) for row in rows]), most)
        return replace(found, ids=ids)

    def command(self, model: str, engine: str) -> str:
        """A command for a POSIX shell that has an engine decode this row id by id.

        `model` and `engine` are words of that command already.
        """
        flags = f" --prefill '{json.dumps(self.prefill)}'" if self.prefill else ""
        flags += "" if self.skip_special else " --keep-special"
        return f"tokparity diff {model} --engine {engine} --stream{flags} '{json.dumps(self.ids)}'"

    def to_json(self) -> dict[str, Any]:
        """The question as a JSON object."""
        return {"ids": list(self.ids), "prefill": list(self.prefill), "skip_special": self.skip_special}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Stream:
        """The question that `to_json` wrote."""
        ids, prefill = (tuple(map(int, value[name])) for name in ("ids", "prefill"))
        return cls(ids, prefill, bool(value["skip_special"]))
