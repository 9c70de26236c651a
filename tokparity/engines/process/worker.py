"""The process around an engine: it opens a model once and answers batches in forks of itself.

A fork server forks it (see `fork_server`). It opens one model, says so on its control socket, and forks a child on
request. The child reads requests from one pipe and writes answers to another until the end, or until it dies. The next
fork, with the model still open, costs milliseconds. So an engine that aborts on every second text is bearable. Forking
is safe because nothing has started a thread: libraries are kept from it by their environment variables (see
`fork_servers.ENVIRONMENT`).

The first control message says how to open the model. Without a path, the worker only introduces its engine, with
{"hello": ...}. The answer is {"ready": hello} or {"failed": error}. From then on, the worker forks on demand (see
`control`). Each child gets file descriptors for requests, answers, and the library's stdout and stderr.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, cast

from tokparity import engines
from tokparity.engines.answers import AwayError, UnsupportedError, WrongAnswerError, WrongCountError
from tokparity.engines.buffers import Flat, Ids, Texts
from tokparity.engines.hello import Hello, error_to_json
from tokparity.engines.process.control import fork_on_demand, receive, send
from tokparity.engines.process.frames import LENGTH, Answer, Kind, Request
from tokparity.engines.process.usage import stopwatch
from tokparity.engines.protocol import Engine, OpenModel, RenderingModel, SpanningModel, StreamingModel
from tokparity.engines.results import merged
from tokparity.engines.spans import spans
from tokparity.engines.streams import streams
from tokparity.errors import EngineError, TokparityError
from tokparity.garbage import collect_rarely
from tokparity.outcome import Failure


def main(control: socket.socket, with_parent: Callable[[bool], None]) -> int:
    """Open the model, then fork on demand until the parent is gone; the exit code."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    order = receive(control)[0]
    if order is None:
        return 0
    signal.alarm(int(order["seconds"]))
    unlimited = _limit_data(order["memory"])
    opened = _open(order, control)
    if opened is None:
        return 1
    model, hello = opened
    signal.alarm(0)
    resource.setrlimit(resource.RLIMIT_DATA, unlimited)
    # From here on it hears of the parent's end by the control socket, and ends its children with all that is theirs.
    with_parent(False)
    send(control, {"ready": hello.to_json()})
    # The model lives as long as this process, and what batches are made of is in no cycles.
    gc.collect()
    gc.freeze()
    collect_rarely()

    def child(fds: list[int]) -> NoReturn:
        with_parent(True)
        _serve_and_exit(model, fds, order["memory"])

    fork_on_demand(control, child, 0.0)
    return 0


def _open(order: dict[str, Any], control: socket.socket) -> tuple[OpenModel, Hello] | None:
    """The opened model, and what the engine says of itself; None after saying why not."""
    try:
        engine = engines.loaded(order["engine"])
        if order["path"] is None:
            send(control, {"hello": _hello(engine).to_json()})
            return None
        version = engine.version()
        model = engine.open(order["path"], order["options"])
    except BaseException as error:  # a Rust panic is a BaseException
        send(control, {"failed": error_to_json(_ours(error))})
        return None
    return model, getattr(model, "hello", None) or Hello(engine.CAPABILITIES, version)


def _hello(engine: Engine) -> Hello:
    """What the engine says of itself, without a model."""
    able = engine.CAPABILITIES
    try:
        return Hello(able, engine.version())
    except BaseException as error:  # of a user's own engine, anything
        return Hello(able, refusal=_ours(error))


def _ours(error: BaseException) -> TokparityError:
    if isinstance(error, TokparityError):
        return error
    return EngineError(f"{type(error).__name__}: {error}"[:2000].replace("\n", " "))


