"""What a Dask worker does with a unit: the engines stay open from one unit to the next of the same model."""

from __future__ import annotations

import threading
from contextlib import ExitStack

from distributed import Worker, WorkerPlugin, get_worker

from tokparity.garbage import collected_rarely
from tokparity.sweep.open_model import Opened
from tokparity.sweep.unit import Unit, done
from tokparity.sweep.unit_file import to_parquet

NAME = "tokparity-sweep"


class Engines(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """The engines that a worker has open; they end with the worker."""

    name = NAME

    def setup(self, worker: Worker) -> None:
        """Nothing is open yet."""
        self._lock = threading.Lock()
        self._opened: Opened | None = None
        self._unit: Unit | None = None
        self._meanwhile = ExitStack()
        self._meanwhile.enter_context(collected_rarely())

    def teardown(self, worker: Worker) -> None:
        """End all engines."""
        self._close()
        self._meanwhile.close()

    def result(self, unit: Unit) -> bytes:
        """The content of the unit's file; one unit at a time, even if the worker was given several threads."""
        with self._lock:
            try:
                content = to_parquet(done(unit, self._of(unit)))
            except BaseException:
                self._close()  # whatever state they are in
                raise
            if self._opened is not None and self._opened.spoiled:
                self._close()
            return content

    def _of(self, unit: Unit) -> Opened:
        """The engines of the unit's model."""
        last = self._unit
        if self._opened is None or last is None or (last.model, last.engines) != (unit.model, unit.engines):
            self._close()
            self._opened = Opened(unit.model, unit.engines, unit.timeout, unit.memory)
            self._unit = unit
        return self._opened

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def perform(unit: Unit) -> bytes:
    """Do a unit, in a Dask worker that has the plugin."""
    engines = get_worker().plugins[NAME]
    content: bytes = engines.result(unit)
    return content
