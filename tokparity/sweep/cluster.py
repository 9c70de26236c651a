"""Dask: a cluster on this machine or one that is there already, and units put to it a few at a time."""

from __future__ import annotations

import logging
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING

from tokparity.errors import EngineError, MissingDependencyError, TokparityError, UsageError
from tokparity.sweep.unit import Unit

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

AHEAD = 2
"""Units that are handed out for each worker: one that it does and one that it finds when that is done."""

_LOOK = 0.5  # seconds between two looks at what else is going on


def check_installed() -> None:
    """Raise the one line that says what a sweep needs."""
    missing = [name for name in ("distributed", "fsspec", "pyarrow") if find_spec(name) is None]
    if missing:
        raise MissingDependencyError(
            f"a sweep needs libraries that are not installed: {', '.join(missing)}", "pip install 'tokparity[sweep]'"
        )


@contextmanager
def connected(scheduler: str | None, workers: int, memory: str) -> Iterator[Client]:
    """A client of the cluster at `scheduler`, or of one on this machine, whose workers have one thread each."""
    from distributed import Client

    from tokparity.sweep.worker import Engines

    with ExitStack() as stack:
        if scheduler is None:
            client = stack.enter_context(Client(stack.enter_context(_here(workers, memory))))
        else:
            client = stack.enter_context(client_of(scheduler))
        try:
            client.register_plugin(Engines())
        except OSError as error:  # Dask's own, where nobody is left who could be told
            raise EngineError(f"the workers of Dask end as they start: {error}", "give them more --memory") from error
        yield client


def client_of(scheduler: str) -> Client:
    """A client of the cluster at an address; UsageError where none answers there."""
    from distributed import Client

    _quiet()
    try:
        return Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        message = f"no scheduler of Dask answers at {scheduler!r}: {error}"
        raise UsageError(message, "start one with `dask scheduler`, and give the address that it prints") from error


@contextmanager
def _here(workers: int, memory: str) -> Iterator[LocalCluster]:
    """A cluster on this machine. Those of its processes are killed that have not ended when it has waited for them."""
    from distributed import LocalCluster

    _quiet()
    cluster = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=memory,
        silence_logs=logging.CRITICAL,
    )
    try:
        yield cluster
    finally:
        try:
            cluster.close()
        except TimeoutError:  # a worker in the middle of a unit, on a busy machine: what it was doing counts nowhere
            for process in multiprocessing.active_children():
                process.kill()


def dashboard(client: Client) -> str:
    """Where Dask shows what it does, or why it does not."""
    if "dashboard" in client.scheduler_info()["services"]:
        link: str = client.dashboard_link
        return link
    return "none" if find_spec("bokeh") else "none: pip install bokeh"


def _quiet() -> None:
    """Have Dask write nothing: what matters to a user is told by ourselves."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def workers(client: Client) -> int:
    """The number of units that can run at a time; EngineError if the scheduler is lost."""
    try:
        return len(client.nthreads())
    except OSError as error:  # it refuses, closes, or does not answer in time
        raise _lost() from error


def results(
    client: Client, units: Iterator[Unit], stop: Callable[[], bool], tick: Callable[[], None]
) -> Iterator[tuple[Unit, bytes | Exception]]:
    """Each unit with the content of its file, or what it failed of, as they come; `tick` is called now and then.

    No more units are handed out than the workers have use for, so that nothing queues up; none once `stop` says so.
    Raises EngineError where the scheduler is lost.
    """
    from distributed.client import ClosedClientError

    under_way: dict[Future, Unit] = {}
    try:
        while True:
            room = AHEAD * max(workers(client), 1) - len(under_way)
            if not stop():
                under_way |= {_submitted(client, unit): unit for unit in islice(units, max(room, 0))}
            elif under_way:
                return
            if not under_way:
                return
            for future in _finished(under_way):
                unit = under_way.pop(future)
                yield unit, _result(client, future)
                future.release()
            tick()
    except (OSError, ClosedClientError, CancelledError) as error:  # whichever of them notices it first
        raise _lost() from error
    finally:
        _cancelled(client, under_way)


def _submitted(client: Client, unit: Unit) -> Future:
    from tokparity.sweep.worker import perform

    # Never the result of an earlier sweep: the text may have changed.
    return client.submit(perform, unit, pure=False, retries=1)


def _finished(under_way: dict[Future, Unit]) -> list[Future]:
    """Those that are done; waits a moment for the first."""
    from distributed import TimeoutError, wait

    try:
        return list(wait(list(under_way), timeout=_LOOK, return_when="FIRST_COMPLETED").done)
    except TimeoutError:
        return []


def _result(client: Client, future: Future) -> bytes | Exception:
    if future.status in ("cancelled", "lost"):
        raise _lost()
    try:
        content: bytes = future.result()
    except CancelledError as error:  # we cancel nothing that we wait for
        raise _lost() from error
    except TokparityError as error:
        return error
    except Exception as error:  # what a worker died of, and whatever a unit raised there
        return error
    return content


def why_failed(error: Exception) -> str:
    """What a unit failed of, in one line."""
    kind = type(error).__name__
    next_step = "; a worker that takes more than --memory is ended: give it more" if kind == "KilledWorker" else ""
    return f"{kind}: {error}".replace("\n", " ")[:300] + next_step


def _lost() -> EngineError:
    return EngineError("the scheduler of Dask is gone", "start the scheduler again, then go on with --resume")


def _cancelled(client: Client, under_way: dict[Future, Unit]) -> None:
    if under_way and client.status == "running":
        with suppress(OSError):  # the scheduler may be lost without our having been told yet: it has nothing to cancel
            client.cancel(list(under_way), force=True)
