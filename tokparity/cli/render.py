"""`tokparity render`: a stored report in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import document
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.report.model import Report

HELP = "Write a stored report as html, csv, parquet, markdown, summary, junit, sarif, text or issue"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity render reports/today/report.jsonl --to junit -o junit.xml",
    "tokparity render reports/today/report.jsonl --to markdown -o -",
    "tokparity render report.jsonl --to issue --finding 291cd578fb55 -o -",
    "tokparity render found/kitoken.toml --to issue --finding only-spaces -o -",
)
EXIT_1 = ""
_FORMATS = "html, csv, parquet, markdown, summary, junit, sarif, text or issue"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity render`."""
    return [
        options.Words(
            "REPORT", "a report that run, check or fuzz wrote, or its folder, or a file of found/", shell_complete=None
        ),
        options.Option("--to", required=True, metavar="FORMAT", help=_FORMATS),
        options.Option(
            "--finding",
            metavar="KEY",
            help="issue: the finding, by its key in findings.csv, or the fault, by its name",
        ),
        options.Option(
            "-o",
            "path",
            required=True,
            metavar="PATH",
            help='csv, parquet: a directory, or mismatches.csv or the like; "-" is standard output',
        ),
    ]


def main(args: Arguments) -> int:
    """Read the report and write the file."""
    from tokparity.report import file as report_file
    from tokparity.report import render

    if len(args.words) != 1:
        raise UsageError(f"render takes one report, found {len(args.words)}", "see `tokparity render --help`")
    if args.to not in render.names():
        raise UsageError(f"unknown format {args.to!r} for a report", f"known formats: {', '.join(render.names())}")
    if args.finding and args.to != "issue":
        raise UsageError(f"--finding is for --to issue, not {args.to}", "leave it out, or choose --to issue")
    if args.words[0].endswith(".toml"):
        return _fault(Path(args.words[0]), args.to, args.path, args.finding or "")
    report = report_file.read(Path(args.words[0]))
    if args.path == "-":
        document(_rendered(args.to, report, args.finding or ""))
    else:
        _write(args.to, report, Path(args.path), args.finding or "")
    return 0


def _fault(file: Path, to: str, path: str, name: str) -> int:
    """A fault of a file of found/ as an issue."""
    from tokparity.report import found
    from tokparity.report.render import fault
    from tokparity.report.render.inert import write_inert

    if to != "issue":
        raise UsageError(f"a fault is written as an issue, not as {to}", "choose --to issue")
    issue = fault.issue(found.read(file), name)
    if path == "-":
        document(issue)
    else:
        write_inert(Path(path), issue)
    return 0


def _write(name: str, report: Report, path: Path, finding: str) -> None:
    """Write the format's file; only an issue is about one finding."""
    from tokparity.report import render
    from tokparity.report.render import issue

    if finding:
        issue.render(report, path, finding)
    else:
        render.render(name, report, path)


def _rendered(name: str, report: Report, finding: str) -> str:
    """The one file that the format is."""
    from tokparity.engines.process.temporary import TemporaryFolder
    from tokparity.report import render

    files = render.modules()[name].FILES
    if len(files) != 1:
        raise UsageError(f"{name} is {len(files)} files: {', '.join(files)}", "give a directory, or one of them, as -o")
    with TemporaryFolder() as folder:
        path = Path(folder) / files[0]
        _write(name, report, path, finding)
        return path.read_text(encoding="utf-8")
