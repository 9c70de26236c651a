"""Runs each model's session in a process of its own, so that several models use several cores.

`Apart` starts `python -m tokparity.session.apart FD`. It sends the process the run's options, then orders (which
model to run). The process sends messages back on the same socket: events, lines to write, and at the end the result
of the model, or the error. When the parent says so, or is gone, the process ends as a session does. Messages are
pickled, because both ends are this program.
"""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokparity.engines.process.fork_servers import python_path
from tokparity.engines.process.lifetime import how_it_ended, with_parent
from tokparity.errors import EngineError, TokparityError
from tokparity.session.clock import Clock
from tokparity.session.events import Event, Judged, Listener
from tokparity.session.messages import GoneError, error_received, error_sent, receive, send
from tokparity.session.one_model import ModelResult, Options, one_model
from tokparity.session.writer import Passing, Writer
from tokparity.sources.corpora import CorpusCases

if TYPE_CHECKING:
    from types import TracebackType

    from tokparity.models import Model

_LOOK = 0.1
"""Seconds between two looks at whether all are to end."""

_PATIENCE = 60.0
"""Seconds in which a process that is to end has ended its engines; then it is killed."""

_STOP = "stop"


@dataclass(frozen=True)
class _Order:
    """A model to run; `seconds` bound it alone."""

    model: Model
    seconds: float | None


class Apart:
    """A child process that runs one model after another. It starts with the first model, and is replaced when it dies.

    It is used, and closed, by one thread, with which it ends.
    """

    def __init__(self, options: Options, listener: Listener, stop: threading.Event) -> None:
        self._options, self._listener, self._stop = options, listener, stop
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def run(self, model: Model, clock: Clock, writer: Writer) -> ModelResult:
        """What came of a model; it ends early when the run is to stop.

        Raises the error that says why the model could not be run.
        """
        control = self._control or self._started()
        try:
            with contextlib.suppress(ConnectionError):  # it died at once, which shows in what it tells
                send(control, _Order(model, clock.seconds))
            return _followed(control, model.name, writer, self._listener, self._stop)
        except GoneError:
            raise _died(model.name, self._ended()) from None

    def _started(self) -> socket.socket:
        """The socket to a new process, which has its options."""
        self._control, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", "tokparity.session.apart", str(theirs.fileno())]
        environment = {**os.environ, **python_path()}
        # In a session of its own no signal from a terminal reaches it: the parent says when to end.
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment, start_new_session=True)
        theirs.close()
        with contextlib.suppress(ConnectionError):
            send(self._control, self._options)
        return self._control

    def _ended(self) -> int:
        """The exit code of the process, which is to end now."""
        if self._control is None or self._process is None:
            return 0
        self._control.close()
        try:
            code = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._control = self._process = None
        return code

    def __enter__(self) -> Apart:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended()


def _followed(
    control: socket.socket, model: str, writer: Writer, listener: Listener, stop: threading.Event
) -> ModelResult:
    """What the other process came to, after all that it told on its way."""
    follows = threading.Event()

    def tell_to_stop() -> None:
        while not follows.wait(_LOOK):
            if stop.is_set():
                with contextlib.suppress(OSError):  # it has ended by itself
                    send(control, _STOP)
                return

    teller = threading.Thread(target=tell_to_stop, daemon=True)
    teller.start()
    try:
        while True:
            kind, value = receive(control)
            if kind == "event":
                listener(value)
            elif kind == "written":
                name, arguments = value
                getattr(writer, name)(*arguments)
            elif kind == "failed":
                raise error_received(value)
            elif kind == "broke":
                raise RuntimeError(f"the process that ran {model} failed:\n{value}")
            else:
                result: ModelResult = value
                return result
    finally:
        follows.set()
        teller.join()


def _died(model: str, code: int) -> EngineError:
    return EngineError(f"the process that ran {model} ended with {how_it_ended(code)}", "run it alone: --jobs 1")


class _Telling:
    """The other process's side: what it tells the parent, each message whole."""

    def __init__(self, control: socket.socket) -> None:
        self._control, self._lock = control, threading.Lock()

    def writer(self) -> Writer:
        """What writes a model's records, by telling them; it numbers the mismatches of one model."""
        return Passing(lambda name, arguments: self.tell("written", (name, arguments)))

    def tell(self, kind: str, value: object) -> None:
        """One message."""
        with self._lock:
            send(self._control, (kind, value))

    def event(self, event: Event) -> None:
        """What happened. What a source tells of itself stays here: the sources of a run tell nothing."""
        self.tell("event", replace(event, notes=dict) if isinstance(event, Judged) else event)


class _Orders:
    """What the parent says, heard while models run: orders, in their turn, and that all is to stop."""

    def __init__(self, control: socket.socket) -> None:
        self.stop = threading.Event()
        self._control = control
        self._waiting: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()

    def heed(self) -> None:
        """Hear what the parent says until it is gone."""
        try:
            while True:
                said = receive(self._control)
                if said == _STOP:
                    self.stop.set()
                else:
                    self._waiting.put(said)
        except GoneError:
            return
        finally:
            self.stop.set()
            self._waiting.put(None)

    def __iter__(self) -> Iterator[_Order]:
        return iter(self._waiting.get, None)


def main(control: socket.socket) -> int:
    """Run the models that are ordered, until the parent is gone."""
    with_parent()(True)  # a thread that computes hears of the parent's end too late
    with contextlib.suppress(ConnectionError, GoneError):  # the parent is gone
        options: Options = receive(control)
        orders, telling = _Orders(control), _Telling(control)
        threading.Thread(target=orders.heed, daemon=True).start()
        corpora, before = options.corpus_cases(), 0.0
        for order in orders:
            before = _one(order, options, corpora, telling, orders.stop, before)
    return 0


def _one(
    order: _Order, options: Options, corpora: CorpusCases, telling: _Telling, stop: threading.Event, before: float
) -> float:
    """Run a model and tell what came of it; the processor seconds of this process, of which it had `before`."""
    try:
        result = one_model(order.model, options, corpora, telling.writer(), telling.event, Clock(order.seconds, stop))
        telling.tell("result", replace(result, own=time.process_time() - before))
    except ConnectionError:
        raise
    except (TokparityError, OSError) as error:
        telling.tell("failed", error_sent(error))
    except Exception:  # a fault of ours, which the parent reports as its own
        telling.tell("broke", traceback.format_exc())
    return time.process_time()


if __name__ == "__main__":
    sys.exit(main(socket.socket(fileno=int(sys.argv[1]))))
