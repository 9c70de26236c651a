"""The command line: one module per command, found by listing this folder.

A command's module has `HELP` (one line), `add_arguments(parser)` and `main(args) -> int`, which gives the exit code:
0 parity or only accepted findings, 1 new or vanished findings, 2 wrong usage or unreadable input, 3 an engine could
not be run. What stands after the options, in any order, arrives as `args.words`, the whole command line as
`args.command`. Commands import what is heavy in `main`, so that `--help` is quick.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from tokparity import __version__
from tokparity.errors import TokparityError, UsageError

INTERRUPTED = 130  # what a shell gives for a program that Ctrl-C ended


class Command(Protocol):
    """What every module in this folder that is a command has."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options and `words`."""

    def main(self, args: argparse.Namespace) -> int:
        """Do it; the exit code."""


def commands() -> Mapping[str, Command]:
    """Every command by name."""
    found: dict[str, Command] = {}
    for entry in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{entry.name}")
        if hasattr(module, "HELP"):
            found[entry.name.replace("_", "-")] = cast(Command, module)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every error we raise on purpose is one line on standard error."""
    try:
        code = _main(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except TokparityError as error:
        line = " ".join(str(error).splitlines())
        print(f"tokparity: error: {line}".encode("utf-8", "backslashreplace").decode(), file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # Whoever read our output has gone, which is no fault; nothing more can be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _main(argv: list[str]) -> int:
    known = commands()
    name = argv[0] if argv else ""
    if name in known:
        return known[name].main(_arguments(name, known[name], argv[1:]))
    if name and not name.startswith("-"):
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"commands: {', '.join(known)}"
        raise UsageError(f"unknown command {name!r}", hint)
    parser = _top(known)
    if argv:
        parser.parse_args(argv)
    parser.print_help()
    return 0 if argv else UsageError.exit_code


def _top(known: Mapping[str, Command]) -> argparse.ArgumentParser:
    """What `tokparity --help` and `tokparity --version` need."""
    parser = argparse.ArgumentParser(
        prog="tokparity", description="Prove that two tokenizers agree, or find out why not."
    )
    parser.add_argument("--version", action="version", version=f"tokparity {__version__}")
    listed = parser.add_subparsers(title="commands", metavar="COMMAND", required=False)
    for name, command in known.items():
        listed.add_parser(name, help=command.HELP, add_help=False)
    return parser


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(message, f"see `{self.prog} --help`")


def _arguments(name: str, command: Command, argv: list[str]) -> argparse.Namespace:
    """The arguments of a command. What follows a "--" is taken as it is, whatever it begins with."""
    if getattr(command, "TAKES_ALL", False):
        return argparse.Namespace(words=argv, command=("tokparity", name, *argv))
    parser = _Parser(prog=f"tokparity {name}", description=command.HELP, allow_abbrev=False)
    command.add_arguments(parser)
    end = argv.index("--") if "--" in argv else len(argv)
    args = parser.parse_intermixed_args(argv[:end])
    literal = argv[end + 1 :]
    if literal and not hasattr(args, "words"):
        raise UsageError(f"{name} takes no {literal[0]!r}", f"see `tokparity {name} --help`")
    if hasattr(args, "words"):
        args.words = [*args.words, *literal]
    args.command = ("tokparity", name, *argv)
    return args
