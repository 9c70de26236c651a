"""One adapter process that answers lines of JSON: requests go to its stdin, replies come from its stdout.

Its stderr is passed on to ours and its last lines are kept, so that a failure can show them.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from tokparity.engines.answers import WrongAnswerError
from tokparity.engines.process.child import last_words, wait
from tokparity.engines.process.fork_servers import USERS_PATH
from tokparity.engines.process.lifetime import how_it_ended, with_parent
from tokparity.engines.reply import reply_of

_LONGEST = 64 << 20
_TAIL = 4 << 10
_CHUNK = 1 << 16
_AHEAD = 1
"""Requests that are sent while another one is being answered."""
_GRACE = 2.0
"""Seconds that an adapter has for ending after it has closed its stdout or was told to."""

_MOST = 1 << 18
_CASES = 500
"""Bytes of text, or ids, and cases that go into one request: few enough that the next is sent while it is answered."""

# With spaces after ":" and ",": small adapters look for '"op": "encode"', and those that are published do.
_spelled = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class AdapterEnded(Exception):
    """The adapter ended, or closed its stdout, before it answered; `status` is what `Popen.returncode` says."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(status, said)
        self.status = status
        self.said = said

    def __str__(self) -> str:
        how = how_it_ended(self.status)
        return f"it ended with {how} before it answered" + (f": {self.said}" if self.said else "")


class AdapterSilent(AdapterEnded):
    """It did not answer in time, and was ended."""

    def __str__(self) -> str:
        return "it did not answer in time"


class Lines:
    """A running adapter. `ask` gives the reply to a request; after WrongAnswerError it must be closed.

    An adapter that takes more than `seconds` for a reply is ended. `heard` says whether its stderr goes on to ours.
    `temporary` is the folder for its temporary files, which whoever gives it removes.
    """

    def __init__(
        self, command: Sequence[str], seconds: float | None = None, heard: bool = True, temporary: str | None = None
    ) -> None:
        self._seconds, self._heard = seconds, heard
        self._until: float | None = None
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment() | ({"TMPDIR": temporary} if temporary else {}),
            preexec_fn=partial(with_parent(), True),
        )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self._into, self._out, self._err = self._popen.stdin.fileno(), self._popen.stdout.fileno(), self._popen.stderr
        os.set_blocking(self._into, False)
        os.set_blocking(self._err.fileno(), False)
        self._received = bytearray()
        self._unsent = bytearray()
        self._tail = bytearray()
        self._number = 0

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to one request; raises AdapterEnded, or WrongAnswerError where it is another reply."""
        (reply,) = self.ask_all([request])
        return reply

    def ask_all(self, requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The replies to several requests, each sent before the one before it is answered: nobody waits for the other.

        It raises what `ask` does.
        """
        under_way: deque[int] = deque()
        replies = []
        for request in requests:
            self._number += 1
            self._unsent += _spelled({"id": self._number, **request}).encode() + b"\n"
            under_way.append(self._number)
            if len(under_way) > _AHEAD:
                replies.append(reply_of(self._line(), under_way.popleft()))
        while under_way:
            replies.append(reply_of(self._line(), under_way.popleft()))
        return replies

    def _line(self) -> bytes:
        """Read one line, and write what is still to be sent, whichever the adapter is ready for."""
        self._until = None if self._seconds is None else time.monotonic() + self._seconds
        seen = 0
        while True:
            end = self._received.find(b"\n", seen)
            seen = len(self._received)
            if end >= 0:
                found = bytes(self._received[:end])
                del self._received[: end + 1]
                return found
            if len(self._received) > _LONGEST:
                message = f"the adapter wrote a line of more than {_LONGEST >> 20} MiB"
                raise WrongAnswerError(message, "end each reply with a newline; write nothing else to standard output")
            self._step()

    def _step(self) -> None:
        """Move bytes where there is room or something to read."""
        error = [self._err.fileno()] if not self._err.closed else []
        into = [self._into] if self._unsent else []
        left = None if self._until is None else max(self._until - time.monotonic(), 0.0)
        ready = wait([self._out, *error], left, into)
        if left == 0.0 and not ready:
            self._popen.kill()
            raise AdapterSilent(self._popen.wait(), self.said())
        if error and error[0] in ready:
            self._listen()
        if self._out in ready:
            size = len(self._received)
            self._received += os.read(self._out, 1 << 20)
            if len(self._received) == size:
                raise self._ended()
        if self._into in ready:
            self._send_some()

    def _send_some(self) -> None:
        try:
            del self._unsent[: os.write(self._into, self._unsent[:_CHUNK])]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent.clear()  # that it has ended shows in its stdout

    def _listen(self) -> None:
        """Keep the end of what the adapter writes to stderr, and pass it on where it is to be heard."""
        try:
            data = os.read(self._err.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._err.close()
            return
        self._tail += data
        del self._tail[:-_TAIL]
        if not self._heard:
            return
        with contextlib.suppress(OSError):  # nobody may be reading ours
            os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, data)

    def _ended(self) -> AdapterEnded:
        try:
            status = self._popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            status = self._popen.wait()
        return AdapterEnded(status, self.said())

    def said(self) -> str:
        """The last lines of its stderr, in one."""
        for _ in range(16):
            if not self._err.closed:
                self._listen()
        return last_words(self._tail)

    def close(self, politely: bool = False) -> None:
        """End it; politely means that it is told first."""
        if politely:
            with contextlib.suppress(OSError):
                os.write(self._into, b'{"op": "bye"}\n')
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        if not politely:
            self._popen.kill()
        try:
            self._popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


def _environment() -> dict[str, str]:
    """Ours, but with the user's own PYTHONPATH: our libraries are none of an adapter's business."""
    found = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", USERS_PATH)}
    users = os.environ.get(USERS_PATH, "")
    return {**found, "PYTHONPATH": users} if users else found


def stretches_of(offsets: list[int]) -> list[tuple[int, int]]:
    """The stretches of a batch that go into one request each."""
    found = []
    start = 0
    for i in range(1, len(offsets)):
        if i == len(offsets) - 1 or offsets[i + 1] - offsets[start] > _MOST or i - start == _CASES:
            found.append((start, i))
            start = i
    return found
