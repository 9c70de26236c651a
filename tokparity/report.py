"""A report: what was run, what disagreed, and the counts. On disk it is JSON Lines, written as the run goes.

First line: the header. Then `pair` (counts of one model before one engine; a later one replaces an earlier one),
`mismatch`, `finding` and `vanished` records as they come. Last line: the footer; without it the run was cut short.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeVar

from tokparity.errors import FormatError, UsageError
from tokparity.finding import Finding, Mismatch
from tokparity.json_text import literal
from tokparity.record import finding_from_json, finding_to_json, mismatch_from_json, mismatch_to_json

FORMAT = 1
"""Version of the layout on disk; a reader refuses what is newer."""

Ended = Literal["complete", "time", "interrupted"]

Record = TypeVar("Record")


@dataclass(frozen=True)
class Header:
    """What was run: enough to run it again.

    `engines` maps a name to its version, or "" where it could not be asked. `models` maps a name to the sha256 of each
    of its files, `arguments` to what names it on the command line. `command` is the command line, `started` an
    ISO 8601 time with its zone.
    """

    tokparity: str
    unicode: str
    engines: Mapping[str, str]
    models: Mapping[str, Mapping[str, str]]
    seed: int
    command: tuple[str, ...]
    started: str
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Pair:
    """Counts of one model before one engine.

    cases = equal + mismatches + failures + unsupported + unjudged. `equal` and `mismatches` are about ids; `decode` and
    `round_trip` count the equal ones among them that decode differently. `failures` are cases on which the engine
    crashed, hung or gave an error; `unjudged` those that nobody could say the right answer to. `not_stored` are the
    differences of any kind that were counted and not kept in full.
    `unavailable` says why the engine was not run at all. `source` is what it opened.
    """

    model: str
    engine: str
    oracle: str
    version: str = ""
    source: str = ""
    cases: int = 0
    equal: int = 0
    mismatches: int = 0
    failures: int = 0
    unsupported: int = 0
    unjudged: int = 0
    decode: int = 0
    round_trip: int = 0
    not_stored: int = 0
    seconds: float = 0.0
    unavailable: str = ""

    @property
    def decoding(self) -> int:
        """Cases with equal ids that decode differently."""
        return self.decode + self.round_trip

    @property
    def differs(self) -> bool:
        """Whether there is anything to report."""
        return bool(self.mismatches or self.failures or self.decoding)

    @property
    def compared(self) -> int:
        """Cases on which the engine could be right or wrong."""
        return self.equal + self.mismatches + self.failures

    @property
    def share(self) -> float | None:
        """Share of the compared cases that are equal; None where nothing was compared."""
        return self.equal / self.compared if self.compared else None


@dataclass(frozen=True)
class Vanished:
    """An accepted finding that did not occur, though its engine was run to the end; `what` says which one."""

    model: str
    engine: str
    what: str
    reason: str


@dataclass(frozen=True)
class Footer:
    """How the run ended, and after how many seconds."""

    ended: Ended
    seconds: float


@dataclass(frozen=True)
class Report:
    """All of a report. `members` maps (model, finding) to the indices of its stored mismatches."""

    header: Header
    pairs: tuple[Pair, ...]
    mismatches: tuple[Mismatch, ...] = ()
    findings: tuple[Finding, ...] = ()
    members: Mapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    vanished: tuple[Vanished, ...] = ()
    footer: Footer | None = None

    @property
    def truncated(self) -> bool:
        """The run did not live to write its footer."""
        return self.footer is None

    def finding_names(self) -> tuple[str, ...]:
        """For each stored mismatch the name of its finding, "" where it has none."""
        names = [""] * len(self.mismatches)
        for (_, name), indices in self.members.items():
            for index in indices:
                names[index] = name
        return tuple(names)

    def models(self) -> tuple[str, ...]:
        """The models, in the order in which they were run."""
        return tuple(dict.fromkeys(pair.model for pair in self.pairs))

    def engines(self) -> tuple[str, ...]:
        """The engines, in the order in which they were first met."""
        return tuple(dict.fromkeys(pair.engine for pair in self.pairs))


class ReportWriter:
    """Writes a report line by line; after `flush`, what was written survives a `kill -9`."""

    def __init__(self, path: Path, header: Header) -> None:
        try:
            self._file: BinaryIO = path.open("wb")
        except OSError as error:
            raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "choose another --out") from error
        self._mismatches = 0
        self._write("header", {"format": FORMAT, **asdict(header)})
        self.flush()

    def mismatch(self, mismatch: Mismatch) -> int:
        """Write one mismatch; gives its index, by which a finding refers to it."""
        self._write("mismatch", mismatch_to_json(mismatch))
        self._mismatches += 1
        return self._mismatches - 1

    def finding(self, finding: Finding, members: Sequence[int]) -> None:
        """Write one finding with the indices of its mismatches."""
        self._write("finding", {**finding_to_json(finding), "members": list(members)})

    def vanished(self, vanished: Vanished) -> None:
        """Write that an accepted finding did not occur."""
        self._write("vanished", asdict(vanished))

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
        self._file.write(literal({"type": kind, **record}).encode("utf-8") + b"\n")


def read(path: Path) -> Report:
    """The report in a file; a last line that was cut off is left out, and the report is then truncated."""
    records = list(_records(path))
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
    for record in records:
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
        footer=_build(Footer, footers[-1]) if footers else None,
    )


def _header(record: dict[str, Any]) -> Header:
    arguments = {name: tuple(words) for name, words in record["arguments"].items()}
    return _build(Header, record | {"command": tuple(record["command"]), "arguments": arguments})


def _build(noun: type[Record], record: Mapping[str, Any]) -> Record:
    return noun(**{f.name: record[f.name] for f in fields(noun) if f.name in record})  # type: ignore[arg-type]


def _records(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise FormatError(f"cannot read {str(path)!r}: {error.strerror}", "give a report.jsonl") from error
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
