"""The exit codes, the same for all commands: one table, which `tokparity --help` and README show."""

from __future__ import annotations

from typing import Final

FINE: Final = 0
DIFFERENT: Final = 1
USAGE: Final = 2
NO_VERDICT: Final = 3
INTERNAL: Final = 70
UNWRITABLE: Final = 74
INTERRUPTED: Final = 130
TERMINATED: Final = 143

MEANINGS: Final = (
    ("0", "equal, or only known and accepted differences; `run`: whatever it found"),
    ("1", "a difference: each command's help says which"),
    ("2", "wrong usage, or unreadable input"),
    ("3", "no verdict: an engine or the oracle could not run, or nothing was compared"),
    ("70", "an internal error of tokparity; please report it"),
    ("74", "a disk or an output cannot be written"),
    ("130, 143", "interrupted by Ctrl-C or SIGTERM; another signal: 128 plus its number"),
)
"""Each code and what it says. What code 1 means for a command is its module's EXIT_1."""
