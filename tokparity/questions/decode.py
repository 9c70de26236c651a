"""The question of how ids become text again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tokparity.questions.shrink import MOST, shrink_ids


@dataclass(frozen=True, slots=True)
class Decode:
    """A row of ids to be decoded; `skip_special` asks that special tokens are left out of the text."""

    KIND: ClassVar = "decode"

    ids: tuple[int, ...]
    skip_special: bool = True

    @property
    def alike(self) -> tuple[object, ...]:
        """Questions that can be put together have this in common."""
        return self.KIND, self.skip_special

    @property
    def size(self) -> int:
        """The size of a row of ids in bytes: 4 for each id."""
        return 4 * len(self.ids)

    @property
    def order(self) -> tuple[Any, ...]:
        """Texts before rows of ids, the shortest first; ties are broken so that the order of arrival plays no part."""
        return 1, len(self.ids), self.ids, self.skip_special

    @property
    def literal(self) -> str:
        """The ids as a JSON array on one line."""
        return json.dumps(self.ids)

    @property
    def shown(self) -> bytes:
        """What a reader is shown of it."""
        return self.literal.encode()

    @property
    def remarks(self) -> Iterator[str]:
        """In words, what is asked beside the ids."""
        yield "ids to be decoded"
        if not self.skip_special:
            yield "special tokens shown"

    def shrunk(self, check: Callable[[Sequence[Decode]], Sequence[bool]], most: int = MOST) -> Decode:
        """The question with the fewest ids for which `check` holds, as it does for this one; after `most` attempts what
        was reached so far."""
        return self.fewer(check, most)

    def fewer(self, check: Callable[[Sequence[Decode]], Sequence[bool]], most: int = MOST) -> Decode:
        """The same with the flags as they are."""
        ids = shrink_ids(self.ids, lambda rows: check([replace(self, ids=row) for row in rows]), most)
        return replace(self, ids=ids)

    def command(self, model: str, engine: str) -> str:
        """A command for a POSIX shell that has an engine decode this row, beside the model's oracle.

        `model` and `engine` are words of that command already.
        """
        flags = "" if self.skip_special else " --keep-special"
        return f"tokparity diff {model} --engine {engine} --ids{flags} '{self.literal}'"

    def to_json(self) -> dict[str, Any]:
        """The question as a JSON object."""
        return {"ids": list(self.ids), "skip_special": self.skip_special}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Decode:
        """The question that `to_json` wrote."""
        return cls(tuple(map(int, value["ids"])), bool(value["skip_special"]))
