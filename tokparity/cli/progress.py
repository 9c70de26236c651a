"""How a run goes, on standard error: a progress bar per model, or plain lines where that is no terminal."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokparity.report.model import Pair

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID


class ProgressBars:
    """A Listener that draws one bar per model under way."""

    def __init__(self, console: Console) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._tasks: dict[str, TaskID] = {}
        self._found: dict[str, int] = {}
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[found]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )

    def __enter__(self) -> ProgressBars:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def started(self, model: str, engines: Sequence[str], cases: int | None) -> None:
        """A bar for the model."""
        self._tasks[model] = self._progress.add_task(model, total=cases, found="")
        self._found[model] = 0

    def advanced(self, model: str, cases: int, mismatches: int) -> None:
        """Some more of it is done."""
        self._found[model] += mismatches
        found = f"{self._found[model]} mismatches" if self._found[model] else ""
        self._progress.update(self._tasks[model], advance=cases, found=found)

    def finished(self, model: str, pairs: Sequence[Pair]) -> None:
        """The bar gives way to a line."""
        self._progress.remove_task(self._tasks[model])
        self._progress.console.print(summary(model, pairs), markup=False, highlight=False, soft_wrap=True)


class ProgressLines:
    """A Listener that prints a line when a model starts and when it is done."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._started = time.monotonic()

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing was drawn that must be taken away."""

    def started(self, model: str, engines: Sequence[str], cases: int | None) -> None:
        """One line."""
        self._print(f"{model}: {', '.join(engines)}")

    def advanced(self, model: str, cases: int, mismatches: int) -> None:
        """Nothing: a log is not to be flooded."""

    def finished(self, model: str, pairs: Sequence[Pair]) -> None:
        """One line."""
        self._print(summary(model, pairs))

    def _print(self, line: str) -> None:
        with self._lock:
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)


def summary(model: str, pairs: Sequence[Pair]) -> str:
    """A model's run in one line."""
    ran = [pair for pair in pairs if not pair.unavailable]
    cases = max((pair.cases for pair in ran), default=0)
    mismatches, failures = sum(pair.mismatches for pair in ran), sum(pair.failures for pair in ran)
    seconds = max((pair.seconds for pair in ran), default=0.0)
    return (
        f"{model}: {cases} cases before {len(ran)} engines in {seconds:.1f} s, "
        f"{mismatches} mismatches, {failures} failures, {len(pairs) - len(ran)} engines unavailable"
    )
