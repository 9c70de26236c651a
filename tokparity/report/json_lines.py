"""Reads the lines of a report as JSON objects; the last line may be cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tokparity.errors import FormatError

NAME = "report.jsonl"
MOST_BYTES = 1 << 28
"""Bytes of a line: a text has at most 16 MiB, each byte may be spelled with six, and ids stand beside it."""
MOST_VALUES = 1 << 25
"""Values in a line, about: an id for each byte of such a text, of the engine and of the oracle."""
_REPORT = "give a report.jsonl that tokparity wrote"


def file_at(path: Path) -> Path:
    """The report in a folder that a run wrote; what is no folder is the file itself."""
    return path / NAME if path.is_dir() else path


def is_whole(line: bytes) -> bool:
    """Whether it is JSON: a line that was being written when its writer was killed is not."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def lines_of(path: Path) -> list[bytes]:
    """The lines of a file, or of that in a folder, the last without its end; FormatError where it cannot be read."""
    path = file_at(path)
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
        if too_much := _too_much(line):
            raise FormatError(f"{str(path)!r} line {number} {too_much}", _REPORT)
        try:
            record = json.loads(line)
        except MemoryError as error:
            message = f"{str(path)!r} line {number} has {len(line):,} bytes, which take more memory than there is"
            raise FormatError(message, _REPORT) from error
        except (ValueError, RecursionError) as error:
            if number == len(lines) and number > 1:
                return  # the writer was killed in the middle of this line
            message = f"{str(path)!r} line {number} is not JSON: {line[:60]!r}"
            raise FormatError(message, _REPORT) from error
        if not isinstance(record, dict):
            raise FormatError(f"{str(path)!r} line {number} is not a record: {line[:60]!r}", _REPORT)
        yield record


def _too_much(line: bytes) -> str:
    """What no report has in one line; empty where it is no more than one may have."""
    values = sum(map(line.count, (b",", b"[", b"{"))) if len(line) > MOST_VALUES else 0
    if len(line) <= MOST_BYTES and values <= MOST_VALUES:
        return ""
    return f"has {len(line):,} bytes and about {values:,} values, which is too many"
