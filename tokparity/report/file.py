"""Reads and writes reports on disk: JSON Lines, written during the run.

The first line is the header. Then come `pair` (counts of one model on one engine; a later one replaces an earlier
one), `mismatch`, `finding`, `control`, `vanished`, `put`, `lost` and `note` records, and `resumed` if a later run
continued. The last line is the footer; without it the run was cut short.
"""

from __future__ import annotations

import threading
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokparity.errors import FormatError, UsageError
from tokparity.finding import Control, Finding, Mismatch
from tokparity.garbage import never_collected
from tokparity.questions.json_text import literal
from tokparity.report.cut import cut
from tokparity.report.disk import MISMATCH, ReportFile
from tokparity.report.extent import KINDS, Extent, LeftOut, Lost, Put
from tokparity.report.json_lines import is_whole, lines_of, records_of
from tokparity.report.model import FileFault, Footer, Header, Pair, Report, Vanished
from tokparity.report.record import Noun, from_record, to_record
from tokparity.report.rule import noted, weight
from tokparity.report.templates import restored

FORMAT = 2
"""Version of the layout; a reader refuses what is newer."""

_BESIDE = ("type", "format", "members")
"""What stands in a record beside the fields of its noun."""

_CONCLUSIONS = ("finding", "control", "vanished", "footer")
"""Records that a run writes at its end."""


class ReportWriter:
    """Writes a report line by line, from any thread; after `flush`, what was written survives a `kill -9`."""

    def __init__(self, path: Path, header: Header) -> None:
        try:
            self._file = ReportFile(path)
            self._file.cut(0)
        except OSError as error:
            raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "choose another --out") from error
        self._mismatches = 0
        self._due = b""
        self._lock = threading.Lock()
        self._write("header", {"format": FORMAT, **to_record(header)})
        self.flush()

    @classmethod
    def resume(cls, path: Path) -> ReportWriter:
        """Continue a report that ended early: its lines stay, and a line that was cut off goes.

        That it was gone on with is written before the next record: until then the report is as it was.
        """
        writer = cls.__new__(cls)
        writer._lock = threading.Lock()
        writer._file = ReportFile(path)
        stored = path.read_bytes()
        whole = stored[: stored.rfind(b"\n") + 1]
        writer._file.cut(len(whole))
        writer._mismatches = len(read(path).mismatches)
        writer._due = _line("resumed", {})
        return writer

    def mismatch(self, mismatch: Mismatch) -> int:
        """Write one mismatch; gives its index, by which a finding refers to it."""
        record = _line("mismatch", to_record(cut(mismatch)))
        with self._lock:
            self._add(record)
            self._mismatches += 1
            return self._mismatches - 1

    def finding(self, finding: Finding, members: Sequence[int]) -> None:
        """Write one finding with the indices of its mismatches."""
        record = to_record(replace(finding, smallest=cut(finding.smallest)))
        self._write("finding", {**record, "members": list(members)})

    def control(self, control: Control) -> None:
        """Write one case on which an engine was right."""
        self._write("control", to_record(control))

    def vanished(self, vanished: Vanished) -> None:
        """Write that an accepted finding did not occur."""
        self._write("vanished", to_record(vanished))

    def fault(self, fault: FileFault) -> None:
        """Write that a key of a file differs from the source: as a note, where no text and no effect shows that."""
        weighs = weight(fault)
        if weighs == "note":
            self.note(f"{fault.model}: {noted(fault)}")
        else:
            self._write("unsaid" if weighs == "unsaid" else "fault", to_record(fault))

    def note(self, note: str) -> None:
        """Write a note that a reader of the report must know."""
        self._write("note", {"note": note})

    def extent(self, extent: Extent) -> None:
        """Write how far the run of a model came."""
        self._write(KINDS[type(extent)], to_record(extent))

    def pair(self, pair: Pair) -> None:
        """Write the counts of a model before an engine, as they are now."""
        self._write("pair", to_record(pair))

    def close(self, footer: Footer) -> None:
        """Write the footer and close the file."""
        self._write("footer", to_record(footer))
        self._file.close()

    def flush(self) -> None:
        """Hand what was written to the operating system; UnwritableError, which says what was kept, if it can't be."""
        self._file.flush()

    def kept(self) -> str:
        """What can be found in the report, in words for whoever ends the command in the middle."""
        return self._file.kept()

    def _write(self, kind: str, record: Mapping[str, Any]) -> None:
        line = _line(kind, record)
        with self._lock:
            self._add(line)

    def _add(self, line: bytes) -> None:
        """Write a line, whoever holds the lock."""
        self._file.write(self._due + line)
        self._due = b""


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
    for fault in (*report.faults, *report.unsaid):
        writer.fault(fault)
    for note in report.notes:
        writer.note(note)
    extents: Sequence[Extent] = (*report.puts, *report.refused, *report.left_out)
    for extent in extents:
        writer.extent(extent)
    for pair in report.pairs:
        writer.pair(pair)
    if report.footer is not None:
        writer.close(report.footer)
    else:
        writer.flush()


