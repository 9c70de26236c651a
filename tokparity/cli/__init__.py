"""The command line: one module per command, found by listing this folder.

A command's module has `HELP` (one sentence), `SECTION` (of `tokparity --help`) and `EXAMPLES` (lines to type).
`EXIT_1` says what exit code 1 means; it is empty if there is no such code. The module also has `parameters()` and
`main(args) -> int`, which returns the exit code (see `exit_codes`). What stands between the options arrives as
`args.words`, the whole command line as `args.command`. Commands import what is heavy in `main`, so that `--help` is
quick.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import cast

import click
from click.shell_completion import shell_complete

from tokparity.cli import exit_codes
from tokparity.cli.console import complain, lenient_streams, warnings_in_a_line
from tokparity.cli.ending import flushed, guarded
from tokparity.cli.program import Command, Program
from tokparity.cli.signals import ended_as_by_an_exception

_COMPLETE = "_TOKPARITY_COMPLETE"
"""The variable by which a shell asks what may follow."""


@cache
def commands() -> Mapping[str, Command]:
    """Every command by name."""
    found: dict[str, Command] = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if b"\nHELP = " in path.read_bytes():  # not imported to find that out: what the others import is slow
            module = importlib.import_module(f"{__name__}.{path.stem}")
            found[path.stem.replace("_", "-")] = cast(Command, module)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and give its exit code; every error is one line on standard error. Help raises SystemExit."""
    if sys.stdout is None:
        complain("error: standard output is closed; to discard the output, add > /dev/null")
        return exit_codes.UNWRITABLE
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)  # else the first file that is opened is standard input for all children
    words = list(sys.argv[1:] if argv is None else argv)
    with lenient_streams(), ended_as_by_an_exception(), warnings_in_a_line():
        try:
            code = guarded(lambda: execute(words))
        except SystemExit:
            if unwritten := guarded(flushed):
                return unwritten
            raise
        return guarded(flushed) or code


def execute(words: list[str]) -> int:
    """Run one command and give its exit code; errors are raised as they are."""
    program = Program(lambda: tuple(commands()), lambda name: commands()[name])
    if _COMPLETE in os.environ:
        return shell_complete(program, {}, "tokparity", _COMPLETE, os.environ[_COMPLETE])
    if not words:
        with click.Context(program, info_name="tokparity") as ctx:
            click.echo(program.get_help(ctx))
        return exit_codes.USAGE
    try:
        with program.make_context("tokparity", words) as ctx:
            return cast(int, program.invoke(ctx))
    except click.exceptions.Exit as ended:  # the help was asked for
        raise SystemExit(ended.exit_code) from None
