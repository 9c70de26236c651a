"""Writes the folder of a site: an index, a page for each cause, each run's own report, a feed and a badge."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tokparity.errors import FormatError, UsageError
from tokparity.finding import Finding
from tokparity.models.trusted import plain_folder
from tokparity.report.file import read, read_without_mismatches
from tokparity.report.json_lines import NAME
from tokparity.report.keys import cause_key
from tokparity.report.model import Header
from tokparity.report.render import csv, html
from tokparity.report.render.causes import parts
from tokparity.report.render.page import filled
from tokparity.report.render.strip import strip, text
from tokparity.report.site.feed import write_badge, write_feed
from tokparity.report.site.history import History, Past, Run, in_order
from tokparity.report.verdict import verdict

VECTORS = "vectors.html"
"""The page about test vectors, which `vectors.page` writes."""
_COLUMNS = 8  # runs in the table over time
_TOLD = 500  # characters of why nothing could be read
_SHOWN = 5  # runs whose changes are not folded


def reports_in(word: str) -> list[Path]:
    """The reports that a word names: a file, the one in a folder, or all in the folders below; FormatError if none."""
    path = Path(word)
    if path.is_file():
        return [path]
    found = [path / NAME] if (path / NAME).is_file() else sorted(path.rglob(NAME))
    if not found:
        raise FormatError(f"there is no {NAME} in {word!r}", "give what `tokparity run --out` wrote")
    return found


def read_run(path: Path) -> Run:
    """A report without its mismatches."""
    report, _ = read_without_mismatches(path)
    try:
        started = datetime.fromisoformat(report.header.started)
    except ValueError:
        hint = "give a report that tokparity wrote"
        raise FormatError(f"{str(path)!r} began at {report.header.started!r:.60}, which is not a time", hint) from None
    started = started.astimezone(UTC) if started.tzinfo else started.replace(tzinfo=UTC)
    return Run(_name(report.header, started), started, report)


def _name(header: Header, started: datetime) -> str:
    """The same for the same run in every build: when it was, and what was typed."""
    typed = hashlib.sha256(repr((header.command, header.models)).encode("utf-8", "backslashreplace")).hexdigest()
    return f"{started:%Y-%m-%d-%H%M%S}-{typed[:6]}"


def build(
    paths: Sequence[Path], out: Path, left_out: Sequence[str], url: str = "", beside: str = ""
) -> tuple[History, Sequence[str]]:
    """Write the site of these reports; what it is about, and why some of them can't be shown.

    `left_out` says which others could not be read, `beside` is the page about test vectors. FormatError where no report
    can be shown.
    """
    files = {run.name: (run, path) for path in paths for run in [read_run(path)]}  # the same run twice is one
    if (out / NAME).exists():
        raise UsageError(f"{str(out)!r} is the folder of a report", "choose another -o")
    plain_folder(out)
    try:
        for folder in ("runs", "causes"):
            (out / folder).mkdir(parents=True, exist_ok=True)
        damaged = {name: why for name, (_, path) in files.items() if (why := _why_not(path, out / "runs" / name))}
        if len(damaged) == len(files):
            raise FormatError("no report could be read", "; ".join(damaged.values())[:_TOLD] or "give other folders")
        history = in_order(run for name, (run, _) in files.items() if name not in damaged)
        for past in history.causes:
            (out / "causes" / f"{past.key}.html").write_bytes(_cause(history, past))
        (out / "index.html").write_bytes(_index(history, [*left_out, *damaged.values()], beside))
        write_feed(history, out / "feed.atom", url)
        write_badge(history.runs[-1], out / "badge.svg")
    except OSError as error:
        raise UsageError(f"cannot write to {str(out)!r}: {error.strerror}", "choose another -o") from error
    return history, tuple(damaged.values())


def _why_not(path: Path, folder: Path) -> str:
    """Write the report of one run, and its tables; why they can't be, empty where they could."""
    try:
        report = read(path)
    except FormatError as error:
        return str(error)  # a mismatch is damaged, which nobody saw who read the report without them
    csv.render(report, folder)
    html.render(report, folder / html.FILES[0])
    return ""


def _index(history: History, left_out: Sequence[str], beside: str) -> bytes:
    newest = list(reversed(history.runs))
    return filled(
        "site.html",
        history=history,
        newest=newest,
        steps=[newest[:_SHOWN], newest[_SHOWN:]],
        columns=list(history.runs[-_COLUMNS:]),
        versions={run.name: sorted(set(_versions(history, run))) for run in newest},
        verdicts={run.name: verdict(run.report) for run in newest},
        groups=_groups(history),
        left_out=left_out,
        beside=beside,
    )


def _versions(history: History, run: Run) -> Iterator[tuple[str, str, str]]:
    """Engine, the version before, the version now: where they are not the same."""
    for line in history.lines:
        for point in line.points:
            if point.run is run and point.before and point.has_other_version and not point.pair.unavailable:
                yield line.engine, point.before.version, point.pair.version


def _groups(history: History) -> list[tuple[str, list[Past]]]:
    """The causes that are there and new, there and not diagnosed, there and known, and no longer there."""
    groups: dict[str, list[Past]] = {"New": [], "Not diagnosed": [], "Known or accepted": [], "No longer seen": []}
    for past in history.causes:
        findings = past.found[0][1]
        if history.gone_since(past):
            name = "No longer seen"
        elif any(finding.is_new for finding in findings):
            name = "New"
        else:
            name = "Not diagnosed" if any(finding.is_open for finding in findings) else "Known or accepted"
        groups[name].append(past)
    return list(groups.items())


def _cause(history: History, past: Past) -> bytes:
    finding = past.smallest_of
    shown, hidden = text(finding.smallest)
    return filled(
        "site_cause.html",
        past=past,
        finding=finding,
        parts=parts(finding),
        gone=history.gone_since(past),
        rows=[(run, each) for run, findings in past.found for each in _by_engine(findings)],
        versions={(r.name, p.engine): p.version for r in history.runs for p in r.report.pairs if not p.unavailable},
        text=shown,
        hidden=hidden,
        strip=strip(finding.smallest),
        key_of=cause_key,
    )


def _by_engine(findings: Sequence[Finding]) -> list[list[Finding]]:
    """The findings of each version of the engine."""
    names = dict.fromkeys(finding.engine for finding in findings)
    return [[finding for finding in findings if finding.engine == name] for name in names]
