"""`python -m tokparity`, and the program `tokparity`: the import of the command line can be interrupted as well."""

from __future__ import annotations

import signal
import sys


def start() -> int:
    """Run one command; Ctrl-C before there is anything to clean up ends the process without a traceback."""
    raises = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if raises:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tokparity.cli import main

    if raises:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


if __name__ == "__main__":
    sys.exit(start())
