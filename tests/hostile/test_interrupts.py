"""The short form: every command has its words, and some are told to end while they start and while they work."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.hostile import interrupts
from tokparity.cli import commands


def test_every_command_is_attacked() -> None:
    """A new command gets its words here."""
    assert set(commands()) == set(interrupts.COMMANDS)


@pytest.mark.parametrize(
    ("name", "sent", "seconds"),
    [
        ("engines", signal.SIGINT, 0.1),
        ("encode", signal.SIGINT, 3.0),
        ("decode", signal.SIGTERM, 3.0),
        ("serve", signal.SIGINT, 3.0),
    ],
)
def test_a_command_ends_when_it_is_told(name: str, sent: signal.Signals, seconds: float, tmp_path: Path) -> None:
    """While its modules are imported, while it waits for input, while it serves."""
    interrupts.prepare(tmp_path)
    assert "" == interrupts.what_broke(interrupts.COMMANDS[name], sent, seconds, tmp_path)
