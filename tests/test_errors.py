"""Errors: a message is as long as somebody reads, whatever a file holds."""

from __future__ import annotations

from tokparity.errors import LONGEST, FormatError


def test_a_long_message_loses_its_middle() -> None:
    """Both ends are there, and so is the next step."""
    error = FormatError("begin " + "a" * 1_000_000 + " end", "do " + "b" * 1_000_000)
    assert error.message.startswith("begin aaa")
    assert error.message.endswith("aaa end")
    assert "[... 998,560 characters ...]" in error.message
    assert error.hint.startswith("do bbb")
    assert max(len(error.message), len(error.hint)) <= LONGEST


def test_a_short_message_is_left_alone() -> None:
    """What can be read is told whole."""
    assert "a; b" == str(FormatError("a", "b"))
