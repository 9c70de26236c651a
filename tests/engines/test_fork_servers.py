"""Workers are forked from a process that has imported what they need: as if each had been started by itself."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.processes import children, is_running, left
from tokparity import engines
from tokparity.engines.buffers import Texts
from tokparity.engines.process import fork_servers
from tokparity.engines.process.client import Client
from tokparity.engines.process.control import send
from tokparity.engines.process.fork_servers import ForkServer, forked
from tokparity.engines.process.handle import Process
from tokparity.engines.process.obedient import Obedient, WorkerLost
from tokparity.errors import TokparityError

SAYS = """
import os
class Says:
    def __init__(self):
        self.said = [os.getcwd(), os.environ.get("TOKPARITY_SAID", "")]
    def version(self):
        return " in ".join(self.said)
    def encode(self, text, add_special, parse_special):
        return []
"""


LEAVES = """
import os, signal, tempfile
class Leaves:
    def __init__(self):
        tempfile.mkdtemp()
        os.kill(os.getpid(), signal.SIGKILL)
"""


def parent(pid: int) -> int:
    """The process that started another one."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def opened(engine: str) -> Process:
    """A worker that has said what its engine is."""
    process = Process(engine, None, {}, 60.0, None)
    process.hello()
    return process


def test_workers_of_an_engine_have_one_parent() -> None:
    """Also when the first of them is closed; another engine's library is in another process."""
    first = opened("transformers")
    first.close()
    second, other = opened("transformers"), opened("llama.cpp")
    try:
        third = opened("transformers")
        assert parent(second.pid) == parent(third.pid) != parent(other.pid)
        third.close()
    finally:
        second.close()
        other.close()


@pytest.mark.parametrize("engine", [name for name in engines.names() if engines.imports(name)])
def test_what_is_forked_has_one_thread(engine: str) -> None:
    """A thread that a library starts when it is imported would not be there in the workers."""
    process = opened(engine)
    try:
        assert 1 == len(list(Path(f"/proc/{parent(process.pid)}/task").iterdir()))
    finally:
        process.close()


def test_a_worker_has_the_surroundings_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directory and the environment are those of the moment at which it is started."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "says.py").write_text(SAYS)
        monkeypatch.chdir(tmp_path / name)
        monkeypatch.setenv("TOKPARITY_SAID", name)
        process = Process("./says.py:Says", None, {}, 60.0, None)
        try:
            assert f"{tmp_path / name} in {name}" == process.hello().version
        finally:
            process.close()


def test_a_killed_server_is_replaced() -> None:
    """What is forked next comes from a new one; a worker of the old one goes on."""
    with Client("fake_engines:Right", "none") as client:
        client.wait_ready()
        server = parent(client.worker_pid)
        os.kill(server, signal.SIGKILL)
        other = opened("fake_engines:Right")
        try:
            assert server != parent(other.pid)
            assert is_running(client.worker_pid)
        finally:
            other.close()


def test_a_library_that_dies_when_it_is_imported_is_left_to_the_worker(tmp_path: Path) -> None:
    """The server that imports it is replaced by one that does not."""
    (tmp_path / "dies.py").write_text("import os\nos.abort()\n")
    sys.path.insert(0, str(tmp_path))
    try:
        end = Obedient()
        server, pid = forked(("dies",), end.theirs)
        end.handed_over()
        assert is_running(pid)
        end.close()
        assert 0 == server.end(pid, 5.0)
    finally:
        sys.path.remove(str(tmp_path))


def test_a_server_that_dies_is_closed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several threads that wait for it each gets a worker of another server; no other's descriptor is closed."""
    (tmp_path / "exits.py").write_text("import os, time\ntime.sleep(0.3)\nos._exit(3)\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def started(number: int) -> bool:
        end = Obedient()
        server, pid = forked(("exits",), end.theirs)
        end.handed_over()
        running = is_running(pid)
        end.close()
        server.end(pid, 5.0)
        return running

    with ThreadPoolExecutor(4) as pool:
        assert [True] * 4 == list(pool.map(started, range(4)))


def test_what_is_ignored_or_blocked_here_is_not_there() -> None:
    """A program that was started with SIGCHLD ignored and SIGALRM blocked still sees which text an engine died of."""
    script = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
    script += "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n"
    script += "from tokparity.engines.buffers import Texts\nfrom tokparity.engines.process.client import Client\n"
    script += "with Client('fakes:ForksAndDies', '') as client:\n"
    script += (
        "    print([(i, f.kind) for i, f in client.encode(Texts.from_list([b'a', b'guilty']), False, False).failures])"
    )
    here = [str(Path(__file__).parent), *filter(None, sys.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(here), "FAKES_NOTE": os.devnull}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert ("[(1, 'crash')]\n", "") == (done.stdout, done.stderr)


def test_odd_entries_of_the_path_are_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As Python does it; "" is the current directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path, Path("somewhere")])
    entries = fork_servers.python_path()["PYTHONPATH"].split(os.pathsep)
    assert str(tmp_path) == entries[0]
    assert "somewhere" not in entries
    opened("fake_engines:Right").close()


