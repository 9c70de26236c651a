"""The lines of a report as JSON objects, the last of which may have been cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tokparity.errors import FormatError

MOST_BYTES = 1 << 27
"""Bytes of a line: a text has at most 16 MiB, and each byte of it may be spelled with six."""
MOST_VALUES = 1 << 22
"""Values in a line, about: each takes a hundred bytes of memory, though two of the file."""
_REPORT = "give a report.jsonl that tokparity wrote"


def is_whole(line: bytes) -> bool:
    """Whether it is JSON: a line that was being written when its writer was killed is not."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def lines_of(path: Path) -> list[bytes]:
    """The lines of a file, the last without its end; FormatError where it cannot be read."""
    if path.exists() and not path.is_file():
        raise FormatError(f"{str(path)!r} is not a regular file", _REPORT)
    try:
        return path.read_bytes().split(b"\n")
    except OSError as error:
        raise FormatError(f"cannot read {str(path)!r}: {error.strerror}", _REPORT) from error


def records_of(lines: Sequence[bytes], path: Path) -> Iterator[dict[str, Any]]:
    """The objects; FormatError with the number of a line that is none, but for the last."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        values = sum(map(line.count, (b",", b"[", b"{"))) if len(line) > MOST_VALUES else 0
        if len(line) > MOST_BYTES or values > MOST_VALUES:
            message = (
                f"{str(path)!r} line {number} has {len(line):,} bytes and about {values:,} values, which is too many"
            )
            raise FormatError(message, _REPORT)
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines) and number > 1:
                return  # the writer was killed in the middle of this line
            message = f"{str(path)!r} line {number} is not JSON: {line[:60]!r}"
            raise FormatError(message, _REPORT) from error
        if not isinstance(record, dict):
            raise FormatError(f"{str(path)!r} line {number} is not a record: {line[:60]!r}", _REPORT)
        yield record
