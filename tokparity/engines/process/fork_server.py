"""The process that workers are forked from: Python, our modules and an engine's library are imported once.

`python -m tokparity.engines.process.fork_server FD MODULE ...` is started by `fork_servers`. It imports the modules,
then forks workers on demand (see `control`). Each gets file descriptors for its control socket, for its stdout and
stderr, and for its working directory, if its parent has one.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING

from tokparity.engines.process import worker
from tokparity.engines.process.control import fork_on_demand, set_signals
from tokparity.engines.process.lifetime import with_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_IMPORTING = 150
"""Seconds after which it ends while it imports: nobody waits so long for it."""

_GRACE = 2.0
"""Seconds in which workers end what is theirs when the parent is gone."""


def main(control: socket.socket, modules: Sequence[str]) -> int:
    """Import what workers need, then fork them until the parent is gone."""
    set_signals()
    ends_with_parent = with_parent()
    signal.alarm(_IMPORTING)  # nobody hears of the parent's end meanwhile
    for name in modules:
        # What cannot be imported is told by the worker that needs it. A Rust panic is a BaseException.
        with contextlib.suppress(BaseException):
            importlib.import_module(name)
    signal.alarm(0)
    gc.collect()
    gc.freeze()
    fork_on_demand(control, partial(_work, ends_with_parent, os.getpid()), _GRACE)
    return 0


def _work(ends_with_parent: Callable[[bool], None], parent: int, fds: list[int]) -> int:
    """Be a worker; the exit code."""
    # Were the parent to die while a library hangs in opening, nobody else would end this process.
    ends_with_parent(True)
    if os.getppid() != parent:
        return 0
    control, noise, *directory = fds
    os.dup2(noise, 1)
    os.dup2(noise, 2)
    os.close(noise)
    for place in directory:
        with contextlib.suppress(OSError):
            os.fchdir(place)
        os.close(place)
    return worker.main(socket.socket(fileno=control), ends_with_parent)


if __name__ == "__main__":
    code = main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
    os._exit(code)  # taking apart what libraries have made would take longer than all else here
