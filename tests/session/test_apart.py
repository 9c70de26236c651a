"""Several models at a time: each in a process of its own, and the report as if they had come one after the other."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.rings import nightly_but
from tokparity import models
from tokparity.engines.process.fork_servers import USERS_PATH, python_path
from tokparity.errors import EngineError, FormatError, TokparityError, UnwritableError
from tokparity.report.file import ReportWriter
from tokparity.report.model import Header
from tokparity.session import messages
from tokparity.session.one_model import Options
from tokparity.session.output_order import Turns
from tokparity.session.run import run
from tokparity.session.writer import Unwritten

MODELS = ("small-bpe", "small-spm", "small-unigram")
ENGINE = "reference+greedy_longest_match"
FEW = ("--engine", "llama.cpp")


def records(folder: Path) -> list[dict[str, object]]:
    """What a report holds, without what is another at each run."""
    lines = [json.loads(line) for line in (folder / "report.jsonl").read_text().splitlines()]
    kept = [record for record in lines if record["type"] not in ("header", "footer")]
    return [{key: value for key, value in record.items() if key != "seconds"} for record in kept]


def command(*words: str) -> list[str]:
    """The command line in a process of its own."""
    return [sys.executable, "-m", "tokparity", *words]


def running(group_of: int, word: str) -> list[str]:
    """The processes whose command line has a word, below one that was started here."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if word in line and f"TOKPARITY_TEST={group_of}".encode() in environment:
            found.append(line)
    return found


@pytest.mark.nightly
def test_a_report_does_not_depend_on_how_many_run_at_a_time(tmp_path: Path) -> None:
    """The same records in the same order, and findings refer to the same mismatches."""
    for jobs in "12":
        words = ("run", *MODELS, "--engine", ENGINE, "--corpus", "prompts", "--cases", "100", "--jobs", jobs)
        ended = subprocess.run(command(*words, "--out", str(tmp_path / jobs)), capture_output=True, text=True)
        assert 0 == ended.returncode, ended.stderr
    assert len([record for record in records(tmp_path / "1") if record["type"] == "finding"]) >= len(MODELS)
    assert records(tmp_path / "1") == records(tmp_path / "2")


