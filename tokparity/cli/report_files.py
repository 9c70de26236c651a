"""The files of a report, and what of it is printed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli.console import shown
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.report.model import Report

FORMATS = ("html", "csv", "markdown")
"""What is written into a report's directory beside report.jsonl."""
FILES = "index.html  report.md  mismatches.csv  findings.csv  report.jsonl"


def make_directory(out: Path) -> None:
    """Make the directory of a report; UsageError where that cannot be, before any work is done for it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "report.jsonl").open("ab").close()
    except OSError as error:
        raise UsageError(f"cannot write to --out {str(out)!r}: {error.strerror}", "choose another directory") from error


def write(report: Report, out: Path) -> None:
    """Write the other files."""
    from tokparity.report import render
    from tokparity.report.render import parquet

    for name in (*FORMATS, *(["parquet"] if parquet.is_installed() else [])):
        renderer = render.modules()[name]
        render.render(name, report, out if len(renderer.FILES) > 1 else out / renderer.FILES[0])


def show(report: Report, out: Path, every: bool = False) -> None:
    """Write the other files; print the verdict, the matrix and the new findings, or `every` finding."""
    from rich.console import Console

    from tokparity.report.render import parquet
    from tokparity.report.render.text import parts

    write(report, out)
    tty = sys.stdout.isatty()
    console = Console(highlight=False) if tty else Console(highlight=False, width=200)
    for part in parts(report, every):
        console.print(part, soft_wrap=not tty and not hasattr(part, "columns"))
    console.print()
    tables = "mismatches.parquet  findings.parquet" if parquet.is_installed() else f"(Parquet: {parquet.INSTALL})"
    console.print(shown(f"{out}/{FILES}  {tables}"), markup=False)
