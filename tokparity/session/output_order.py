"""Orders the output of models that run at the same time, so that a report does not depend on how many ran."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from tokparity.session.writer import Passing, Writer


class Turns:
    """A writer for several models. The first unfinished one writes at once, so that a killed run leaves its lines. The
    others' lines are kept until it is their turn."""

    def __init__(self, writer: Writer, models: int) -> None:
        self._writer, self._lock, self._now = writer, threading.RLock(), 0
        self._turns = [_Turn(self, writer) for _ in range(models)]

    def of(self, place: int) -> Writer:
        """The writer of one model, by its place in the run."""
        return self._turns[place].passing

    def done(self, place: int) -> None:
        """A model writes no more."""
        with self._lock:
            self._turns[place].is_done = True
            while self._now < len(self._turns) and self._turns[self._now].is_done:
                self._now += 1
                if self._now < len(self._turns):
                    self._turns[self._now].catch_up()

    def put(self, turn: _Turn, name: str, arguments: tuple[Any, ...]) -> None:
        """Write a record of a model, or keep it."""
        with self._lock:
            if self._now < len(self._turns) and self._turns[self._now] is turn:
                turn.write(name, arguments)
            else:
                turn.kept.append((name, arguments))


class _Turn:
    """What one model writes; its mismatches are numbered anew in the report."""

    def __init__(self, turns: Turns, writer: Writer) -> None:
        self.passing = Passing(partial(turns.put, self))
        self._writer = writer
        self._indices: list[int] = []
        self.kept: list[tuple[str, tuple[Any, ...]]] = []
        self.is_done = False

    def catch_up(self) -> None:
        """Write what was kept."""
        kept, self.kept = self.kept, []
        for name, arguments in kept:
            self.write(name, arguments)

    def write(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Write one record in the report."""
        if name == "mismatch":
            self._indices.append(self._writer.mismatch(*arguments))
        elif name == "finding":
            finding, members = arguments
            self._writer.finding(finding, [self._indices[i] for i in members])
        else:
            getattr(self._writer, name)(*arguments)
