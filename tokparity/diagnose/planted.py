"""Deviant engines made on purpose: what a diagnosis would be told of one, with the truth known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tokparity.case import TextCase
from tokparity.difference import Difference, first_difference
from tokparity.errors import AbortedError
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.reference.tokenizer import Tokenizer


@dataclass(frozen=True)
class Planted:
    """The reference as oracle, and a tokenizer that deviates from it."""

    right: Tokenizer
    wrong: Tokenizer
    model: str = "planted"
    engine: str = "deviant"
    known: dict[TextCase, Outcome] = field(default_factory=dict, compare=False)

    def expected(self, case: TextCase) -> Outcome:
        """What the reference gives; remembered, because many faults are planted in one model."""
        if case not in self.known:
            self.known[case] = _outcome(self.right, case)
        return self.known[case]

    def ask(self, cases: Sequence[TextCase]) -> list[Outcome]:
        """What the deviant engine gives."""
        return [_outcome(self.wrong, case) for case in cases]

    def evidence(
        self, cases: Iterable[TextCase], mismatches: int, controls: int
    ) -> tuple[list[Mismatch], list[Control]]:
        """Up to so many mismatches and controls, taken from the cases as they come."""
        wrong: list[Mismatch] = []
        right: list[Control] = []
        for case in cases:
            expected = self.expected(case)
            actual = _outcome(self.wrong, case)
            if isinstance(expected, Encoding) and expected == actual:
                if len(right) < controls:
                    right.append(Control(case, self.model, self.engine, expected))
            elif len(wrong) < mismatches:
                wrong.append(self._mismatch(case, expected, actual))
            if len(wrong) == mismatches and len(right) == controls:
                break
        return wrong, right

    def _mismatch(self, case: TextCase, expected: Outcome, actual: Outcome) -> Mismatch:
        if not isinstance(expected, Encoding) or not isinstance(actual, Encoding):
            difference = Difference("failure", failure="crash")
        elif expected.ids != actual.ids:
            difference = Difference("ids", first_difference(expected.ids, actual.ids))
        else:
            difference = Difference("decode", first_difference(expected.decoded or b"", actual.decoded or b""))
        return Mismatch(
            case, self.model, self.engine, "reference", expected, actual, difference,
            self._spell(expected), self._spell(actual),
        )  # fmt: skip

    def _spell(self, outcome: Outcome) -> tuple[bytes, ...]:
        ids = outcome.ids if isinstance(outcome, Encoding) else ()
        return tuple(self.right.vocabulary.pieces[i] for i in ids)


def _outcome(tokenizer: Tokenizer, case: TextCase) -> Outcome:
    question = case.question
    try:
        ids = tokenizer.encode(question.text, question.add_special, question.parse_special)
    except AbortedError as error:
        return Failure("crash", error.message)
    return Encoding(tuple(ids), tokenizer.decode(ids, skip_special=True))