def _serve_and_exit(model: OpenModel, fds: list[int], memory: int | None) -> NoReturn:
    """Answer requests until there are no more; leave without running the parent's exit handlers.

    `fds` are those for requests, for answers, and for what a library writes to stdout and stderr.
    """
    code = 1
    try:
        requests, answers, noise = fds
        os.dup2(noise, 1)
        os.dup2(noise, 2)
        os.close(noise)
        if memory:
            _limit_memory(memory)
        serve(model, requests, answers)
        code = 0
    except BrokenPipeError:
        code = 0  # the run is over
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def _limit_data(most: int | None) -> tuple[int, int]:
    """Allow this many bytes of memory of its own, mapped files left out, while a model is opened; the limits before."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    if most and (before[0] == resource.RLIM_INFINITY or most < before[0]):
        resource.setrlimit(resource.RLIMIT_DATA, (most, before[1]))
    return before


def _limit_memory(headroom: int) -> None:
    """Allow `headroom` bytes of memory of its own beyond what it has now, to it and to each program that it starts.

    Not of address space: V8 reserves ten gigabytes for a module of WebAssembly, and uses few of them.
    """
    statm = Path("/proc/self/statm")
    if statm.exists():
        owned = int(statm.read_text().split()[5]) * resource.getpagesize()
        _limit_data(owned + headroom)


def serve(model: OpenModel, requests: int, answers: int) -> None:
    """Answer requests one by one."""
    with open(requests, "rb", buffering=1 << 16) as source, open(answers, "wb", buffering=0) as sink:
        while head := source.read(LENGTH.size):
            request, seconds = Request.unpack(memoryview(source.read(LENGTH.unpack(head)[0]))), stopwatch()
            answered = answer(model, request)
            for piece in replace(answered, seconds=seconds()).pack():
                _write_all(sink.fileno(), piece)


def _write_all(fd: int, piece: memoryview) -> None:
    while piece:
        piece = piece[os.write(fd, piece) :]


def answer(model: OpenModel, request: Request) -> Answer:
    """What the model makes of a batch; a text at which it raises is a failure, and the others are asked again alone.

    Where it gives too many or too few answers, and is right about each case alone, all of the batch are failures. A
    model that has an `answer` of its own (a recording, which holds failures as well) is asked for that.
    """
    recorded: Callable[[Request], Answer] | None = getattr(model, "answer", None)
    if recorded is not None:
        return recorded(request)
    try:
        return _ask(model, request)
    except AwayError as error:  # no text is to blame, so none is asked alone
        why = Failure("away", str(error))
        return request.unanswered(tuple((i, why) for i in range(len(request))))
    except BaseException as error:  # a Rust panic is a BaseException
        if len(request) == 1:
            return _failed(request, error)
        miscounted = Failure("error", str(error)) if isinstance(error, WrongCountError) else None
    parts = {i: answer(model, request.part(i, i + 1)) for i in range(len(request))}
    if miscounted is not None and not any(part.failures for part in parts.values()):
        return request.unanswered(tuple((i, miscounted) for i in range(len(request))))
    return merged(request, parts)


def _ask(model: OpenModel, request: Request) -> Answer:
    cases = request.cases
    if isinstance(cases, Ids):
        if request.kind is Kind.STREAM:
            return Answer(None, *streams(cast("StreamingModel", model), cases, request.skip_special))
        return Answer(None, _checked(model.decode(cases, request.skip_special), Texts, cases))
    if request.kind is Kind.RENDER:
        if not hasattr(model, "render"):
            raise UnsupportedError("it makes no prompts")
        return Answer(None, _checked(cast("RenderingModel", model).render(cases), Texts, cases))
    if request.kind is Kind.SPANS:
        given = spans(cast("SpanningModel", model), cases, request.add_special, request.parse_special)
        return Answer(None, _checked(given, Texts, cases))
    ids = _checked(model.encode(cases, request.add_special, request.parse_special), Ids, cases)
    if request.kind is Kind.ENCODE:
        return Answer(ids, None)
    return Answer(ids, _checked(model.decode(ids, request.skip_special), Texts, cases))


def _checked(answered: Flat, kind: type[Flat], cases: Texts | Ids) -> Flat:
    """The engine's answer, if it is one buffer with one entry for each case."""
    if not isinstance(answered, kind):
        raise TypeError(f"the engine answered with {type(answered).__name__}, not with {kind.__name__}")
    answered.check()
    if len(answered) != len(cases):
        raise WrongCountError(f"the engine gave {len(answered)} answers to a batch of {len(cases)}")
    return answered


def _failed(request: Request, error: BaseException) -> Answer:
    # A wrong answer is told in our own words; what an engine raises is named as well.
    if isinstance(error, UnsupportedError):
        return request.unanswered(((0, Failure("unsupported", str(error))),))
    message = str(error) if isinstance(error, WrongAnswerError) else f"{type(error).__name__}: {error}"
    message = message[:2000]
    failure = Failure("memory" if isinstance(error, MemoryError) else "error", message)
    return request.unanswered(((0, failure),))
