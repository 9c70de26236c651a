"""`tokparity render`: a stored report in another format."""

from __future__ import annotations

import argparse
from pathlib import Path

from tokparity.cli import arguments
from tokparity.errors import UsageError

HELP = "write a stored report as html, csv, markdown, junit, sarif or text"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what render takes."""
    arguments.add_words(parser, "REPORT.jsonl", "a report that run, check or fuzz wrote")
    parser.add_argument("--to", required=True, metavar="FORMAT")
    parser.add_argument(
        "-o", required=True, metavar="PATH", dest="path", help="csv: a directory, or mismatches.csv or findings.csv"
    )


def main(args: argparse.Namespace) -> int:
    """Read the report and write the file."""
    from tokparity.report import file as report_file
    from tokparity.report import render

    if len(args.words) != 1:
        raise UsageError(f"render takes one report, found {len(args.words)}", "see `tokparity render --help`")
    if args.to not in render.names():
        raise UsageError(f"unknown format {args.to!r} for a report", f"known formats: {', '.join(render.names())}")
    render.render(args.to, report_file.read(Path(args.words[0])), Path(args.path))
    return 0
