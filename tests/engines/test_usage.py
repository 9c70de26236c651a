"""What time an engine has taken: its own, whatever else the machine was doing."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tokparity.engines.buffers import FlatBufferError, Ids, Texts
from tokparity.engines.process import usage
from tokparity.engines.process.frames import LENGTH, Answer, Kind, Request
from tokparity.engines.process.usage import stopwatch, waited

ASKED = Request(Kind.ENCODE, Texts.from_list([b"a"]))
ANSWER = Answer(Ids.from_list([[7]]), None, seconds=0.25)


def read(answer: Answer) -> Answer:
    """The answer as the run reads it from the pipe."""
    frame = b"".join(bytes(piece) for piece in answer.pack())
    return Answer.unpack(memoryview(frame)[LENGTH.size :], ASKED)


def test_an_answer_says_what_it_took() -> None:
    """The seconds travel with the answer."""
    assert ANSWER.seconds == read(ANSWER).seconds


@pytest.mark.parametrize("seconds", [-1.0, math.nan, math.inf])
def test_an_answer_with_impossible_seconds_is_garbled(seconds: float) -> None:
    """The number comes from a process that may write anything."""
    with pytest.raises(FlatBufferError, match="seconds"):
        read(replace(ANSWER, seconds=seconds))


def test_sleep_is_time() -> None:
    """What waits for a clock or for a server is as slow as what computes."""
    seconds = stopwatch()
    time.sleep(0.05)
    assert seconds() >= 0.05


def test_waiting_is_read_in_nanoseconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second number of the kernel's three; 0 where there is no such file or it holds something else."""
    told = tmp_path / "schedstat"
    monkeypatch.setattr(usage, "_SCHEDULED", told)
    assert waited() == 0.0
    told.write_text("81902 1500000000 2\n")
    assert waited() == 1.5
    told.write_text("none\n")
    assert waited() == 0.0


@pytest.mark.nightly
def test_other_programs_take_no_time_of_an_engine() -> None:
    """On a machine with three busy processes a core, a computation takes about what it takes of the processor."""
    if not Path("/proc/thread-self/schedstat").exists():
        pytest.skip("this system does not tell how long a thread waits for a processor")
    spin = "import time\nend = time.monotonic() + 30\nwhile time.monotonic() < end: pass"
    others = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(3 * (os.cpu_count() or 1))]
    try:
        time.sleep(0.3)
        started, seconds = time.perf_counter(), stopwatch()
        until = time.process_time() + 0.3
        while time.process_time() < until:
            pass
        own, wall = seconds(), time.perf_counter() - started
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert own < 0.75 * wall
