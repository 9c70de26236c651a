"""Writes the files of a report, and prints where they are."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli.console import shown, terminal
from tokparity.errors import UnwritableError, UsageError

if TYPE_CHECKING:
    from tokparity.report.model import Report

FORMATS = ("html", "csv", "markdown")
"""What is written into a report's directory beside report.jsonl."""
FILES = "index.html  report.md  mismatches.csv  findings.csv  pairs.csv  report.jsonl"
TABLES = "mismatches.parquet  findings.parquet"
_REPORT = "report.jsonl"
_NEW = "report.jsonl.new"
_STATES = "fuzz.json  fuzz.json.new  generated.jsonl  sweep.json  units"
WRITTEN = f"{FILES}  {TABLES}  {_NEW}  {_STATES}".split()
"""All names that commands write in the directory of a report."""


def directory(out: Path | None) -> Path:
    """The directory of a report, which is there afterwards: `out`, or else a new one below reports/."""
    if out is None:
        named = Path("reports", time.strftime("%Y-%m-%d-%H%M%S"))
        names = chain([named], (named.with_name(f"{named.name}-{number}") for number in count(2)))
        out = next(filter(_is_ours, names))
    make_directory(out)
    return out


def _is_ours(path: Path) -> bool:
    """Whether nobody else has made it; where it cannot be made, `make_directory` says why."""
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        path.mkdir()
        return True
    return not path.exists()


def make_directory(out: Path) -> None:
    """Make the directory of a report; UsageError where that cannot be, before any work is done for it.

    A report that is there already is replaced. Its pages go now, so that none of them speaks for a run that was
    killed. Pages of somebody else stay, and nothing is written through a link.
    """
    from tokparity.models.trusted import plain_files

    try:
        out.mkdir(parents=True, exist_ok=True)
        plain_files(out / name for name in WRITTEN)
        pages = [out / name for name in f"{FILES}  {TABLES}".split() if (out / name).exists()]
        if pages and out / _REPORT not in pages:
            raise UsageError(f"{str(out)!r} has the file {pages[0].name}, and no report", "choose another --out")
        (out / _REPORT).open("ab").close()
        for page in pages:
            if page.name != _REPORT:
                page.unlink()
    except OSError as error:
        raise UsageError(f"cannot write to --out {str(out)!r}: {error.strerror}", "choose another directory") from error


def write(report: Report, out: Path, tables: bool = True, thin: bool = False) -> None:
    """Write the other files, as far as they can be, with `tables` for Parquet; UnwritableError where one can't.

    With `thin`, Parquet alone has all, and the others, report.jsonl too, what is looked at (report/thin.py).
    """
    from tokparity.report import render
    from tokparity.report.render import parquet

    unwritten: UsageError | None = None
    for name in (*(["parquet"] if tables and parquet.is_installed() else []), *FORMATS):
        renderer = render.modules()[name]
        try:
            render.render(name, report, out if len(renderer.FILES) > 1 else out / renderer.FILES[0])
            if thin and name == "parquet":
                report = _thinned(report, out / "report.jsonl")
        except UsageError as error:
            unwritten = error
    if unwritten is not None:
        kept = f"what was found is kept in {str(out / 'report.jsonl')!r}: make room, then `tokparity render` it"
        raise UnwritableError(unwritten.message, kept) from unwritten


def _thinned(report: Report, path: Path) -> Report:
    """The report with what is looked at, which is in the file at once or not at all; UsageError where it can't be."""
    from tokparity.report import file
    from tokparity.report.thin import thinned

    found = thinned(report)
    if found != report:
        new = path.with_name(_NEW)
        try:
            file.write(found, new)
            new.replace(path)
        except UnwritableError as error:
            raise UsageError(error.message, "make room") from error
        except OSError as error:
            raise UsageError(f"cannot write {str(new)!r}: {error.strerror}", "make room") from error
        finally:
            new.unlink(missing_ok=True)
    return found


def show(report: Report, out: Path, every: bool = False, tables: bool = True, thin: bool = False) -> None:
    """Write the other files (see `write`); print the verdict, the matrix and the new findings, or `every` finding."""
    from tokparity.report.render import parquet
    from tokparity.report.render.text import parts

    unwritten: UnwritableError | None = None
    try:
        write(report, out, tables, thin)
    except UnwritableError as error:  # what was found is told all the same
        unwritten = error
    tty = sys.stdout.isatty()
    console = terminal(width=None if tty else 200)
    for part in parts(report, every, " (-v shows them)"):
        console.print(part, soft_wrap=not tty and not hasattr(part, "columns"))
    console.print()
    if unwritten is not None:
        raise unwritten
    also = [TABLES if parquet.is_installed() else f"(Parquet: {parquet.INSTALL})"] if tables else []
    console.print(shown("  ".join([f"{out}/{FILES}", *also])), markup=False)
