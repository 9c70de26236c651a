"""Every error that tokparity raises on purpose; the root is `TokparityError`."""

from __future__ import annotations

import difflib
from collections.abc import Collection

LONGEST = 1500
"""Characters of a message, and of a hint: a file may hold a name of a megabyte, and nobody reads on."""
_MARK = 50
"""Characters that say how many are left out, at most."""


class TokparityError(Exception):
    """An error that the user can act on: its message says what happened and shows the wrong value, its hint is the next
    step.

    `exit_code` is the exit code of the command line. It is 2 for wrong usage or unreadable input, 3 for an engine that
    could not be run, 74 for a disk that can't be written.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(_cut(message))
        self.message = _cut(message)
        self.hint = _cut(hint)

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


def _cut(text: str) -> str:
    """The text without its middle, if it is long: its end says more than what is left out."""
    if len(text) <= LONGEST:
        return text
    half = (LONGEST - _MARK) // 2
    return f"{text[:half]} [... {len(text) - 2 * half:,} characters ...] {text[-half:]}"


def nearest(name: str, known: Collection[str], otherwise: str) -> str:
    """The hint for a name that is not among the known ones: the one that may be meant, or what is said `otherwise`."""
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else otherwise


class UsageError(TokparityError):
    """An argument that names nothing we know, or arguments that contradict each other."""


class FormatError(TokparityError):
    """A file that is not what it claims to be: truncated, lying about a length, of an unknown type."""


class CannotExpressError(TokparityError):
    """A model that a file format or an engine cannot express; the message names the feature."""


class MissingDependencyError(TokparityError):
    """A library that an optional part needs and that is not installed; the hint says which extra to install."""

    exit_code = 3


class EngineError(TokparityError):
    """An engine that could not be started or could not open its model."""

    exit_code = 3


class UnwritableError(TokparityError):
    """A disk that is full, or a file that was taken away while it was written; the message says what was kept."""

    exit_code = 74


class CatalogueError(TokparityError):
    """Records of our own that contradict each other, such as two quirks with one name."""

    exit_code = 70


class AbortedError(TokparityError):
    """What the crash of an engine is where the reference plays that engine."""

    exit_code = 3


class OldNameWarning(FutureWarning):
    """A file or a command line has an old name, which is still understood."""
