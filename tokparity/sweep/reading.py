"""The texts of a shard in blocks, each text once with how often it stands there; what cannot be read is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tokparity.errors import FormatError
from tokparity.questions import json_text
from tokparity.sweep.parquet_texts import rows
from tokparity.sweep.shards import Shard
from tokparity.sweep.streams import LONGEST, Lines, chunks
from tokparity.sweep.texts import state_of

BLOCK = 8 << 20
"""Bytes of text that are held at a time; a text that stands in a block several times is put once."""

_DAMAGES = 20  # of a shard that are told one by one


@dataclass(frozen=True)
class Damage:
    """Text that could not be read, where, and why; `again` if another attempt may succeed."""

    where: str
    why: str
    again: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


@dataclass
class Block:
    """Distinct texts with the number of the line (or row, from 1 on) that each stands on first, and how often."""

    first: dict[bytes, int] = field(default_factory=dict)
    times: dict[bytes, int] = field(default_factory=dict)
    """Only of texts that stand there more than once."""
    size: int = 0
    """Bytes of all of them."""

    def add(self, text: bytes, number: int) -> None:
        """One more line."""
        self.size += len(text)
        if text in self.first:
            self.times[text] = self.times.get(text, 1) + 1
        else:
            self.first[text] = number


@dataclass
class Reading:
    """How the reading of a shard goes: lines so far, and the first damages; `damages` counts all of them."""

    shard: Shard
    lines: int = 0
    told: list[Damage] = field(default_factory=list)
    damages: int = 0
    _at: int = field(default=0, init=False)
    _begun: bool = field(default=False, init=False)

    @property
    def stopped(self) -> bool:
        """Whether the rest of the shard could not be read, so that nobody knows how many lines it has."""
        return any(damage.again for damage in self.told)

    def blocks(self) -> Iterator[Block]:
        """The texts; the reading ends early where the file cannot be read on."""
        block = Block()
        try:
            self._check_state()
            for number, text in self._texts():
                block.add(text, number)
                if block.size >= BLOCK:
                    yield block
                    block = Block()
        except Exception as error:  # each file system and each compression raises its own
            beyond = self.shard.start and not self._begun  # nothing of it is known but where it lies
            why = f"cannot be read{'' if beyond else ' from here on'}: {type(error).__name__}: {str(error)[:200]}"
            self._tell(self.shard.shown if beyond else self._where(1), why.replace("\n", " "), again=True)
        if block.first:
            yield block

    def _check_state(self) -> None:
        if (now := state_of(self.shard.file)) != self.shard.file.state:
            raise FormatError(f"the file was changed: {self.shard.file.state!r} is now {now!r}")

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        shard = self.shard
        if shard.file.layout == "parquet" and not shard.file.compression:
            yield from self._rows()
            return
        parse = self._json_text if shard.file.layout == "json" else None
        for found in self._lines():
            for at, line in found:
                self._at = at
                self.lines += 1
                if line is None:
                    self._tell(self._where(), f"the line is longer than {LONGEST >> 20} MB, and was passed over")
                elif parse is None:
                    yield self.lines, line
                elif line.strip() and (text := parse(line)) is not None:
                    yield self.lines, text

    def _lines(self) -> Iterator[list[tuple[int, bytes | None]]]:
        """The lines that begin in the shard; what precedes its first line end is the end of another shard's line."""
        shard = self.shard
        start = max(shard.start - 1, 0)
        self._at = shard.start
        lines = Lines(chunks(shard.file, start), start, shard.stop)
        first = shard.start > 0
        for found in lines:
            self._begun = True
            if first and found:
                found, first = found[1:], False
            yield found
            self._at = lines.at

    def _rows(self) -> Iterator[tuple[int, bytes]]:
        for found in rows(self.shard):
            self._begun = True
            for row, text in found:
                self._at = row
                self.lines += 1
                if text is not None and len(text) > LONGEST:
                    self._tell(self._where(), f"the text is longer than {LONGEST >> 20} MB, and was passed over")
                elif text is not None:
                    yield row + 1, text
            self._at = found[-1][0] + 1 if found else self._at

    def _json_text(self, line: bytes) -> bytes | None:
        """The text of a line of JSON: the field of an object, or the text itself; bytes that are not UTF-8 stay."""
        try:
            value: Any = json.loads(line.decode("utf-8", "surrogateescape"))
            if isinstance(value, dict) and (self.shard.field in value or value.keys() != {"base64"}):
                value = value[self.shard.field]
            return json_text.as_bytes(value) if isinstance(value, str) else json_text.from_json(value)
        except (ValueError, KeyError, RecursionError, FormatError) as error:
            why = f"no field {self.shard.field!r}" if isinstance(error, KeyError) else f"not JSON with a text: {error}"
            self._tell(self._where(), why[:200])
            return None

    def _where(self, ahead: int = 0) -> str:
        """The place of the line that was read last, or of the one that is `ahead` of it."""
        file = self.shard.file
        if file.layout == "parquet" and not file.compression:
            return f"{file.name}, row {self._at + 1}"
        is_whole = self.shard.stop is None
        return f"{file.name}, line {self.lines + ahead}" if is_whole else f"{file.name}, byte {self._at}"

    def _tell(self, where: str, why: str, again: bool = False) -> None:
        self.damages += 1
        if len(self.told) < _DAMAGES or again:
            self.told.append(Damage(where, why, again))