@never_collected()
def read(path: Path) -> Report:
    """The report in a file; a last line that was cut off is left out, and the report is then truncated."""
    return _of_records(path, list(records_of(lines_of(path), path)))


def read_without_mismatches(path: Path) -> tuple[Report, list[bytes]]:
    """The report without its mismatches, and the line of each of them: for who wants no object for each."""
    lines = lines_of(path)
    if lines and lines[-1]:
        lines = lines if is_whole(lines[-1]) else lines[:-1]  # the writer was killed in the middle of this line
    mismatches = [line for line in lines if line.startswith(MISMATCH)]
    others = [line for line in lines if not line.startswith(MISMATCH)]
    return _of_records(path, list(records_of(others, path)), len(mismatches)), mismatches


def mismatch_lines(report: Report) -> Iterator[bytes]:
    """The lines of its mismatches, as they would be written."""
    return (_line("mismatch", to_record(mismatch))[:-1] for mismatch in report.mismatches)


def _of_records(path: Path, records: Sequence[dict[str, Any]], left_out: int = 0) -> Report:
    """The report that these records are, of which this many mismatches were left out."""
    header, *rest = records or [{}]
    if header.get("type") != "header" or not isinstance(header.get("format"), int):
        raise FormatError(
            f"{str(path)!r} is not a report of tokparity", "give a report.jsonl that `tokparity run` wrote"
        )
    if header["format"] > FORMAT:
        raise FormatError(
            f"{str(path)!r} has report format {header['format']}, this tokparity {FORMAT} reads up to format {FORMAT}",
            f"it was written by tokparity {header.get('tokparity', 'of a later version')}; install that",
        )
    try:
        return _report(header, restored(rest), left_out)
    except FormatError as error:
        raise FormatError(f"{str(path)!r} has a damaged record: {error.message}", error.hint) from error
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise FormatError(f"{str(path)!r} has a damaged record ({error!r:.120})", "run again") from error


def _report(header: dict[str, Any], records: Sequence[dict[str, Any]], left_out: int) -> Report:
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

    def read(kind: str, noun: type[Noun]) -> tuple[Noun, ...]:
        return tuple(from_record(noun, _without(record, _BESIDE)) for record in by_type.get(kind, ()))

    mismatches, findings = read("mismatch", Mismatch), read("finding", Finding)
    members = [_indices(record["members"], len(mismatches) + left_out) for record in by_type.get("finding", ())]
    return Report(
        header=from_record(Header, _without(header, _BESIDE)),
        pairs=tuple({(pair.model, pair.engine): pair for pair in read("pair", Pair)}.values()),
        mismatches=mismatches,
        findings=findings,
        members={(f.model, f.name): indices for f, indices in zip(findings, members, strict=True)},
        vanished=read("vanished", Vanished),
        faults=read("fault", FileFault),
        unsaid=read("unsaid", FileFault),
        notes=tuple(str(record["note"]) for record in by_type.get("note", ())),
        controls=read("control", Control),
        footer=next(reversed(read("footer", Footer)), None),
        puts=tuple({put.model: put for put in read("put", Put)}.values()),
        refused=read("lost", Lost),
        left_out=read("left out", LeftOut),
    )


def _without(record: Mapping[str, Any], names: Container[str]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in names}


def _indices(value: object, count: int) -> tuple[int, ...]:
    """The places of a finding's mismatches, all of which must be there."""
    if not isinstance(value, list) or not all(type(i) is int and 0 <= i < count for i in value):
        raise FormatError(f"{value!r:.60} are not places among {count} mismatches", "run again")
    return tuple(value)
