"""Parts of one GGUF: llama.cpp opens the first, and looks for the others beside it by their names.

Source: `llama_split_path` and `llama_split_prefix` of llama.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tokparity.formats.gguf_metadata import read_metadata

_NAME = re.compile(r"(.*)-([0-9]{5})-of-([0-9]{5})\.gguf", re.DOTALL)
_TOLD = 3  # names of parts in a sentence
_MOST = 99_999  # what the five digits of a name can say


def shards_of(path: Path) -> Shards | None:
    """The parts of which a file is one, with the name by which llama.cpp finds them; else None."""
    found = Shards.of(path, {key: field.value for key, field in read_metadata(path).fields.items()})
    return found if found and found.named_well else None


@dataclass(frozen=True)
class Shards:
    """The parts of a model: the `number` of a file, from 1 on, and how many there are."""

    path: Path
    number: int
    count: int

    @classmethod
    def of(cls, path: Path, values: Mapping[str, object]) -> Shards | None:
        """As the keys of a file say; None where it is no part of others."""
        number, count = values.get("split.no"), values.get("split.count")
        if not isinstance(number, int) or not isinstance(count, int) or not 1 < count <= _MOST:
            return None
        return cls(path, number + 1, count)

    @property
    def named_well(self) -> bool:
        """Whether the file has the name by which llama.cpp finds the others."""
        found = _NAME.fullmatch(self.path.name)
        return found is not None and (int(found[2]), int(found[3])) == (self.number, self.count)

    @property
    def first(self) -> str:
        """The name of the first part, or what it is where this file's own name does not say it."""
        return self.name(1) if self.named_well else "the first of them"

    @property
    def others(self) -> list[Path]:
        """Where the other parts must be."""
        numbers = (number for number in range(1, self.count + 1) if number != self.number)
        return [self.path.with_name(self.name(number)) for number in numbers] if self.named_well else []

    def beside(self, folder: Path, copy: Path) -> Path:
        """A copy of this part among links to the others, in a new folder, so that the copy can be opened."""
        for other in self.others:
            (folder / other.name).symlink_to(other.resolve())
        (folder / self.path.name).symlink_to(copy.resolve())
        return folder / self.path.name

    def still_to_do(self, copy: Path) -> str:
        """What llama.cpp needs to open a copy of this part; empty where it needs nothing."""
        wanted = copy.with_name(self.path.name)
        missing = [other.name for other in self.others if not wanted.with_name(other.name).exists()]
        name = [] if copy.name == wanted.name else [f"give it the name {wanted.name}"]
        others = [f"put {', '.join(missing[:_TOLD])} beside it"] if missing else []
        return " and ".join([*name, *others])

    @property
    def missing(self) -> list[Path]:
        """The other parts that are not where they must be."""
        return [path for path in self.others if not path.exists()]

    def name(self, number: int) -> str:
        """The name of a part of a file that is named well."""
        prefix = self.path.name[: -len("-00001-of-00001.gguf")]
        return f"{prefix}-{number:05}-of-{self.count:05}.gguf"
