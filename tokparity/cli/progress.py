"""Shows the progress of sessions on standard error: a bar for each running model, or plain lines in a log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tokparity.cli.console import shown
from tokparity.report.model import Pair
from tokparity.report.render.engine_names import shown_as
from tokparity.report.rule import count
from tokparity.session.events import Closed, Event, Judged, LeftOut, Opened, Overdue, Progressed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

_EVERY = 10.0  # seconds between two lines about the same model, where there is no terminal
_PHASES = {
    "put": "running cases",
    "shrink": "making texts smaller",
    "explain": "looking for causes",
    "accept": "comparing with what is accepted",
}


def _bars(console: Console) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}", markup=False),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


@contextmanager
def one_bar(console: Console, work: str) -> Iterator[Callable[[str, int, int], None]]:
    """A bar for one piece of work: what it is given says what is done now, how much of it, and of how much.

    Nothing is drawn where the console is not a terminal.
    """
    with _bars(console) as bars:
        task = bars.add_task(work, total=None, told="")
        yield lambda now, done, of: bars.update(task, completed=done, total=of, told=shown(now))


class ProgressBars:
    """A listener that draws one bar for each model under way; what is done becomes a line above them."""

    def __init__(self, console: Console) -> None:
        self._tasks: dict[str, TaskID] = {}
        self._found: dict[str, int] = {}
        self._progress = _bars(console)

    def __enter__(self) -> ProgressBars:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def __call__(self, event: Event) -> None:
        """Show what has happened."""
        match event:
            case Opened(model, _, cases):
                self._tasks[model] = self._progress.add_task(model, total=cases, told="")
                self._found[model] = 0
            case Judged(model, cases, mismatches):
                self._found[model] += mismatches
                told = [count(self._found[model], "mismatch", "mismatches")] if self._found[model] else []
                told += [f"{name} {share}" for name, share in event.notes().items()][:2]
                self._progress.update(self._tasks[model], advance=cases, told=", ".join(told))
            case Progressed(model, phase, done, of):
                told_now = f"{_PHASES.get(phase, phase)}: {done} of {of}"
                self._progress.update(self._tasks[model], completed=done, total=of, told=told_now)
            case LeftOut() | Overdue():
                self._print(str(event))
            case Closed(model, pairs):
                self._progress.remove_task(self._tasks.pop(model))
                self._print(summary(model, pairs))

    def _print(self, line: str) -> None:
        self._progress.console.print(shown(line), markup=False, highlight=False, soft_wrap=True)


class ProgressLines:
    """A listener that prints a line when a model starts and when it is done, and one now and then between."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._shown: dict[str, float] = {}
        self._cases: dict[str, int] = {}
        self._found: dict[str, int] = {}

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing was drawn that must be taken away."""

    def __call__(self, event: Event) -> None:
        """Show what has happened."""
        with self._lock:
            match event:
                case Opened(model, engines):
                    self._cases[model] = self._found[model] = 0
                    self._print(model, f"{model}: {', '.join(shown_as(engines).get(one, one) for one in engines)}")
                case Judged(model, cases, mismatches):
                    self._cases[model] += cases
                    self._found[model] += mismatches
                    told = (f", {name} {share}" for name, share in event.notes().items()) if self._is_due(model) else ()
                    found = count(self._found[model], "mismatch", "mismatches")
                    line = f"{model}: {count(self._cases[model], 'case')}, {found}" + "".join(told)
                    self._print_if_due(model, line)
                case Progressed(model, phase, done, of):
                    self._print_if_due(model, f"{model}: {_PHASES.get(phase, phase)}, {done} of {of}")
                case LeftOut() | Overdue():
                    self._print(event.model, str(event))
                case Closed(model, pairs):
                    self._print(model, summary(model, pairs))

    def _is_due(self, model: str) -> bool:
        return time.monotonic() > self._shown[model] + _EVERY

    def _print_if_due(self, model: str, line: str) -> None:
        if self._is_due(model):
            self._print(model, line)

    def _print(self, model: str, line: str) -> None:
        self._shown[model] = time.monotonic()
        self._console.print(shown(line), markup=False, highlight=False, soft_wrap=True)


def listener(console: Console) -> ProgressBars | ProgressLines:
    """The progress display that suits the console."""
    return ProgressBars(console) if console.is_terminal else ProgressLines(console)


def _is_judged(pair: Pair) -> bool:
    """Whether an engine could be wrong: the oracle is right by definition, unless laws judge all that was asked."""
    by_laws = pair.streams + pair.spans + pair.prompts
    return bool(0 < by_laws == pair.compared + pair.rows_put if pair.is_oracle else pair.compared + pair.rows_put)


def summary(model: str, pairs: Sequence[Pair]) -> str:
    """A model's session in one line."""
    ran = [pair for pair in pairs if not pair.unavailable or pair.compared]
    cases = max((pair.cases or pair.rows_put for pair in ran), default=0)
    ids, failures = sum(pair.mismatches for pair in ran), sum(pair.failures for pair in ran)
    decoded = sum(pair.decode + pair.round_trip + pair.rows_differ for pair in ran)
    seconds = max((pair.seconds for pair in ran), default=0.0)
    taken = f" in {seconds:.1f} s" if seconds else ""
    wrong = {"with other ids": ids, "that decode to another text": decoded, "on which an engine failed": failures}
    wrong["streams that break a law"] = sum(pair.streams_differ for pair in ran)
    wrong["that are wrong when encoded again"] = sum(pair.again_differ for pair in ran)
    wrong["with a wrong span"] = sum(pair.spans_differ for pair in ran)
    wrong["with another prompt"] = sum(pair.prompts_differ for pair in ran)
    found = ", ".join(f"{number:,} {what}" for what, number in wrong.items() if number) or (
        "all equal" if cases and any(_is_judged(pair) for pair in ran) else "nothing compared"
    )
    away = sum(bool(pair.unavailable) for pair in pairs)
    left = max((pair.prompts_not_run for pair in ran if pair.prompts), default=0)
    missing = f"; {count(left, 'conversation')} not run" if left else ""
    missing += f"; {count(away, 'engine')} unavailable" if away else ""
    return f"{model}: {cases:,} case{'' if cases == 1 else 's'} on {count(len(ran), 'engine')}{taken}: {found}{missing}"
