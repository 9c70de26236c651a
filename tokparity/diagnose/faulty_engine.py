"""Faulty engines made on purpose: what a diagnosis would be told of one, with the truth known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tokparity.diff import first_difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Case, Encoding, Outcome
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer


@dataclass(frozen=True)
class FaultyEngine:
    """The reference as oracle, and a tokenizer that deviates from it."""

    right: Tokenizer
    wrong: Tokenizer
    model: str = "planted"
    engine: str = "deviant"
    known: dict[Case, Outcome] = field(default_factory=dict, compare=False)

    def expected(self, case: Case) -> Outcome:
        """What the reference gives; remembered, because many faults are planted in one model."""
        if case not in self.known:
            self.known[case] = imitate(self.right, case, decodes=True)
        return self.known[case]

    def ask(self, cases: Sequence[Case]) -> list[Outcome]:
        """What the deviant engine gives."""
        return [imitate(self.wrong, case, decodes=True) for case in cases]

    def evidence(self, cases: Iterable[Case], mismatches: int, controls: int) -> tuple[list[Mismatch], list[Control]]:
        """Up to so many mismatches and controls, taken from the cases as they come."""
        wrong: list[Mismatch] = []
        right: list[Control] = []
        for case in cases:
            expected = self.expected(case)
            actual = imitate(self.wrong, case, decodes=True)
            if isinstance(expected, Encoding) and expected == actual:
                if len(right) < controls:
                    right.append(Control(case, self.model, self.engine, expected))
            elif len(wrong) < mismatches:
                wrong.append(self._mismatch(case, expected, actual))
            if len(wrong) == mismatches and len(right) == controls:
                break
        return wrong, right

    def _mismatch(self, case: Case, expected: Outcome, actual: Outcome) -> Mismatch:
        if not isinstance(actual, Encoding):
            difference = f"failure:{actual.kind}"
        elif not isinstance(expected, Encoding):
            difference = f"failure:{expected.kind}"
        elif expected.ids != actual.ids:
            difference = f"ids:{first_difference(expected.ids, actual.ids)}"
        else:
            difference = f"decode:{first_difference(expected.decoded or b'', actual.decoded or b'')}"
        return Mismatch(
            case, self.model, self.engine, "reference", expected, actual, difference,
            self._spell(expected), self._spell(actual),
        )  # fmt: skip

    def _spell(self, outcome: Outcome) -> tuple[bytes, ...]:
        ids = outcome.ids if isinstance(outcome, Encoding) else ()
        return tuple(self.right.vocabulary.pieces[i] for i in ids)
