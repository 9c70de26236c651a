"""`tokparity site`: turns many reports into a folder of pages that show what changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from tokparity.cli import exit_codes, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import complain, say
from tokparity.errors import FormatError, UsageError

HELP = "Make static pages of many reports: what changed between runs, a page for each cause"
SECTION = "Find differences"
EXAMPLES = ("tokparity site reports -o site", "tokparity site monday tuesday -o site --url https://example.org/parity/")
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity site`."""
    return [
        options.Words("DIR...", "folders of reports, or folders of such folders, or report.jsonl files"),
        options.Option("-o", "out", required=True, type=options.path(), metavar="OUT", help="where the pages go"),
        options.Option(
            "--vectors", type=options.path(), metavar="DIR", help="a folder of test vectors, for a page about them"
        ),
        options.Option("--url", default="", metavar="URL", help="where they will be, for the links of the feed"),
    ]


def main(args: Arguments) -> int:
    """Write the pages of all reports that can be read; 2 where one could not, and is left out."""
    from tokparity.report.site.build import VECTORS, build
    from tokparity.vectors import page

    if not args.words:
        raise UsageError("a site needs a report", "name the folders that `tokparity run --out` wrote")
    paths, left_out = readable(args.words)
    for why in left_out:
        complain(f"left out: {why}")
    if not paths:
        raise FormatError("no report could be read", "there is nothing to make a site of")
    vectors = [] if args.vectors is None else page.files(args.vectors)
    history, damaged = build(paths, args.out, left_out, args.url, VECTORS if vectors else "")
    if vectors:
        page.write(vectors, args.out)
    for why in damaged:
        complain(f"left out: {why}")
    for run in history.runs:
        if run.report.truncated:
            complain(f"note: the run of {run.started:%Y-%m-%d %H:%M} was cut short; the pages say so")
    counts = f"{len(history.runs)} runs, {len(history.causes)} causes"
    say(f"{args.out / 'index.html'}: {counts}; `tokparity serve {args.out}` shows it")
    return exit_codes.USAGE if left_out or damaged else exit_codes.FINE


def readable(words: Sequence[str]) -> tuple[Sequence[Path], Sequence[str]]:
    """The reports that can be read, each once, and why others cannot."""
    from tokparity.report.site.build import read_run, reports_in

    paths: dict[Path, Path] = {}
    left_out = []
    for word in words:
        try:
            found = reports_in(word)
        except FormatError as error:
            left_out.append(str(error))
            continue
        for path in found:
            try:
                read_run(path)
                paths[path.resolve()] = path
            except FormatError as error:
                left_out.append(str(error))
    return list(paths.values()), left_out
