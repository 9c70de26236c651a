"""The only module that prints: control, bidirectional and broken characters are printed as escapes.

Names of keys, tokens and files come from anywhere, and a terminal would obey raw control characters.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, TextIO, cast

from tokparity.errors import OldNameWarning
from tokparity.questions.json_text import inert, plain

if TYPE_CHECKING:
    from rich.console import Console


class Lenient:
    """A stream that goes to nowhere once it cannot be written: what stands on standard error decides nothing."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, as far as anybody can read it, whoever prints (a table, the help): what has no bytes is escaped."""
        self._try(lambda: self._stream.write(_encodable(text, self._stream)))
        return len(text)

    def flush(self) -> None:
        """Send it on its way."""
        self._try(self._stream.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _try(self, work: Callable[[], object]) -> None:
        try:
            work()
        except OSError:
            write_to_nowhere(self._stream)


class Unread(Lenient):
    """Standard output that goes to nowhere once its reader has gone: what a command is to find, it finds all the same.

    A full disk stays an error.
    """

    is_left = False

    def _try(self, work: Callable[[], object]) -> None:
        try:
            work()
        except ConnectionError:  # a pipe, or a socket
            self.is_left = True
            write_to_nowhere(self._stream)


class ReaderGoneError(Exception):
    """The reader of a command's output is gone, and the command does nothing else."""


def lenient_streams() -> AbstractContextManager[object]:
    """Standard error may be full or closed meanwhile, and the reader of standard output gone."""
    streams = ExitStack()
    streams.enter_context(redirect_stdout(cast(TextIO, Unread(sys.stdout))))
    if sys.stderr is not None:
        streams.enter_context(redirect_stderr(cast(TextIO, Lenient(sys.stderr))))
    return streams


def write_to_nowhere(stream: TextIO) -> None:
    """What is still to be printed is dropped, so that the interpreter does not fail on it at its end."""
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return  # no file of the system is behind it
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def terminal(stderr: bool = False, width: int | None = None, soft_wrap: bool = False) -> Console:
    """The console that prints tables and bars."""
    from tokparity.report.render.inert import console

    return console(stderr=stderr, width=width, soft_wrap=soft_wrap)


def shown(text: str) -> str:
    """The text on one line, with a \\uXXXX escape for each character that does not print."""
    return text if text.isprintable() else plain(text)


def say(line: str = "") -> None:
    """Print one line on standard output."""
    print(shown(line))


def flush() -> None:
    """Send what was said on its way, to whoever reads line by line."""
    sys.stdout.flush()


def flush_to_reader() -> None:
    """Send what was said on its way; raises ReaderGoneError where nobody reads any more: no work is done for nobody."""
    flush()
    if isinstance(sys.stdout, Unread) and sys.stdout.is_left:
        raise ReaderGoneError


def complain(line: str) -> None:
    """Print one line on standard error, if there is one; its own line ends become spaces."""
    if sys.stderr is not None:
        line = shown(" ".join(line.splitlines()))
        print(f"tokparity: {line}", file=sys.stderr)


def warnings_in_a_line() -> AbstractContextManager[object]:
    """An old name that is still understood costs one line on standard error."""
    shown_once = ExitStack()
    shown_once.enter_context(warnings.catch_warnings())
    warnings.simplefilter("once", OldNameWarning)
    usual = warnings.showwarning

    def told(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, OldNameWarning):
            complain(f"deprecated: {message}")
        else:
            usual(message, category, filename, lineno, file, line)

    warnings.showwarning = told
    return shown_once


def row(head: str, text: str) -> None:
    """Print an entry of a list: `head`, then `text`, folded under itself where the width is known."""
    head, text, width = shown(head), shown(text), _width()
    folded = textwrap.wrap(text, max(width - len(head), 20), break_on_hyphens=False) if width else [text]
    for number, line in enumerate(folded or [""]):
        print(f"{' ' * len(head) if number else head}{line}".rstrip())


def document(text: str) -> None:
    """Print a whole document, which has lines of its own."""
    sys.stdout.write(inert(text))


def _width() -> int:
    """The columns of the terminal or of COLUMNS; 0 in a pipe, where an entry is one line, for grep."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() or os.environ.get("COLUMNS") else 0


def _encodable(text: str, stream: TextIO) -> str:
    """The text with escapes for what the stream's encoding has no bytes for."""
    if text.isascii():
        return text
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
