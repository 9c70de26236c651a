"""What `check` writes for continuous integration: JUnit, SARIF, a summary, annotations."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli import options as declared
from tokparity.cli.console import complain, say
from tokparity.cli.ending import UNWRITABLE
from tokparity.errors import TokparityError, UnwritableError, UsageError
from tokparity.questions.json_text import inert

if TYPE_CHECKING:
    from tokparity.report.model import Report


FILES = ("junit", "sarif", "summary")
_MARKS = {"junit": b"<testsuites", "sarif": b"sarif"}
"""What the beginning of a file holds that a run may replace."""
_BEGINNING = 400


def demand_places(args: argparse.Namespace) -> None:
    """Raise where a file that an option names cannot be written, before any work is done for it.

    What is new in the report's own folder is left to the run, which makes that folder. What an earlier run wrote goes
    now, so that it does not speak for a run that was killed.
    """
    for name in FILES:
        path: Path | None = getattr(args, name)
        if path is None or (args.out is not None and args.out in path.parents and not path.exists()):
            continue
        mark = _MARKS.get(name)
        try:
            was_there = path.exists()
            if was_there and mark is not None and path.is_file() and not _holds(path, mark):
                raise UsageError(f"--{name} {str(path)!r} is a file of another kind", "name a new file")
            path.open("ab").close()
            if not was_there or (mark is not None and path.is_file()):
                path.unlink()
        except OSError as error:
            message = f"cannot write --{name} {str(path)!r}: {error.strerror}"
            kind = UnwritableError if error.errno in UNWRITABLE else UsageError
            raise kind(message, f"give another --{name}") from error


def _holds(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    return not beginning.strip() or mark in beginning


@contextmanager
def told_to_ci(args: argparse.Namespace) -> Iterator[None]:
    """An error that comes before there is a report stands in the files as well: who reads only them must see it."""
    try:
        yield
    except Exception as error:
        named = any(getattr(args, name) is not None for name in (*FILES, "annotations"))
        if named:
            try:
                _write_error(error, args)
            except (TokparityError, OSError) as other:
                if not isinstance(error, UnwritableError):  # else the disk is full, which the error itself says
                    complain(f"error: {other}")
        raise


def _write_error(error: Exception, args: argparse.Namespace) -> None:
    """Write the files of a report in which nothing was run."""
    from tokparity.cli.heading import header
    from tokparity.report.extent import Lost
    from tokparity.report.model import Footer, Report

    told = str(error) if isinstance(error, TokparityError) else f"internal error: {type(error).__name__}: {error}"
    head = replace(header([], (), 0, args.command), engines={}, places={"": _place(told, args)})
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
    write_ci_files(Report(head, (), footer=Footer("complete", 0.0), refused=(Lost("", told),)), args)


def _place(told: str, args: argparse.Namespace) -> tuple[str, int]:
    """The file and the line that an error is about: the list of models, or else the file that was given first."""
    from tokparity.models import repository

    path = repository.place(args.models)
    files = [getattr(args, name) for name in declared.FILES]
    given = [str(one) for one in (*args.words, *files) if one is not None]
    if path.is_file() and not given:
        line = re.match(rf"{re.escape(str(path))} line (\d{{1,9}}):", told)
        return path.as_posix(), int(line[1]) if line else 1
    return next(iter(given), str(path)), 1


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
