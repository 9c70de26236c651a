"""Recordings: what an engine gave to texts, as JSON Lines, so that it can be looked at where the engine is not.

A line is {"text": ..., "ids": [...]}, the text a JSON string or {"base64": ...}. It may have "add_special" and
"parse_special", which are false if they are missing (but see `session.recording`). It may have "decoded": the text that
the engine decodes these ids to, without special tokens. An engine that has no id for a piece writes null for it, or for
all ids. Other keys are not looked at. The file may be packed with gzip.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

from tokparity.case import AnyCase, Origin, text_case
from tokparity.errors import FormatError
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.questions.json_text import from_json, strict

_LINE_LIMIT = 256 << 20  # bytes; a longer line is a mistake
_GZIP = b"\x1f\x8b"
_HINT = 'write {"text": "...", "ids": [...]} on each line'
_FLAGS = ("add_special", "parse_special")


@dataclass(frozen=True)
class Recorded:
    """One line of a recording: the question, and the engine's answer."""

    case: AnyCase
    answer: Outcome
    says_special: bool = True
    """Whether it says itself if special tokens were to be added."""


def is_recording(path: Path) -> bool:
    """Whether the first line that is not empty looks like one of a recording (and not of a report, say).

    FormatError where there is none.
    """
    for _, line in numbered_lines(path):
        try:
            record = strict(line)
        except FormatError:
            return False
        return isinstance(record, dict) and {"text", "ids"} <= record.keys()
    raise FormatError(f"{str(path)!r} has no lines", "give a report.jsonl, or a recording of at least one text")


def read(path: Path) -> Iterator[Recorded]:
    """The lines of a recording, one after the other; FormatError with the number of a line that is none."""
    for number, line in numbered_lines(path):
        try:
            yield _recorded(line, Origin("corpus", path.name, number))
        except FormatError as error:
            raise FormatError(f"{str(path)!r} line {number}: {error.message}", error.hint) from error


def _recorded(line: bytes, origin: Origin) -> Recorded:
    record = strict(line, _HINT)
    if not isinstance(record, dict) or not {"text", "ids"} <= record.keys():
        raise FormatError(f"{line[:60]!r} has no text and ids", _HINT)
    add_special, parse_special = (_flag(record, name) for name in _FLAGS)
    decoded = from_json(record["decoded"]) if record.get("decoded") is not None else None
    case = text_case(from_json(record["text"]), add_special, parse_special, origin)
    says = "add_special" in record
    if record["ids"] is None:
        return Recorded(case, Failure("error", "the engine returned no ids (null)"), says)
    return Recorded(case, Encoding(ids_of(_filled(record["ids"])), decoded), says)


def _filled(ids: object) -> object:
    """Ids with -1 for each null: an engine's place without an id is evidence, as an id that no vocabulary has."""
    return [-1 if i is None else i for i in ids] if isinstance(ids, list) else ids


def _flag(record: dict[str, Any], name: str) -> bool:
    value = record.get(name, False)
    if not isinstance(value, bool):
        raise FormatError(f"{name} is {value!r:.40}", "write true or false")
    return value


def ids_of(value: object) -> tuple[int, ...]:
    """Ids as an engine may give them: whole numbers of 32 bits, also negative ones."""
    if not isinstance(value, list):
        raise FormatError(f"ids are {value!r:.60}", "write a list of ids, e.g. [1, 15043]")
    for i in value:
        if type(i) is not int or not -(2**31) <= i < 2**31:
            raise FormatError(f"{i!r:.60} is not an id", "write whole numbers that 32 bits can hold")
    return tuple(value)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The numbered lines that are not empty."""
    number = 0
    if path.exists() and not path.is_file():
        raise FormatError(f"{str(path)!r} is not a regular file", "give a recording")
    try:
        with _opened(path) as file:
            while line := file.readline(_LINE_LIMIT):
                number += 1
                if len(line) == _LINE_LIMIT:
                    raise FormatError(f"{str(path)!r} line {number} is longer than {_LINE_LIMIT} bytes", _HINT)
                if line.strip():
                    yield number, line
    except (EOFError, zlib.error) as error:
        raise FormatError(f"{str(path)!r} is damaged after line {number}: {error}", "fetch it again") from error
    except OSError as error:
        raise FormatError(f"cannot read {str(path)!r}: {error.strerror or error}", "give a recording") from error


def _opened(path: Path) -> gzip.GzipFile | BufferedReader:
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    return gzip.open(path, "rb") if packed else path.open("rb")
