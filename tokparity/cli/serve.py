"""`tokparity serve`: shows a folder of pages in a browser on this machine only."""

from __future__ import annotations

import threading
from pathlib import Path

import click

from tokparity.cli import options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import flush, say
from tokparity.cli.running import interrupted
from tokparity.cli.signals import ended_by_signals
from tokparity.errors import UsageError

HELP = "Show a report or a site in a browser on this machine"
SECTION = "Find differences"
EXAMPLES = ("tokparity serve site", "tokparity serve reports/today --port 8000")
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity serve`."""
    return [
        options.Words("DIR", "what `tokparity site` or `tokparity run --out` wrote"),
        options.Option("--port", callback=options.count, default=0, metavar="N", help="default: one that is free"),
    ]


def main(args: Arguments) -> int:
    """Answer until Ctrl-C or SIGTERM comes: 130 or 143."""
    from tokparity.cli.pages import INDEX, LOOPBACK, server

    if len(args.words) != 1:
        raise UsageError(f"serve takes one folder, found {len(args.words)}", "see `tokparity serve --help`")
    root = Path(args.words[0])
    if not (root / INDEX).is_file():
        raise UsageError(f"there is no index.html in {str(root)!r}", "make one: `tokparity site DIR... -o OUT`")
    with ended_by_signals() as stop, server(root.resolve(), args.port) as pages:
        answering = threading.Thread(target=pages.serve_forever, daemon=True)
        answering.start()
        say(f"http://{LOOPBACK}:{pages.server_port}/  Ctrl-C ends it")
        flush()
        stop.wait()
        pages.shutdown()
        answering.join()
    return interrupted(stop.signal)
