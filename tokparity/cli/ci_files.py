"""What `check` writes for continuous integration: JUnit, SARIF, a summary, annotations."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli.console import say
from tokparity.cli.ending import UNWRITABLE
from tokparity.errors import UnwritableError, UsageError
from tokparity.questions.json_text import inert

if TYPE_CHECKING:
    from tokparity.report.model import Report


FILES = ("junit", "sarif", "summary")


def demand_places(args: argparse.Namespace) -> None:
    """Raise where a file that an option names cannot be written, before any work is done for it.

    What is to stand in the report's own folder is left to the run, which makes that folder.
    """
    for name in FILES:
        path: Path | None = getattr(args, name)
        if path is None or (args.out is not None and args.out in path.parents):
            continue
        was_there = path.exists()
        try:
            path.open("ab").close()
            if not was_there:
                path.unlink()
        except OSError as error:
            message = f"cannot write --{name} {str(path)!r}: {error.strerror}"
            kind = UnwritableError if error.errno in UNWRITABLE else UsageError
            raise kind(message, f"give another --{name}") from error


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
            file.write(inert(page(report)))
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "choose another --summary") from error
