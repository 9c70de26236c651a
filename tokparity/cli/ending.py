"""How a command ends after an error: one line on standard error, and an exit code (see `exit_codes`)."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from collections.abc import Callable

import click

from tokparity.cli import exit_codes
from tokparity.cli.console import ReaderGoneError, complain, shown, write_to_nowhere
from tokparity.errors import TokparityError

TRACEBACK = "TOKPARITY_TRACEBACK"
"""Where this variable is 1, an internal error shows its traceback."""

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
"""What is wrong with a disk; that a folder is not there, or not for us to write, is wrong usage."""


def guarded(work: Callable[[], int]) -> int:
    """Return the result of `work`, or an exit code if it raises. Only SystemExit passes."""
    try:
        return work()
    except (Exception, KeyboardInterrupt) as error:  # nothing but this stands between a user and a bare traceback
        return _told(error)


def flushed() -> int:
    """Write out what was printed, now that a failure can still be told."""
    sys.stdout.flush()
    return exit_codes.FINE


def _told(error: BaseException) -> int:
    """Say what happened; the exit code."""
    if isinstance(error, TokparityError):
        complain(f"error: {error}")
        # Whoever wrote the file has said which; that the disk takes nothing is not a fault of the command line's.
        disk = isinstance(error.__cause__, OSError) and error.__cause__.errno in UNWRITABLE
        return exit_codes.UNWRITABLE if disk else error.exit_code
    if isinstance(error, click.UsageError):
        complain(f"error: {in_our_words(error)}")
        return exit_codes.USAGE
    if isinstance(error, KeyboardInterrupt):
        complain("interrupted before there was anything to report")
        return exit_codes.INTERRUPTED
    if isinstance(error, ReaderGoneError):
        return exit_codes.FINE
    if isinstance(error, OSError) and (error.errno in (*UNWRITABLE, errno.EIO) or _output_is_closed(error)):
        where = f"{os.fsdecode(error.filename)!r}" if error.filename is not None else "an output or a disk"
        complain(f"error: cannot write to {where}: {error.strerror}; make room or write elsewhere, and run again")
        write_to_nowhere(sys.stdout)
        return exit_codes.UNWRITABLE
    return _internal(error)


def _internal(error: BaseException) -> int:
    """Something that we did not foresee: one line, and the traceback where it does not disturb."""
    lines = "".join(traceback.format_exception(error)).splitlines()
    what = f"internal error: {type(error).__name__}: {error}"
    if os.environ.get(TRACEBACK) == "1":
        for line in lines:
            complain(line)
        complain(f"{what}; please report it with the lines above")
    else:
        complain(f"{what}; please report it with {_kept(lines)}")
    return exit_codes.INTERNAL


def _kept(lines: list[str]) -> str:
    """Where the traceback was written to, or how to see it."""
    again = f"what {TRACEBACK}=1 shows"
    try:
        number, path = tempfile.mkstemp(prefix="tokparity-traceback-", suffix=".txt")
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.writelines(f"{shown(line)}\n" for line in lines)
    except OSError:
        return again  # there is no room for it
    return f"{path} ({again})"


def in_our_words(error: click.UsageError) -> str:
    """What click found wrong with the command line, with the value and the next step."""
    help = f"see `{error.ctx.command_path} --help`" if error.ctx is not None else "see `tokparity --help`"
    if isinstance(error, click.NoSuchOption):
        meant = error.possibilities or _written_out(error)
        near = f"did you mean {meant[0]!r}? " if meant else ""
        before = "put -- before a word that begins with a dash, or " if not error.option_name.startswith("--") else ""
        return f"unknown option {error.option_name!r}; {near}{before}{help}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return f"{error.param.opts[-1]} is missing; {help}"
    message = error.message if isinstance(error, click.BadParameter) else error.format_message()
    return f"{message} {help}" if message.endswith("?") else f"{message.rstrip('.')}; {help}"


def _written_out(error: click.NoSuchOption) -> list[str]:
    """The options of the command whose first letter somebody wrote with one dash."""
    known = error.ctx.command.params if error.ctx is not None else []
    names = (name for one in known if isinstance(one, click.Option) for name in one.opts)
    return [name for name in names if name.startswith(f"-{error.option_name}")]


def _output_is_closed(error: OSError) -> bool:
    """Whether the error is that our standard output has been closed."""
    if error.errno != errno.EBADF:
        return False
    try:
        os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return True
    return False
