"""The parent's end of a process that forks on demand (see `control`): it is told, and what it writes is read."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Sequence
from typing import Any

from tokparity.engines.process.child import Noise, wait
from tokparity.engines.process.control import receive, send

_PATIENCE = 60.0
"""Seconds within which it obeys; it has nothing else to do."""


class WorkerLost(Exception):
    """The process that was told, not only a child of it, is gone."""


class Obedient:
    """A socket to such a process, and what it writes to stdout and stderr. `theirs` are its ends of both."""

    def __init__(self) -> None:
        self._control, control = socket.socketpair()
        self.noise = Noise()
        self.theirs = (control.detach(), self.noise.theirs)

    def handed_over(self) -> None:
        """The process has its ends; they are closed here."""
        for fd in self.theirs:
            os.close(fd)

    def tell(self, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
        """Send a message; raises ConnectionError where nobody is there."""
        send(self._control, message, fds)

    def reply(self, deadline: float) -> dict[str, Any]:
        """The next message; noise is read meanwhile, lest a flood of it block the process.

        Raises WorkerLost and, at the deadline on the monotonic clock, TimeoutError.
        """
        control = self._control.fileno()
        while time.monotonic() < deadline:
            noise = [self.noise.fd] if self.noise.flowing else []
            ready = wait([control, *noise], deadline - time.monotonic())
            self.noise.drain()
            if control in ready:
                message, _ = receive(self._control)
                if message is None:
                    raise WorkerLost
                return message
        raise TimeoutError

    def fork(self, fds: Sequence[int], seconds: float = _PATIENCE) -> int:
        """The process id of a new child, which is given these file descriptors; raises WorkerLost."""
        return int(self._obeyed({"fork": True}, seconds, fds)["forked"])

    def end(self, pid: int, grace: float) -> int:
        """Wait for a child's end, kill it after `grace` seconds, and give its wait status; raises WorkerLost."""
        return int(self._obeyed({"end": pid, "grace": grace}, grace + _PATIENCE)["status"])

    def _obeyed(self, order: dict[str, Any], seconds: float, fds: Sequence[int] = ()) -> dict[str, Any]:
        try:
            self.tell(order, fds)
            return self.reply(time.monotonic() + seconds)
        except OSError as error:  # it is gone, says nothing, or was left
            self.leave()  # a late reply must not be taken for that to another order
            raise WorkerLost from error

    def leave(self) -> None:
        """Say nothing more, which ends it."""
        self._control.close()

    def close(self) -> None:
        """Leave it, and read the last of what it wrote."""
        self.leave()
        self.noise.close()
