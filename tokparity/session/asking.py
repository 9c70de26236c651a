"""How a diagnosis runs one engine: in the session's process, and for an attack in a new process without history."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import TracebackType

from tokparity.case import AnyCase
from tokparity.engines import engine_name
from tokparity.outcome import Failure, Outcome
from tokparity.questions import Question
from tokparity.session.panel import OpenPanel, ask


class PutAlready:
    """The cases that were put to the engines of a session.

    All of them are kept, or where they are many an even choice, and the first ones in order.
    """

    def __init__(self, most: int = 40_000, case_bytes: int = 400) -> None:
        self._most = most
        self._case_bytes = case_bytes
        self._cases: list[AnyCase] = []
        self._every = 1
        self._seen = 0
        self._first: list[AnyCase] = []
        self._places: dict[Question, int] = {}

    def add(self, cases: Iterable[AnyCase]) -> None:
        """Take note of cases; long ones are left out."""
        for case in cases:
            if len(self._first) < self._most:
                self._places.setdefault(case.question, len(self._first))
                self._first.append(case)
            if case.question.size <= self._case_bytes:
                self._seen += 1
                if self._seen % self._every == 0:
                    self._cases.append(case)
        if len(self._cases) > self._most:
            self._cases = self._cases[1::2]
            self._every *= 2

    def before(self, case: AnyCase) -> list[AnyCase]:
        """All cases that ran earlier than a case, in order; none where it was not among the first ones."""
        return self._first[: self._places.get(case.question, 0)]

    def mixed(self) -> list[AnyCase]:
        """The cases in an order that is the same every time, those of a source not one after the other."""
        return random.Random(0).sample(self._cases, len(self._cases))


@dataclass
class AskedEngine:
    """Asks one engine of a panel; `fresh` opens a process of its own at the first question, and this ends it."""

    panel: OpenPanel
    engine: str
    put: Sequence[AnyCase] = ()
    asked: list[AnyCase] = field(default_factory=list, init=False)
    """What was asked and answered, but for what new processes of their own were asked."""
    _fresh: OpenPanel | None = field(default=None, init=False)

    def __call__(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """What the process of the session answers."""
        return self._noted(cases, ask(self.panel, self.engine, cases))

    def fresh(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """The answers of a process that has run nothing but this attack's texts."""
        if self._fresh is None:
            self._fresh = self.panel.fresh(self.engine)
        why = self._fresh.unavailable.get(self.engine)
        if why is not None:
            return [Failure("unavailable", why) for _ in cases]
        return self._noted(cases, ask(self._fresh, self.engine, cases))

    def _noted(self, cases: Sequence[AnyCase], outcomes: list[Outcome]) -> list[Outcome]:
        answered = zip(cases, outcomes, strict=True)
        self.asked += [case for case, outcome in answered if not isinstance(outcome, Failure)]
        return outcomes

    def anew(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """The answers of a new process to these cases."""
        return self.after((), cases)

    @contextmanager
    def with_file(self, path: Path) -> Iterator[AskedEngine]:
        """The same engine in processes of its own that have opened another file."""
        panel = self.panel.fresh(self.engine, str(path))
        try:
            with AskedEngine(panel, self.engine, self.put) as other:
                yield other
        finally:
            panel.close()

    def after(self, before: Sequence[AnyCase], cases: Sequence[AnyCase]) -> list[Outcome]:
        """The answers of a new process to cases that follow others, in this order and in one child of it."""
        panel = self.panel.fresh(self.engine)
        try:
            why = panel.unavailable.get(self.engine)
            if why is not None:
                return [Failure("unavailable", why) for _ in cases]
            for _, some in groupby(before, lambda case: case.question.alike):
                for _ in panel.results([list(some)], lambda: False, only=(self.engine,)):
                    pass
            return ask(panel, self.engine, cases)
        finally:
            panel.close()

    def __enter__(self) -> AskedEngine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._fresh is not None:
            self._fresh.close()


def can_be_asked(panel: OpenPanel, engine: str) -> bool:
    """Whether an engine can answer new questions; a recording can only answer those that it contains."""
    return engine not in panel.unavailable and not engine_name.parse(engine).is_replay
