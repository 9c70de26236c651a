"""Finds the processes that a command left: all that inherited the mark in its environment."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from uuid import uuid4

_SECONDS = 10


class Marked:
    """The `environment` of a command; `left` are the processes that still are there after it ended."""

    def __init__(self) -> None:
        self._mark = uuid4().hex
        self.environment = {"TOKPARITY_HOSTILE": self._mark}

    def left(self) -> list[int]:
        """Those that do not end within ten seconds; they are ended now."""
        until = time.monotonic() + _SECONDS
        while (found := self._found()) and time.monotonic() < until:
            time.sleep(0.05)
        for pid in found:
            os.kill(pid, signal.SIGKILL)
        return found

    def _found(self) -> list[int]:
        return [int(path.name) for path in Path("/proc").glob("[0-9]*") if self._is_marked(path)]

    def _is_marked(self, process: Path) -> bool:
        try:
            return self._mark.encode() in (process / "environ").read_bytes()
        except OSError:  # it has ended, or is another user's
            return False