def test_ctrl_c_ends_all_of_them_with_a_report(tmp_path: Path) -> None:
    """What was found so far is there, the exit code is that of an interruption, and no process is left."""
    mark = os.getpid()
    environment = {**os.environ, "TOKPARITY_TEST": str(mark)}
    words = ("run", *MODELS, *FEW, "--cases", "1000000", "--jobs", "2", "--out", str(tmp_path))
    process = subprocess.Popen(
        command(*words), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    until = time.monotonic() + 60
    while not any('"type": "pair"' in line for line in _lines(tmp_path)) and time.monotonic() < until:
        time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    assert 130 == process.wait(60)
    kinds = [json.loads(line)["type"] for line in _lines(tmp_path)]
    assert "footer" == kinds[-1]
    assert "pair" in kinds
    assert [] == running(mark, "tokparity")


@pytest.mark.parametrize("word", nightly_but(["tokparity"], ["tokparity.session.apart", "tokparity"]))
def test_nothing_outlives_a_killed_run(tmp_path: Path, word: str) -> None:
    """`kill -9` of the command ends the models' processes, and their engines."""
    mark = f"{os.getpid()}{len(word)}"
    words = ("run", *MODELS, "--cases", "1000000", "--jobs", "2", "--out", str(tmp_path))
    environment = {**os.environ, "TOKPARITY_TEST": mark}
    process = subprocess.Popen(
        command(*words), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    until = time.monotonic() + 60
    while len(running(int(mark), "tokparity.engines.process.fork_server")) < 8 and time.monotonic() < until:
        time.sleep(0.1)
    process.kill()
    process.wait()
    while running(int(mark), word) and time.monotonic() < until:
        time.sleep(0.1)
    assert [] == running(int(mark), word)


@pytest.mark.nightly
def test_a_model_whose_process_is_killed_costs_no_other(tmp_path: Path) -> None:
    """The others are compared, the report says which was not, and there is no verdict."""
    mark = f"{os.getpid()}0"
    words = ("check", *MODELS, *FEW, "--cases", "300", "--corpus", "prompts", "--jobs", "2", "--out", str(tmp_path))
    environment = {**os.environ, "TOKPARITY_TEST": mark}
    process = subprocess.Popen(command(*words), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    until = time.monotonic() + 60
    found: list[int] = []
    while not found and time.monotonic() < until:
        time.sleep(0.05)
        found = [int(pid) for pid in subprocess.run(
            ["pgrep", "-P", str(process.pid), "-f", "tokparity.session.apart"], capture_output=True, text=True
        ).stdout.split()]  # fmt: skip
    os.kill(found[0], signal.SIGKILL)
    said = process.communicate(timeout=120)[0].decode()
    assert 3 == process.returncode, said
    assert "ended with SIGKILL" in said
    compared = {record["model"] for record in records(tmp_path) if record["type"] == "pair"}
    assert len(compared) >= len(MODELS) - 1


def _lines(folder: Path) -> list[str]:
    report = folder / "report.jsonl"
    return [line for line in report.read_text().splitlines(True) if line.endswith("\n")] if report.exists() else []


def test_what_the_user_set_is_known_in_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that an engine starts is given the user's own PYTHONPATH, however many processes are between."""
    monkeypatch.delenv(USERS_PATH, raising=False)
    monkeypatch.setenv("PYTHONPATH", "theirs")
    for _ in range(2):
        for name, value in python_path().items():
            monkeypatch.setenv(name, value)
    assert "theirs" == os.environ[USERS_PATH]
    assert sys.path == os.environ["PYTHONPATH"].split(os.pathsep)


class Noted(Unwritten):
    """A writer that keeps notes."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    def note(self, note: str) -> None:
        """Keep it."""
        self.notes.append(note)


def test_what_comes_early_waits_for_its_turn() -> None:
    """The first model's records are written as they come, the others' in order when it is done."""
    written = Noted()
    turns = Turns(written, 3)
    turns.of(1).note("b")
    turns.of(0).note("a")
    assert ["a"] == written.notes
    turns.done(1)
    turns.of(2).note("c")
    assert ["a"] == written.notes
    turns.done(0)
    assert ["a", "b", "c"] == written.notes
    turns.of(2).note("d")
    assert ["a", "b", "c", "d"] == written.notes


@pytest.mark.parametrize(
    "error",
    [
        FormatError("a file", "look"),
        EngineError("an engine"),
        UnwritableError("a disk", "make room"),
        OSError(errno.ENOSPC, "No space left on device", "x"),
    ],
)
def test_an_error_arrives_as_it_was(error: TokparityError | OSError) -> None:
    """Kind, words and what the system said: the exit code hangs on them."""
    if isinstance(error, UnwritableError):
        error.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        messages.send(ours, messages.error_sent(error))
        found = messages.error_received(messages.receive(theirs))
    assert (type(error), str(error)) == (type(found), str(found))
    assert getattr(error.__cause__, "errno", None) == getattr(found.__cause__, "errno", None)


@pytest.mark.nightly
def test_a_fault_of_ours_ends_the_run(tmp_path: Path) -> None:
    """It is told when it happens, and not when all other models have been run."""

    def listener(event: object) -> None:
        raise ValueError("of the listener")

    header = Header("0.1.0", "15.0", {}, {}, 0, (), "now")
    options = Options(engines=("reference",), corpora=("prompts",), cases=1_000_000, jobs=2)
    started = time.monotonic()
    with pytest.raises(ValueError, match="of the listener"):
        run([models.load(name) for name in MODELS], options, ReportWriter(tmp_path / "report.jsonl", header), listener)
    assert time.monotonic() - started < 60
