"""A run that is killed loses nothing that was stored; one that is told to end says so."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rings import nightly_but
from tests.rows_of_probes import rows_of_probes
from tokparity import models
from tokparity.cli import main
from tokparity.report.file import read
from tokparity.report.model import Report
from tokparity.session import session
from tokparity.session.events import Event, Judged

pytestmark = pytest.mark.usefixtures("few_texts")

TESTS = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
ENGINE = "reference+greedy_longest_match"
SLOW = "fake_engines:Slow"
FUZZ = ("fuzz", "small-spm", "--engine", ENGINE)


class KilledError(BaseException):
    """What ends a run in the middle of a test; as with a signal, no error handling sees it."""


class Killer:
    """A listener that copies what is on disk when so many batches were judged, and ends the run there.

    The state is saved after every batch, the last `behind` ones left out.
    """

    def __init__(self, out: Path, copy: Path, batches: int, behind: int, every: Callable[[float], None]) -> None:
        self._paths = out, copy
        self._left = batches
        self._behind = behind
        self._every = every

    def __enter__(self) -> Killer:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is shown."""

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Judged):
            return
        self._left -= 1
        if self._left == self._behind:
            self._every(1e9)
        if not self._left:
            shutil.copytree(*self._paths)
            raise KilledError


def kill(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], out: Path, copy: Path, batches: int, behind: int = 0
) -> None:
    """Run a command that dies after so many batches; `copy` is what it left."""
    with monkeypatch.context() as patch:

        def every(seconds: float) -> None:
            patch.setattr(session, "_CHECKPOINT_EVERY", seconds)

        every(0.0 if batches > behind else 1e9)
        killer = Killer(out, copy, batches, behind, every)
        patch.setattr("tokparity.cli.progress.listener", lambda console: killer)
        with pytest.raises(KilledError):
            main(words)


def cases(report: Report) -> int:
    """How many texts were put to the engine."""
    (pair,) = (pair for pair in report.pairs if pair.engine == ENGINE)
    return pair.cases


@pytest.mark.nightly
def test_a_killed_fuzz_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was stored is lost or stored twice, and counts go on from where they were saved."""
    out, left = tmp_path / "out", tmp_path / "left"
    kill(monkeypatch, (*FUZZ, "--cases", "9000", "--out", str(out)), out, left, batches=6, behind=3)
    before, state = read(left / "report.jsonl"), json.loads((left / "fuzz.json").read_text(encoding="utf-8"))
    assert before.truncated
    assert before.mismatches
    assert 1 == main(["fuzz", "--resume", str(left), "--cases", "3000"])
    after = read(left / "report.jsonl")
    assert before.mismatches == after.mismatches[: len(before.mismatches)]
    probes = after.puts[0].probes - rows_of_probes("small-spm")
    assert state["tallies"][ENGINE]["cases"] + probes + 3000 == cases(after)
    put = Counter((m.engine, m.case) for m in after.mismatches if not m.case.origin.shrunk)
    assert 1 == max(put.values())
    for pair in after.pairs:
        assert pair.found == sum(pair.kinds.values())
    assert sum(state["counts"].values()) < sum(pair.found for pair in after.pairs)


@pytest.mark.nightly
@pytest.mark.parametrize("batches", nightly_but([2], [1, 2]))
def test_a_fuzz_that_is_killed_inside_its_probe_set_puts_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    """Whether or not the state knows of the last batches: in the end the probe set was put whole, each text once."""
    out, left, whole = tmp_path / "out", tmp_path / "left", tmp_path / "whole"
    assert 1 == main([*FUZZ, "--cases", "300", "--out", str(whole)])
    kill(monkeypatch, (*FUZZ, "--cases", "300", "--out", str(out)), out, left, batches)
    state = json.loads((left / "fuzz.json").read_text(encoding="utf-8"))
    assert (0, True) == (state["search"]["cases"], cases(read(whole / "report.jsonl")) > len(state["put"]) > 0)
    assert 1 == main(["fuzz", "--resume", str(left), "--cases", "300"])
    one, other = read(whole / "report.jsonl"), read(left / "report.jsonl")
    assert cases(one) == cases(other)
    assert sum(pair.found for pair in one.pairs) == sum(pair.found for pair in other.pairs)


@pytest.mark.nightly
def test_what_was_concluded_holds_until_there_is_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings of the earlier run are readable while, and after, the one that goes on is killed."""
    out, left, again = tmp_path / "out", tmp_path / "left", tmp_path / "again"
    assert 1 == main([*FUZZ, "--cases", "3000", "--out", str(out)])
    first = read(out / "report.jsonl")
    kill(monkeypatch, ("fuzz", "--resume", str(out), "--cases", "9000"), out, left, batches=2)
    kill(monkeypatch, ("fuzz", "--resume", str(left), "--cases", "9000"), left, again, batches=1)
    for folder in (left, again):
        killed = read(folder / "report.jsonl")
        assert killed.truncated
        assert first.findings == killed.findings
        assert first.controls == killed.controls
        assert first.mismatches == killed.mismatches[: len(first.mismatches)]
    assert 1 == main(["fuzz", "--resume", str(again), "--cases", "2000"])
    last = read(again / "report.jsonl")
    assert not last.truncated
    assert cases(first) < cases(last)
    assert sum(f.mismatches for f in first.findings) < sum(f.mismatches for f in last.findings)


