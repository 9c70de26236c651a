"""The model's oracle and the reference must give the same answer, or a question is not a vector."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokparity.case import Case
from tokparity.errors import EngineError
from tokparity.outcome import NOT_ASKED, TIMEOUT, Failure, Outcome
from tokparity.questions import Question
from tokparity.session.panel import EnginePanel, Seat, ask
from tokparity.vectors.faults import Answers
from tokparity.vectors.model import allows, answer_of

if TYPE_CHECKING:
    from types import TracebackType


@dataclass
class Oracle:
    """Asks the oracle; `alone` are questions that it cannot be asked, which the reference answers alone."""

    seat: Seat
    alone: set[Question] = field(default_factory=set)
    disputed: set[Question] = field(default_factory=set)
    _asked: set[Question] = field(default_factory=set)
    _panel: EnginePanel = field(init=False)

    def __enter__(self) -> Oracle:
        self._panel = EnginePanel([self.seat], TIMEOUT)
        if why := self._panel.unavailable.get(self.seat.engine):
            self._panel.close()
            raise EngineError(f"the oracle {self.seat.engine} could not run: {why}", "install it, then run again")
        return self

    @property
    def told(self) -> str:
        """Its name, its version, and what it opens."""
        version = self._panel.versions[self.seat.engine]
        name = version if self.seat.engine in version else f"{self.seat.engine} ({version})"
        return f"{name}, reading {self.seat.source}"

    def check(self, answers: Answers, questions: Iterable[Question]) -> list[Question]:
        """Drop the questions on which the two disagree; which these are."""
        new = [question for question in questions if question in answers.right and question not in self._asked]
        outcomes = ask(self._panel, self.seat.engine, [Case(question) for question in new])
        self._asked.update(new)
        apart = [one for one, outcome in zip(new, outcomes, strict=True) if not self._agrees(answers, one, outcome)]
        self.disputed.update(apart)
        answers.drop(apart)
        return apart

    def _agrees(self, answers: Answers, question: Question, outcome: Outcome) -> bool:
        if isinstance(outcome, Failure) and outcome.kind in NOT_ASKED:
            self.alone.add(question)
            return True
        return allows(answers.right[question], answer_of(outcome))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._panel.close()


def shown_only_outside(answers: Answers, names: Sequence[str], question: Question) -> list[str]:
    """The faults that crash on a question which the right tokenizer refuses."""
    from tokparity.reference.imitate import imitate

    chosen = [mutant for mutant in answers.mutants if mutant.name in names]
    dead = ((mutant.name, imitate(answers.built(mutant), question)) for mutant in chosen)
    return [name for name, outcome in dead if isinstance(outcome, Failure) and outcome.kind == "crash"]
