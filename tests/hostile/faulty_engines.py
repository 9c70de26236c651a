"""Engines with one fault each at one text, named "tests.hostile.faulty_engines:KIND", and what must come of them."""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np

from tests.hostile.leftovers import Marked
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.process.client import Client
from tokparity.engines.process.fork_servers import end_servers
from tokparity.engines.protocol import Capabilities, Options

GUILTY = b"guilty"
TEXTS = 200
_GIGABYTE = 1 << 30


class Sound:
    """The ids of a text are its bytes; what has a fault calls it at the guilty text."""

    NAME = "tests.hostile.faulty_engines:sound"
    CAPABILITIES = Capabilities(formats=("any",), invalid_utf8=True)
    fault: Callable[[], object] = staticmethod(lambda: None)

    def version(self) -> str:
        """Nothing changes here."""
        return "faulty 1"

    def open(self, path: str, options: Options) -> Sound:
        """There is nothing to open."""
        return self

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Any:
        """Each byte is an id; a fault that gives something gives it in place of the ids."""
        if GUILTY in texts.data:
            answer = self.fault()
            if answer is not None:
                return answer
        return Ids.from_list([list(text) for text in texts.to_list()])

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Each id is a byte."""
        return Texts.from_list([bytes(row) for row in ids.to_list()])


def _dies(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)
    time.sleep(1000)  # a signal that does not end it


def _raises(error: BaseException) -> None:
    raise error


def _recurses() -> None:
    _recurses()


def _loops() -> None:
    while True:
        pass


def _allocates() -> None:
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 1 << 28))


def _garbles() -> None:
    for name in os.listdir("/proc/self/fd"):
        try:
            os.write(int(name), b"\xff" * 100)
        except OSError:
            continue


def _floods() -> None:
    for _ in range(64):
        os.write(1, b"o" * 32768)
        os.write(2, b"e" * 32768)


def _forks(then: Callable[[], object]) -> object:
    if os.fork():
        return then()
    time.sleep(1000)
    return None


def _lying_offsets() -> Ids:
    """A buffer that nobody has checked."""
    made = object.__new__(Ids)
    object.__setattr__(made, "data", np.zeros(3, dtype=np.int32))
    object.__setattr__(made, "offsets", np.array([0, 1 << 40], dtype=np.int64))
    return made


FAULTS: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
    **{
        name: (partial(_dies, getattr(signal, name)), ("crash",))
        for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTERM", "SIGKILL")
    },
    "SIGSTOP": (partial(_dies, signal.SIGSTOP), ("timeout",)),
    "exits_with_0": (partial(os._exit, 0), ("crash",)),
    "exits_with_7": (partial(os._exit, 7), ("crash",)),
    "raises": (partial(_raises, ValueError("it is the guilty text")), ("error",)),
    "leaves": (partial(sys.exit, 3), ("error",)),
    "is_interrupted": (partial(_raises, KeyboardInterrupt()), ("error",)),
    "recurses": (_recurses, ("error",)),
    "sleeps": (partial(time.sleep, 1000), ("timeout",)),
    "loops": (_loops, ("timeout",)),
    "allocates": (_allocates, ("memory", "error")),
    "answers_none": (lambda: "nothing", ("error",)),
    "answers_too_few": (lambda: Ids.from_list([]), ("error",)),
    "answers_too_many": (lambda: Ids.from_list([[1], [2]] * TEXTS), ("error",)),
    "lies_about_lengths": (_lying_offsets, ("error",)),
    "garbles_its_pipes": (_garbles, ("error", "crash")),
    "closes_its_pipes": (partial(os.closerange, 0, 256), ("crash",)),
    "floods": (_floods, ()),
    "forks_and_dies": (partial(_forks, os.abort), ("crash",)),
    "forks_and_hangs": (partial(_forks, partial(time.sleep, 1000)), ("timeout",)),
    "forks_and_answers": (partial(_forks, lambda: None), ()),
}
"""What an engine does at the guilty text, and which failures of that text are right; none: it is answered."""


def __getattr__(name: str) -> Sound:
    if name not in FAULTS:
        raise AttributeError(name)
    engine = Sound()
    engine.fault = FAULTS[name][0]
    return engine


def attack(seed: str, number: int) -> tuple[str, str]:
    """(kind of fault, what broke): one text of many is guilty; it alone fails, and nobody is left."""
    kind = sorted(FAULTS)[number % len(FAULTS)]
    guilty = Random(f"fault:{seed}").randrange(TEXTS)
    texts = [GUILTY if i == guilty else b"text %d" % i for i in range(TEXTS)]
    marked = Marked()
    os.environ.update(marked.environment)
    try:
        timeout = 3.0 if "timeout" in FAULTS[kind][1] else 60.0
        with Client(f"{__name__}:{kind}", "", timeout=timeout, memory=_GIGABYTE) as client:
            results = client.encode(Texts.from_list(texts), False, False)
    finally:
        end_servers()
        for name in marked.environment:
            del os.environ[name]
    allowed = FAULTS[kind][1]
    failed = {i: failure.kind for i, failure in results.failures}
    if {guilty} & set(failed) != ({guilty} if allowed else set()) or set(failed) - {guilty}:
        return kind, f"text {guilty} was guilty, and failed have {failed}"
    if allowed and failed[guilty] not in allowed:
        return kind, f"the failure is called {failed[guilty]}: {results.failed[guilty].message[:200]}"
    wrong = [i for i, text in enumerate(texts) if i not in failed and results.row(i) != list(text)]
    if wrong:
        return kind, f"texts {wrong[:5]} have wrong answers"
    left = marked.left()
    return kind, f"{len(left)} processes were left" if left else ""