def wait_for(path: Path, what: bytes, child: subprocess.Popen[bytes]) -> None:
    """Wait until a report holds this."""
    deadline = time.monotonic() + 60
    while child.poll() is None and time.monotonic() < deadline and not (path.exists() and what in path.read_bytes()):
        time.sleep(0.05)
    assert child.poll() is None


def test_kill_soon_after_going_on(tmp_path: Path) -> None:
    """A real `kill -9`, a second after a stored run was gone on with: all of it is there, and can be gone on with."""
    assert 1 == main([*FUZZ, "--cases", "1000", "--out", str(tmp_path)])
    path = tmp_path / "report.jsonl"
    before = read(path)
    command = [sys.executable, "-m", "tokparity", "fuzz", "--resume", str(tmp_path), "--seconds", "60"]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=-1, stderr=-1) as child:
        wait_for(path, b'"resumed"', child)
        time.sleep(1)
        child.kill()
    killed = read(path)
    assert killed.truncated
    assert before.findings == killed.findings
    assert before.mismatches == killed.mismatches[: len(before.mismatches)]
    assert 1 == main(["fuzz", "--resume", str(tmp_path), "--cases", "500"])
    assert cases(before) < cases(read(path))


@pytest.mark.parametrize(("sent", "code"), nightly_but([(2, 130)], [(signal.SIGINT, 130), (signal.SIGTERM, 143)]))
@pytest.mark.parametrize("command", nightly_but(["check"], ["check", "fuzz"]))
def test_a_signal_leaves_a_whole_report(tmp_path: Path, command: str, sent: signal.Signals, code: int) -> None:
    """It says that it was interrupted, and how far it came; the exit code is that of a program that a signal ended."""
    (tmp_path / "t.txt").write_text("plain\n" * 2000 * 600, encoding="utf-8")
    source = str(models.load("small-spm").sources["sentencepiece"])
    more = ["--corpus", "t.txt", "--cases", "0"] if command == "check" else ["--seconds", "100"]
    argv = [sys.executable, "-m", "tokparity", command, source, "--engine", SLOW, *more, "--out", "out"]
    with subprocess.Popen(argv, cwd=tmp_path, env=ENVIRONMENT, stdout=-1, stderr=-1) as child:
        wait_for(tmp_path / "out" / "report.jsonl", b'"mismatch"', child)
        child.send_signal(sent)
        _, err = child.communicate(timeout=60)
    report = read(tmp_path / "out" / "report.jsonl")
    assert (code, b"") == (child.returncode, err if b"Traceback" in err else b"")
    assert report.footer is not None
    assert "interrupted" == report.footer.ended
    assert min(pair.cases for pair in report.pairs) > 0
    assert sum(pair.found for pair in report.pairs) > 0