def test_a_copy_of_the_host_program_has_servers_of_its_own() -> None:
    """What it ends are not those of the program that it is a copy of."""
    first = opened("fake_engines:Right")
    if (pid := os.fork()) == 0:
        code = 1
        try:
            other = opened("fake_engines:Right")
            code = int(parent(other.pid) == parent(first.pid))
            other.close()
            fork_servers.end_servers()
        finally:
            os._exit(code)
    assert 0 == os.waitpid(pid, 0)[1]
    assert is_running(parent(first.pid))
    first.close()


def test_a_late_reply_is_nobodys() -> None:
    """Who did not obey in time is asked no more: its reply would be taken for that to another order."""
    end = Obedient()
    with socket.socket(fileno=end.theirs[0]) as peer:
        with pytest.raises(WorkerLost):
            end.fork((), seconds=0.05)
        with contextlib.suppress(ConnectionError):
            send(peer, {"forked": 1})
        with pytest.raises(WorkerLost):
            end.end(2, 0.0)
    os.close(end.theirs[1])
    end.close()


def test_no_process_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how the last attempt ended."""
    monkeypatch.setenv("TOKPARITY_SAID", "nothing")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(TokparityError, match="no process can be started for an engine: exit code 1"):
        Process("reference", None, {}, 60.0, None)


@pytest.mark.nightly
def test_servers_of_old_surroundings_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the environment changes, only some are kept, and those that have workers."""
    with Client("fake_engines:Right", "none") as client:
        client.wait_ready()
        mine = parent(client.worker_pid)
        for number in range(12):
            monkeypatch.setenv("TOKPARITY_SAID", str(number))
            opened("fake_engines:Right").close()
        servers = [pid for pid in children(os.getpid()) if "fork_server" in Path(f"/proc/{pid}/cmdline").read_text()]
        assert mine in servers
        assert len(servers) <= fork_servers._MOST


def test_what_servers_take_is_told() -> None:
    """Importing a library is counted once, not with each worker."""
    before = fork_servers.servers_seconds()
    server = ForkServer((), {**os.environ, **fork_servers.ENVIRONMENT, **fork_servers.python_path()})
    until = time.monotonic() + 20
    while server.processor_seconds < 0.02 and time.monotonic() < until:
        time.sleep(0.01)
    assert server.processor_seconds >= 0.02
    server.close()
    opened("transformers").close()
    assert fork_servers.servers_seconds() >= before


def test_what_was_begun_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker is forked from the server that was started before it was needed, and no second one is started."""
    monkeypatch.setenv("TOKPARITY_SAID", "begun")
    fork_servers.begin(("json",))
    begun = set(children(os.getpid()))
    server, pid = forked(("json",), ())
    server.end(pid, 0.0)
    assert begun == set(children(os.getpid()))


def test_what_is_stopped_while_its_worker_starts_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor are batches that are put meanwhile held up, and the worker is ended."""
    making, made = threading.Event(), []

    def slow(*arguments: Any) -> Process:
        making.set()
        time.sleep(0.5)
        made.append(Process(*arguments))
        return made[0]

    monkeypatch.setattr("tokparity.engines.process.client.Process", slow)
    monkeypatch.setenv("FAKES_NOTE", os.devnull)
    with Client("fake_engines:HangsOpening", "none") as client:
        assert making.wait(60)
        started = time.monotonic()
        client.submit(Texts.from_list([b"a"]), False, False)
        assert time.monotonic() - started < 0.4
    assert time.monotonic() - started < 20
    assert not is_running(made[0].pid)


def test_nothing_is_left_when_the_program_ends() -> None:
    """Neither servers nor workers, of a program that closes nothing."""
    script = "from tokparity.engines.process.client import Client; c = Client('fake_engines:Right', 'none')\n"
    script += "c.wait_ready(); import os; print(os.getpid(), c.worker_pid, flush=True)\n"
    script += "print(*[t.read_text() for t in __import__('pathlib').Path('/proc/self/task').glob('*/children')])"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert [] == left(map(int, done.stdout.split()))


def test_what_a_killed_worker_left_goes_with_its_server(tmp_path: Path) -> None:
    """Its temporary files are in a folder of the server's, which is removed at the end."""
    (tmp_path / "leaves.py").write_text(LEAVES, encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    run = [
        sys.executable,
        "-m",
        "tokparity",
        "encode",
        "small-spm",
        "a",
        "--engine",
        f"{tmp_path / 'leaves.py'}:Leaves",
    ]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (3, True) == (done.returncode, "SIGKILL" in done.stderr), done.stderr
    assert [] == list((tmp_path / "temporary").iterdir())
