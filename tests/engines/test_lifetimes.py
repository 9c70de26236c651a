"""No process outlives what it was started for, however its parent ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.processes import left, noted
from tokparity.engines.buffers import Texts
from tokparity.engines.process.client import Client

HERE = Path(__file__).parent
TEXTS = [b"a", b"guilty", b"b"]


@pytest.fixture(autouse=True)
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where engines note the numbers of processes that are to be gone."""
    monkeypatch.setenv("FAKES_NOTE", str(tmp_path / "note"))
    return tmp_path / "note"


def test_a_crash_after_a_fork_is_a_crash(note: Path) -> None:
    """What the engine left behind holds its pipes open, which hides no crash; it is ended as well."""
    with Client("fakes:ForksAndDies", "", timeout=5.0) as client:
        result = client.encode(Texts.from_list(TEXTS), False, False)
    assert [(1, "crash")] == [(i, failure.kind) for i, failure in result.failures]
    assert "SIGABRT" in result.failed[1].message
    assert [] == left(noted(note))


@pytest.mark.parametrize(("engine", "failures"), [("ForksAndHangs", [(1, "timeout")]), ("ForksAndAnswers", [])])
def test_what_an_engine_started_ends_with_it(engine: str, failures: list[tuple[int, str]], note: Path) -> None:
    """Also after a hang, and after right answers."""
    with Client(f"fakes:{engine}", "", timeout=0.5) as client:
        result = client.encode(Texts.from_list(TEXTS), False, False)
    assert failures == [(i, failure.kind) for i, failure in result.failures]
    assert [] == left(noted(note))


def started(tmp_path: Path, engine: str) -> subprocess.Popen[bytes]:
    """A process of its own that puts the texts to an engine, and tells the number of the worker."""
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(HERE)!r})
        from tokparity.engines.buffers import Texts
        from tokparity.engines.process.client import Client
        client = Client("fakes:{engine}", "", timeout=1000)
        print(client.worker_pid, flush=True)
        client.wait_ready()
        print("ready", flush=True)
        client.encode(Texts.from_list({TEXTS!r}), False, False)
        """)
    )
    return subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE)


@pytest.mark.parametrize("engine", ["ForksAndHangs", "HangsOpening"])
def test_kill_9_of_the_run_leaves_nobody(engine: str, note: Path, tmp_path: Path) -> None:
    """Neither what the engine has started, nor a worker that is opening a model."""
    with started(tmp_path, engine) as run:
        pids = noted(note)
        run.kill()
    assert [] == left(pids)


def test_kill_9_while_a_worker_starts_leaves_nobody(tmp_path: Path) -> None:
    """A worker whose parent died before it could ask to end with it opens nothing."""
    with started(tmp_path, "HangsOpening") as run:
        assert run.stdout is not None
        worker = int(run.stdout.readline())
        run.kill()
    assert [] == left([worker])


def test_kill_9_of_a_worker_leaves_nobody(note: Path) -> None:
    """Its child, which hangs, and what that has started, end; the text is asked again, and the run ends."""
    with Client("fakes:ForksAndHangs", "", timeout=2.0) as client:
        client.wait_ready()
        ticket = client.submit(Texts.from_list(TEXTS), False, False)
        noted(note)
        os.kill(client.worker_pid, signal.SIGKILL)
        assert ["timeout"] == [failure.kind for _, failure in ticket.result().failures]
    assert [] == left(noted(note))
