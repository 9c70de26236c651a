"""Messages between a process that forks on demand and whoever tells it to: lines of JSON, with file descriptors."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tokparity.engines.process.lifetime import end_group, lead_group

_MOST_DESCRIPTORS = 3


def send(control: socket.socket, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
    """Send one message, and file descriptors with it."""
    line = json.dumps(message).encode() + b"\n"
    sent = socket.send_fds(control, [line], list(fds))
    control.sendall(line[sent:])


def receive(control: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    """The next message and its file descriptors; None when the other side is gone."""
    line = b""
    fds: list[int] = []
    while not line.endswith(b"\n"):
        try:
            data, more, _, _ = socket.recv_fds(control, 1 << 16, _MOST_DESCRIPTORS)
        except ConnectionError:
            return None, fds
        if not data:
            return None, fds
        line += data
        fds += more
    return json.loads(line), fds


def fork_on_demand(control: socket.socket, body: Callable[[list[int]], int], grace: float) -> None:
    """Obey until the other side is gone; then children have `grace` seconds to end by themselves.

    {"fork": true} with file descriptors is answered with {"forked": pid} of a child that leads a group, runs `body` on
    them and ends with the exit code that it gives; {"end": pid, "grace": seconds to wait before killing it} with
    {"status": wait status}.
    """
    children: set[int] = set()
    while True:
        message, fds = receive(control)
        if message is None:
            for child in children:
                end_group(child, grace)
            return
        if "fork" in message:
            child = os.fork()
            if child == 0:
                lead_group()
                control.close()
                sys.exit(body(fds))
            for fd in fds:
                os.close(fd)
            lead_group(child)
            children.add(child)
            reply = {"forked": child}
        else:
            children.discard(message["end"])
            reply = {"status": end_group(message["end"], message["grace"])}
        with contextlib.suppress(ConnectionError):  # nobody is there any more, as will be heard next
            send(control, reply)


def set_signals() -> None:
    """Signals as we need them, whatever those who started us made of them (what is ignored or blocked is inherited).

    Ctrl-C is their business: it ends the run cleanly, and its processes with it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGCHLD, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
