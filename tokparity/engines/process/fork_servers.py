"""The fork servers of this process: one for each set of libraries, started when it is first needed."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.engines.process.current_directory import current_directory
from tokparity.engines.process.lifetime import how_it_ended, kill_group
from tokparity.engines.process.obedient import Obedient, WorkerLost
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.engines.process.usage import processor_seconds
from tokparity.errors import EngineError

ENVIRONMENT = {
    "TOKENIZERS_PARALLELISM": "false",
    "GGML_NO_BACKTRACE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONHASHSEED": "0",
    "TRANSFORMERS_VERBOSITY": "error",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
"""One thread per worker, because the workers are the parallelism and threads do not survive a fork. No verbose output,
and no debugger, which ggml would start on every crash."""

USERS_PATH = "TOKPARITY_USERS_PYTHONPATH"
"""The variable in which a worker finds the PYTHONPATH that the user has set; its own holds all of our sys.path."""

_OF_THE_TEST_RUNNER = "PYTEST_CURRENT_TEST"
"""pytest gives this variable another value for each test; no library reads it."""

_MOST = 8
"""Fork servers that are kept although the surroundings that they were started in are gone."""

_SECONDS = 120.0
"""Within which libraries are imported and the first worker is forked."""

_PATIENCE = 10.0
"""Seconds in which one that is to end has ended its workers."""


def python_path() -> dict[str, str]:
    """The variables with which a process of ours imports what this one does, and still knows what the user set."""
    users = os.environ.get(USERS_PATH, os.environ.get("PYTHONPATH", ""))
    # Python passes over what is not a string; "" is the current directory, without which Python would not even start.
    entries = [entry or _here() for entry in sys.path if isinstance(entry, str)]
    return {"PYTHONPATH": os.pathsep.join(filter(None, entries)), USERS_PATH: users}


def _here() -> str:
    """The current directory; nothing where there is none any more, or it may not be known."""
    try:
        return os.getcwd()
    except OSError:
        return ""


class ForkServer:
    """A process that workers are forked from; it may be told by several threads."""

    def __init__(self, imports: Sequence[str], environment: dict[str, str]) -> None:
        self.workers = 0
        self._counting = threading.Lock()
        self._ended: str | None = None
        self._lock = threading.Lock()
        self._end = Obedient()
        self._temporary = TemporaryFolder()  # where a worker that is killed leaves its files
        control = self._end.theirs[0]
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "tokparity.engines.process.fork_server", str(control), *imports],
            stdin=subprocess.DEVNULL,
            stdout=self._end.noise.theirs,
            stderr=self._end.noise.theirs,
            pass_fds=[control],
            start_new_session=True,
            env={**environment, "TMPDIR": self._temporary.name},
        )
        self._end.handed_over()

    @property
    def processor_seconds(self) -> float:
        """What it has taken itself; workers that have ended are counted by whoever used them."""
        return processor_seconds(self._popen.pid, with_ended_children=False)

    def fork(self, fds: Sequence[int]) -> int:
        """The process id of a new worker, with file descriptors for its control socket and noise; raises WorkerLost."""
        with current_directory() as directory, self._lock:
            return self._end.fork((*fds, *directory), _SECONDS)

    def end(self, pid: int, grace: float) -> int:
        """Wait for a worker's end, kill it after `grace` seconds; its wait status, SIGKILL's where nobody knows."""
        try:
            with self._lock:
                return self._end.end(pid, grace)
        except WorkerLost:
            kill_group(pid)
            return signal.SIGKILL
        finally:
            self.count(-1)

    def count(self, more: int) -> None:
        """This many workers more; by a lock of its own, as the other one is held while a library is imported."""
        with self._counting:
            self.workers += more

    def leave(self) -> None:
        """Say nothing more to it."""
        self._end.leave()

    def close(self) -> str:
        """End it, and the workers that are left; how it ended, and the last that it wrote."""
        with self._lock:
            if self._ended is None:
                self._end.close()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._popen.wait(_PATIENCE)
                kill_group(self._popen.pid)
                self._temporary.cleanup()
                self._ended = f"{how_it_ended(self._popen.wait())}: {self._end.noise.last_lines()}"
            return self._ended


@dataclass(frozen=True)
class _Surroundings:
    """What a fork server was started with, which its workers get."""

    imports: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]


class _Servers:
    """All that this process has started, in the order of their start."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[_Surroundings, ForkServer] = {}
        self._others: list[ForkServer] = []
        self._gone = 0.0

    def taken(self, imports: tuple[str, ...]) -> ForkServer:
        """One that has imported this, with a place for one more worker."""
        environment = {**os.environ, **ENVIRONMENT, **python_path()}
        environment.pop(_OF_THE_TEST_RUNNER, None)
        wanted = _Surroundings(imports, tuple(sorted(environment.items())))
        with self._lock:
            if wanted not in self._kept:
                self._make_room()
                self._kept[wanted] = ForkServer(imports, environment)
            server = self._kept[wanted]
            server.count(1)
            return server

    def lost(self, server: ForkServer) -> None:
        """It is not to be asked again."""
        with self._lock:
            for surroundings in [known for known, kept in self._kept.items() if kept is server]:
                del self._kept[surroundings]

    def _make_room(self) -> None:
        """End the oldest that have no worker."""
        idle = [known for known, server in self._kept.items() if not server.workers]
        for surroundings in idle[: max(0, len(self._kept) + 1 - _MOST)]:
            server = self._kept.pop(surroundings)
            self._gone += server.processor_seconds
            server.close()

    @property
    def processor_seconds(self) -> float:
        """What they have taken, workers left out."""
        with self._lock:
            return self._gone + sum(server.processor_seconds for server in self._kept.values())

    def forget(self) -> None:
        """This process is a copy of the one that started them, of which they are."""
        self._lock = threading.Lock()  # somebody else may have held it, and is not here to give it back
        for server in self._kept.values():
            server.leave()
            self._others.append(server)  # held, for its temporary folder goes with it
        self._kept, self._gone = {}, 0.0

    def close(self) -> None:
        """End those without a worker; the others hear of the end of this process, as their workers do."""
        with self._lock:
            for server in self._kept.values():
                if not server.workers:
                    self._gone += server.processor_seconds
                    server.close()
            self._kept.clear()


_SERVERS = _Servers()
os.register_at_fork(after_in_child=_SERVERS.forget)
end_servers = atexit.register(_SERVERS.close)
"""End the fork servers that have no worker, as the end of this program does; what is opened next starts new ones."""


def begin(imports: tuple[str, ...]) -> None:
    """Start a server that imports this, so that it is done when the first worker is asked for."""
    with contextlib.suppress(OSError):  # told where a worker is asked for
        _SERVERS.taken(imports).count(-1)


def forked(imports: tuple[str, ...], fds: Sequence[int]) -> tuple[ForkServer, int]:
    """A new worker that has these modules: the server that it is a child of, and its process id.

    Where importing them is the end of a server, the worker is to die of it itself, which tells why: it is given none.
    Raises EngineError where there is no way to start one.
    """
    said = ""
    for asked in (imports, (), ()):
        server = _SERVERS.taken(asked)
        try:
            return server, server.fork(fds)
        except WorkerLost:
            _SERVERS.lost(server)
            said = server.close()
        except BaseException:
            server.count(-1)
            raise
    raise EngineError(
        f"no process can be started for an engine: {said}",
        "check whether the machine has run out of memory or processes",
    )


def servers_seconds() -> float:
    """Processor seconds that the fork servers of this process have taken so far, workers left out."""
    return _SERVERS.processor_seconds
