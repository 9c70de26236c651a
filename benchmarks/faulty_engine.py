"""Faulty engines made on purpose: what a diagnosis would be told of one, with the truth known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tokparity.case import AnyCase
from tokparity.difference import Difference, first_difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import pieces_at


@dataclass(frozen=True)
class FaultyEngine:
    """The reference as oracle, and a tokenizer that deviates from it."""

    right: Tokenizer
    wrong: Tokenizer
    model: str = "planted"
    engine: str = "deviant"
    known: dict[AnyCase, Outcome] = field(default_factory=dict, compare=False)

    def expected(self, case: AnyCase) -> Outcome:
        """What the reference gives; remembered, because many faults are planted in one model."""
        if case not in self.known:
            self.known[case] = imitate(self.right, case.question, decodes=True)
        return self.known[case]

    def ask(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """What the deviant engine gives."""
        return [imitate(self.wrong, case.question, decodes=True) for case in cases]

    def evidence(
        self, cases: Iterable[AnyCase], mismatches: int, controls: int
    ) -> tuple[list[Mismatch], list[Control]]:
        """Up to so many mismatches and controls, taken from the cases as they come."""
        wrong: list[Mismatch] = []
        right: list[Control] = []
        for case in cases:
            expected = self.expected(case)
            actual = imitate(self.wrong, case.question, decodes=True)
            if isinstance(expected, Encoding) and expected == actual:
                if len(right) < controls:
                    right.append(Control(case, self.model, self.engine, expected))
            elif len(wrong) < mismatches:
                wrong.append(self._mismatch(case, expected, actual))
            if len(wrong) == mismatches and len(right) == controls:
                break
        return wrong, right

    def _mismatch(self, case: AnyCase, expected: Outcome, actual: Outcome) -> Mismatch:
        failed = next((outcome for outcome in (actual, expected) if isinstance(outcome, Failure)), None)
        if failed is not None:
            difference = Difference("failure", failure=failed.kind)
        elif isinstance(expected, Encoding) and isinstance(actual, Encoding) and expected.ids != actual.ids:
            difference = Difference("ids", first_difference(expected.ids, actual.ids))
        else:
            texts = [getattr(outcome, "decoded", None) or b"" for outcome in (expected, actual)]
            difference = Difference("decode", first_difference(*texts))
        return Mismatch(
            case, self.model, self.engine, "reference", expected, actual, difference,
            self._spell(expected), self._spell(actual),
        )  # fmt: skip

    def _spell(self, outcome: Outcome) -> tuple[bytes, ...]:
        return pieces_at(self.right.vocabulary.pieces, outcome.ids if isinstance(outcome, Encoding) else ())
