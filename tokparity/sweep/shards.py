"""Files of texts and their parts, as a sweep hands them on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Layout = Literal["lines", "json", "parquet"]


@dataclass(frozen=True)
class TextFile:
    """A file of texts: `path` opens it anywhere, `name` is how it is shown, `state` tells whether it is as it was.

    `compression` is "" where there is none. `size` is None where the server does not tell it.
    """

    path: str
    name: str
    layout: Layout
    compression: str
    size: int | None
    state: str


@dataclass(frozen=True)
class Shard:
    """A part of a file: bytes `start` to `stop` of lines, row groups of Parquet; the whole file where `stop` is None.

    A line belongs to the shard that its first byte lies in. `field` is the column, or the field of a JSON object.
    """

    number: int
    file: TextFile
    field: str
    start: int = 0
    stop: int | None = None

    @property
    def shown(self) -> str:
        """What a reader reads about it."""
        if self.stop is None:
            return self.file.name
        unit = "row groups" if self.file.layout == "parquet" else "bytes"
        return f"{self.file.name}, {unit} {self.start} to {self.stop}"
