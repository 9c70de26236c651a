"""A model's session in a process of its own, so that several models use several cores.

`python -m tokparity.session.apart FD` is started by `run_apart`. It is sent an order (what to run), and sends messages
back on the same socket: what happens, what is to be written, and in the end what came of it, or the error. When the
parent says so, or is gone, it comes to its end as a session does. Messages are pickled: both ends are this program.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokparity.engines.hello import error_from_json, error_to_json
from tokparity.engines.process.handle import python_path
from tokparity.engines.process.lifetime import with_parent
from tokparity.errors import EngineError, TokparityError
from tokparity.session.events import Event, Judged, Listener
from tokparity.session.writer import Passing, Writer

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.session.run import ModelResult, Options

_LENGTH = struct.Struct("<Q")
_LOOK = 0.1
"""Seconds between two looks at whether all are to end."""

_STOP = b"\0"


class _GoneError(Exception):
    """The process at the other end is gone. No ConnectionError: a closed pipe of whoever listens is one too."""


@dataclass(frozen=True)
class _Order:
    """What to run; `seconds` bound this model alone."""

    model: Model
    options: Options
    seconds: float | None


def run_apart(
    model: Model, options: Options, seconds: float | None, writer: Writer, listener: Listener, stop: threading.Event
) -> ModelResult:
    """The result of a model's session, which runs in another process; it ends early when `stop` is set.

    Raises the error that says why the model could not be run.
    """
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-m", "tokparity.session.apart", str(theirs.fileno())]
    environment = {**os.environ, **python_path()}
    # In a session of its own no signal from a terminal reaches it: the parent says when to end.
    with (
        ours,
        subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment, start_new_session=True) as process,
    ):
        theirs.close()
        try:
            with contextlib.suppress(ConnectionError):  # it died at once, which shows in what it tells
                _send(ours, _Order(model, options, seconds))
            return _followed(ours, model.name, writer, listener, stop)
        except _GoneError:
            process.wait()
            raise _died(model.name, process.returncode) from None
        finally:
            ours.close()  # which ends it, if it has not ended


def _followed(
    control: socket.socket, model: str, writer: Writer, listener: Listener, stop: threading.Event
) -> ModelResult:
    """What the other process came to, after all that it told on its way."""
    follows = threading.Event()

    def tell_to_stop() -> None:
        while not follows.wait(_LOOK):
            if stop.is_set():
                with contextlib.suppress(OSError):  # it has ended by itself
                    control.sendall(_STOP)
                return

    teller = threading.Thread(target=tell_to_stop, daemon=True)
    teller.start()
    try:
        while True:
            kind, value = _receive(control)
            if kind == "event":
                listener(value)
            elif kind == "written":
                name, arguments = value
                getattr(writer, name)(*arguments)
            elif kind == "failed":
                raise error_from_json(value)
            elif kind == "broke":
                raise RuntimeError(f"in the process that ran {model}:\n{value}")
            else:
                result: ModelResult = value
                return result
    finally:
        follows.set()
        teller.join()


def _died(model: str, code: int) -> EngineError:
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return EngineError(f"the process that ran {model} ended with {how}", "run it alone: --jobs 1")


def _send(control: socket.socket, message: object) -> None:
    data = pickle.dumps(message)
    control.sendall(_LENGTH.pack(len(data)) + data)


def _receive(control: socket.socket) -> Any:
    (length,) = _LENGTH.unpack(_exactly(control, _LENGTH.size))
    return pickle.loads(_exactly(control, length))


def _exactly(control: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        try:
            more = control.recv(min(size - len(data), 1 << 20))
        except ConnectionError:
            raise _GoneError from None
        if not more:
            raise _GoneError
        data += more
    return bytes(data)


class _Telling:
    """The other process's side: what it tells the parent, each message whole."""

    def __init__(self, control: socket.socket) -> None:
        self._control, self._lock = control, threading.Lock()
        self.writer = Passing(lambda name, arguments: self.tell("written", (name, arguments)))

    def tell(self, kind: str, value: object) -> None:
        """One message."""
        with self._lock:
            _send(self._control, (kind, value))

    def event(self, event: Event) -> None:
        """What happened. What a source tells of itself stays here: the sources of a run tell nothing."""
        self.tell("event", replace(event, notes=dict) if isinstance(event, Judged) else event)


def _heed(control: socket.socket, stop: threading.Event) -> None:
    """Wait until the parent says that all are to end, or is gone."""
    with contextlib.suppress(OSError):
        control.recv(1)
    stop.set()


def main(control: socket.socket) -> int:
    """Run one model as ordered."""
    from tokparity.session.clock import Clock
    from tokparity.session.run import one_model
    from tokparity.sources.corpora import CorpusCases

    with_parent()(True)  # a thread that computes hears of the parent's end too late
    try:
        order: _Order = _receive(control)
        telling, stop = _Telling(control), threading.Event()
        threading.Thread(target=_heed, args=(control, stop), daemon=True).start()
        try:
            clock = Clock(order.seconds, stop)
            corpora = CorpusCases(order.options.corpora)
            result = one_model(order.model, order.options, corpora, telling.writer, telling.event, clock)
            telling.tell("result", replace(result, own=time.process_time()))
        except TokparityError as error:
            telling.tell("failed", error_to_json(error))
        except ConnectionError:
            raise
        except Exception:  # a fault of ours, which the parent reports as its own
            telling.tell("broke", traceback.format_exc())
    except (ConnectionError, _GoneError):
        return 0  # the parent is gone
    return 0


if __name__ == "__main__":
    sys.exit(main(socket.socket(fileno=int(sys.argv[1]))))
