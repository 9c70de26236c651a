"""Copies of a worker: each answers by itself, its end is told with its status, and none outlives the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tokparity.engines.environment.forks import Forks


def _serve(into: Any, out: Any) -> None:
    """Say who answers and how often it was asked; die of "die", end at "end"."""
    for number, line in enumerate(into, 1):
        if line == b"die\n":
            os.kill(os.getpid(), signal.SIGTERM)
        if line == b"end\n":
            return
        out.write(f"{os.getpid()} {number}\n")
        out.flush()


def test_each_copy_answers_by_itself() -> None:
    """A number is always the same process; another number is another one, which was asked nothing yet."""
    forks = Forks()
    (one, first), (again, second), (other, others) = (forks.reply(n, b"x\n", _serve).split() for n in (1, 1, 2))
    assert (one, b"1", b"2", b"1") == (again, first, second, others)
    assert len({one, other, str(os.getpid()).encode()}) == 3
    assert [-signal.SIGKILL] * 2 == [forks.end(1), forks.end(2)]
    assert 0 == forks.end(1)


@pytest.mark.parametrize(("word", "status"), [(b"die\n", -signal.SIGTERM), (b"end\n", 0)])
def test_the_end_of_a_copy_is_told(word: bytes, status: int) -> None:
    """No line comes, its status is known, and the next one of this number is a new process."""
    forks = Forks()
    before = forks.reply(1, b"x\n", _serve).split()[0]
    assert b"" == forks.reply(1, word, _serve)
    assert status == forks.end(1, 60.0)
    assert before != forks.reply(1, b"x\n", _serve).split()[0]
    forks.end(1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a process with its parent")
def test_no_copy_outlives_the_process() -> None:
    """Also where it is busy when the process is killed."""
    code = (
        "import runpy, sys, time; Forks = runpy.run_path(sys.argv[1])['Forks'];"
        "serve = lambda into, out: (into.readline(), out.write(str(__import__('os').getpid()) + chr(10)), out.flush(),"
        " time.sleep(600)); print(Forks().reply(1, b'x\\n', serve).decode(), flush=True); time.sleep(600)"
    )
    path = Path(__file__).parents[2] / "tokparity" / "engines" / "environment" / "forks.py"
    parent = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    copy = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    until = time.monotonic() + 60
    while Path(f"/proc/{copy}").exists() and _state(copy) != "Z" and time.monotonic() < until:
        time.sleep(0.01)
    assert not Path(f"/proc/{copy}").exists() or _state(copy) == "Z"


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][:1]
    except FileNotFoundError:
        return "Z"
