"""The parent's ends of the pipes to one child of a worker; nothing here ever blocks."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from tokparity.engines.process.frames import LENGTH

_TAIL = 16 << 10
_CHUNK = 1 << 20
_FRAME_LIMIT = 4 << 30
_WRONG = re.compile(r"Error\b|Exception\b|\bpanic(ked)?\b|\bfatal\b|\bterminate called\b|\bassert(ion)?\b", re.I)
"""What the line holds that says what went wrong; in Java, Go and Node.js the trace comes after it."""


class ChildGone(Exception):
    """The child closed its answers: it has ended or is about to."""


class Garbage(Exception):
    """The child wrote something that cannot be an answer."""


class Noise:
    """What a process writes to stdout and stderr: it is read at once, and the end of it is kept."""

    def __init__(self) -> None:
        self.fd, self.theirs = os.pipe()
        os.set_blocking(self.fd, False)
        self.flowing = True
        self._tail = bytearray()

    def drain(self) -> None:
        """Read what is there, though not more at a time than a few pipes hold: others want to be read as well."""
        for _ in range(16):
            if not self.flowing:
                return
            try:
                data = os.read(self.fd, _CHUNK)
            except BlockingIOError:
                return
            self.flowing = bool(data)
            self._tail += data
            del self._tail[:-_TAIL]

    def last_lines(self) -> str:
        """The last four lines, in one."""
        self.drain()
        return last_words(self._tail)

    def close(self) -> None:
        """Give the file descriptor back; the last lines stay."""
        self.drain()
        self.flowing = False
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def last_words(noise: bytes | bytearray) -> str:
    """The last four lines of what a program wrote, in one; before them what went wrong, where a trace follows it."""
    lines = [line.strip() for line in noise.decode("utf-8", "replace").splitlines() if line.strip()]
    last = " | ".join(lines[-4:])[-600:]
    wrong = [line for line in lines[:-4] if _WRONG.search(line)]
    return f"{wrong[-1][:300]} | ... | {last}" if wrong and not _WRONG.search(last) else last


class Child:
    """A child that answers requests, first come, first served; `pid` is set once it is forked, and leads a group."""

    def __init__(self) -> None:
        self.pid = 0
        self._end: int | None = None
        self.noise = Noise()
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self.theirs = (requests, answers, self.noise.theirs)
        for fd in (self._requests, self._answers):
            os.set_blocking(fd, False)
            _widen(fd)
        self._unsent: deque[memoryview] = deque()
        self._received = bytearray()

    def forked(self, pid: int) -> None:
        """It is there. Where the system tells of its end, no process that it left behind can hide that."""
        self.pid = pid
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):  # a kernel before Linux 5.3
                self._end = os.pidfd_open(pid)

    @property
    def sources(self) -> list[int]:
        """File descriptors to wait for until they can be read."""
        noise = [self.noise.fd] if self.noise.flowing else []
        return [self._answers, *noise] if self._end is None else [self._answers, *noise, self._end]

    @property
    def sinks(self) -> list[int]:
        """File descriptors to wait for until they can be written."""
        return [self._requests] if self._unsent else []

    def write(self, pieces: Iterable[memoryview]) -> None:
        """Have these bytes written as `exchange` finds room for them."""
        self._unsent.extend(piece for piece in pieces if len(piece))

    def exchange(self, ready: set[int]) -> Iterator[memoryview]:
        """Move bytes where a file descriptor is ready; one whole answer after another.

        Raises ChildGone and, where the answers up to it have been taken, Garbage.
        """
        if self.noise.fd in ready:
            self.noise.drain()
        if self._requests in ready:
            self._send_some()
        ended = self._end in ready
        if (self._answers in ready or ended) and not self._receive_some() and ended:
            raise ChildGone
        return self._whole_answers()

    def _send_some(self) -> None:
        while self._unsent:
            try:
                written = os.writev(self._requests, list(self._unsent)[:64])
            except BlockingIOError:
                return
            except BrokenPipeError:
                self._unsent.clear()  # that the child has ended shows in its answers
                return
            while written:
                piece = self._unsent.popleft()
                if written < len(piece):
                    self._unsent.appendleft(piece[written:])
                written -= min(written, len(piece))

    def _receive_some(self) -> bool:
        """Whether there was something to receive."""
        try:
            data = os.read(self._answers, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            raise ChildGone
        self._received += data
        return True

    def _whole_answers(self) -> Iterator[memoryview]:
        while len(self._received) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._received)
            if length > _FRAME_LIMIT:
                raise Garbage(f"an answer that claims {length} bytes")
            end = LENGTH.size + length
            if len(self._received) < end:
                return
            frame = memoryview(self._received[LENGTH.size : end])
            del self._received[:end]
            yield frame

    def close(self) -> None:
        """Give the file descriptors back, which tells the child to end."""
        os.close(self._requests)
        os.close(self._answers)
        if self._end is not None:
            os.close(self._end)
        self.noise.close()


def wait(sources: Sequence[int], seconds: float | None, sinks: Sequence[int] = ()) -> set[int]:
    """The `sources` that can be read (or have ended), and the `sinks` that can be written."""
    poll = select.poll()
    for fd in sources:
        poll.register(fd, select.POLLIN)
    for fd in sinks:
        poll.register(fd, select.POLLOUT)
    return {fd for fd, _ in poll.poll(None if seconds is None else max(0.0, seconds * 1000))}


def _widen(pipe: int) -> None:
    """Let a pipe hold a whole batch, where the system can and the user may."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _CHUNK)
