"""Reports on disk: JSON Lines, written as the run goes.

First line: the header. Then `pair` (counts of one model before one engine; a later one replaces an earlier one),
`mismatch`, `finding`, `control`, `vanished` and `note` records as they come, and `resumed` where a later run went on.
Last line: the footer; without it the run was cut short.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from tokparity.errors import FormatError, UsageError
from tokparity.finding import Control, Finding, Mismatch
from tokparity.questions.json_text import literal
from tokparity.report.model import FileFault, Footer, Header, Pair, Report, Vanished
from tokparity.report.record import (
    control_from_json,
    control_to_json,
    finding_from_json,
    finding_to_json,
    mismatch_from_json,
    mismatch_to_json,
)

FORMAT = 2
"""Version of the layout; a reader refuses what is newer."""

_MISMATCH = b'{"type": "mismatch", '
"""What the line of a mismatch begins with."""

_CONCLUSIONS = ("finding", "control", "vanished", "footer")
"""Records that a run writes at its end."""

Record = TypeVar("Record")


class ReportWriter:
    """Writes a report line by line, from any thread; after `flush`, what was written survives a `kill -9`."""

    def __init__(self, path: Path, header: Header) -> None:
        try:
            self._file: BinaryIO = path.open("wb")
        except OSError as error:
            raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "choose another --out") from error
        self._mismatches = 0
        self._lock = threading.Lock()
        self._write("header", {"format": FORMAT, **asdict(header)})
        self.flush()

    @classmethod
    def resume(cls, path: Path) -> ReportWriter:
        """Go on with a report that ended early: what it holds stays; a line that was cut off goes."""
        stored = path.read_bytes()
        whole = stored[: stored.rfind(b"\n") + 1]
        writer = cls.__new__(cls)
        writer._lock = threading.Lock()
        writer._file = path.open("r+b")
        writer._file.truncate(len(whole))
        writer._file.seek(len(whole))
        writer._mismatches = len(read(path).mismatches)
        writer._write("resumed", {})
        writer.flush()
        return writer

    def mismatch(self, mismatch: Mismatch) -> int:
        """Write one mismatch; gives its index, by which a finding refers to it."""
        record = _line("mismatch", mismatch_to_json(mismatch))
        with self._lock:
            self._file.write(record)
            self._mismatches += 1
            return self._mismatches - 1

    def finding(self, finding: Finding, members: Sequence[int]) -> None:
        """Write one finding with the indices of its mismatches."""
        self._write("finding", {**finding_to_json(finding), "members": list(members)})

    def control(self, control: Control) -> None:
        """Write one case on which an engine was right."""
        self._write("control", control_to_json(control))

    def vanished(self, vanished: Vanished) -> None:
        """Write that an accepted finding did not occur."""
        self._write("vanished", asdict(vanished))

    def fault(self, fault: FileFault) -> None:
        """Write that a key of a file is wrong."""
        self._write("fault", asdict(fault))

    def note(self, note: str) -> None:
        """Write what a reader of the report must know."""
        self._write("note", {"note": note})

    def pair(self, pair: Pair) -> None:
        """Write the counts of a model before an engine, as they are now."""
        self._write("pair", asdict(pair))

    def close(self, footer: Footer) -> None:
        """Write the footer and close the file."""
        self._write("footer", asdict(footer))
        self._file.close()

    def flush(self) -> None:
        """Hand what was written to the operating system."""
        self._file.flush()

    def _write(self, kind: str, record: Mapping[str, Any]) -> None:
        line = _line(kind, record)
        with self._lock:
            self._file.write(line)


def _line(kind: str, record: Mapping[str, Any]) -> bytes:
    return literal({"type": kind, **record}).encode("utf-8") + b"\n"


def write(report: Report, path: Path) -> None:
    """Write a whole report; one without a footer stays truncated."""
    writer = ReportWriter(path, report.header)
    for mismatch in report.mismatches:
        writer.mismatch(mismatch)
    for finding in report.findings:
        writer.finding(finding, report.members.get((finding.model, finding.name), ()))
    for control in report.controls:
        writer.control(control)
    for vanished in report.vanished:
        writer.vanished(vanished)
    for fault in report.faults:
        writer.fault(fault)
    for note in report.notes:
        writer.note(note)
    for pair in report.pairs:
        writer.pair(pair)
    if report.footer is not None:
        writer.close(report.footer)
    else:
        writer.flush()


def read(path: Path) -> Report:
    """The report in a file; a last line that was cut off is left out, and the report is then truncated."""
    return _of_records(path, list(_records(_lines(path), path)))


def read_without_mismatches(path: Path) -> tuple[Report, list[bytes]]:
    """The report without its mismatches, and the line of each of them: for who wants no object for each."""
    lines = _lines(path)
    if lines and lines[-1]:
        lines = lines if _is_whole(lines[-1]) else lines[:-1]  # the writer was killed in the middle of this line
    mismatches = [line for line in lines if line.startswith(_MISMATCH)]
    others = [line for line in lines if not line.startswith(_MISMATCH)]
    return _of_records(path, list(_records(others, path))), mismatches


def _is_whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _of_records(path: Path, records: Sequence[dict[str, Any]]) -> Report:
    header, *rest = records or [{}]
    if header.get("type") != "header" or not isinstance(header.get("format"), int):
        raise FormatError(f"{str(path)!r} is no report of tokparity", "give a report.jsonl that `tokparity run` wrote")
    if header["format"] > FORMAT:
        raise FormatError(
            f"{str(path)!r} has report format {header['format']}, this tokparity {FORMAT} reads up to format {FORMAT}",
            f"it was written by tokparity {header.get('tokparity', 'of a later version')}; install that",
        )
    try:
        return _report(header, rest)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"{str(path)!r} has a damaged record ({error!r:.120})", "run again") from error


def _report(header: dict[str, Any], records: Sequence[dict[str, Any]]) -> Report:
    by_type: dict[str, list[dict[str, Any]]] = {}
    resumed = False
    for record in records:
        resumed |= record["type"] == "resumed"
        if resumed and record["type"] in _CONCLUSIONS:
            # What the run that was resumed had concluded holds until this one comes to its own conclusions.
            by_type = {kind: found for kind, found in by_type.items() if kind not in _CONCLUSIONS}
            resumed = False
        if record["type"] == "resumed":
            by_type.pop("footer", None)
        by_type.setdefault(record["type"], []).append(record)
    pairs = {(r["model"], r["engine"]): _build(Pair, r) for r in by_type.get("pair", [])}
    findings = by_type.get("finding", [])
    footers = by_type.get("footer", [])
    return Report(
        header=_header(header),
        pairs=tuple(pairs.values()),
        mismatches=tuple(mismatch_from_json(r) for r in by_type.get("mismatch", [])),
        findings=tuple(finding_from_json(r) for r in findings),
        members={(r["model"], r["finding"]): tuple(r["members"]) for r in findings},
        vanished=tuple(_build(Vanished, r) for r in by_type.get("vanished", [])),
        faults=tuple(_build(FileFault, r) for r in by_type.get("fault", [])),
        notes=tuple(r["note"] for r in by_type.get("note", [])),
        controls=tuple(control_from_json(r) for r in by_type.get("control", [])),
        footer=_build(Footer, footers[-1]) if footers else None,
    )


def _header(record: dict[str, Any]) -> Header:
    arguments = {name: tuple(words) for name, words in record["arguments"].items()}
    places = {name: (str(file), int(line)) for name, (file, line) in record.get("places", {}).items()}
    return _build(Header, record | {"command": tuple(record["command"]), "arguments": arguments, "places": places})


def _build(noun: type[Record], record: Mapping[str, Any]) -> Record:
    return noun(**{f.name: record[f.name] for f in fields(noun) if f.name in record})  # type: ignore[arg-type]


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().split(b"\n")
    except OSError as error:
        raise FormatError(f"cannot read {str(path)!r}: {error.strerror}", "give a report.jsonl") from error


def _records(lines: Sequence[bytes], path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines) and number > 1:
                return  # the writer was killed in the middle of this line
            message = f"{str(path)!r} line {number} is no JSON: {line[:60]!r}"
            raise FormatError(message, "give a report.jsonl") from error
        if not isinstance(record, dict):
            raise FormatError(f"{str(path)!r} line {number} is no record: {line[:60]!r}", "give a report.jsonl")
        yield record
