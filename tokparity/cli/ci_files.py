"""What `check` writes for continuous integration: JUnit, SARIF, a summary, annotations."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli.console import say
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.report.model import Report


FILES = ("junit", "sarif", "summary")


def demand_places(args: argparse.Namespace) -> None:
    """UsageError where a file that an option names cannot be written, before any work is done for it."""
    for name in FILES:
        path: Path | None = getattr(args, name)
        if path is not None and (path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK)):
            raise UsageError(f"--{name} {str(path)!r} cannot be written", f"give another --{name}")


def write_ci_files(report: Report, args: argparse.Namespace) -> None:
    """Write the files that the options name, and print annotations; UsageError where a file can't be written."""
    from tokparity.report import render

    for name in ("junit", "sarif"):
        path = getattr(args, name)
        if path is not None:
            try:
                render.render(name, report, path)
            except UsageError as error:
                raise UsageError(error.message, f"choose another --{name}") from error
    if args.summary is not None:
        _append(report, args.summary)
    if args.annotations == "github":
        from tokparity.report.render.github import annotation_lines

        for line in annotation_lines(report):
            say(line)


def _append(report: Report, path: Path) -> None:
    """Add the page to the end of a file, in which other steps may have written already."""
    from tokparity.report.render.summary import page

    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(page(report))
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "choose another --summary") from error
