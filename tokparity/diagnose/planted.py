"""Deviant engines made on purpose: what a diagnosis would be told of one, with the truth known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tokparity.diff import first_difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Case, Encoding, Outcome
from tokparity.reference.tokenizer import Tokenizer


@dataclass(frozen=True)
class Planted:
    """The reference as oracle, and a tokenizer that deviates from it."""

    right: Tokenizer
    wrong: Tokenizer
    model: str = "planted"
    engine: str = "deviant"
    known: dict[Case, Encoding] = field(default_factory=dict, compare=False)

    def expected(self, case: Case) -> Encoding:
        """What the reference gives; remembered, because many faults are planted in one model."""
        if case not in self.known:
            self.known[case] = _outcome(self.right, case)
        return self.known[case]

    def ask(self, cases: Sequence[Case]) -> list[Outcome]:
        """What the deviant engine gives."""
        return [_outcome(self.wrong, case) for case in cases]

    def evidence(self, cases: Iterable[Case], mismatches: int, controls: int) -> tuple[list[Mismatch], list[Control]]:
        """Up to so many mismatches and controls, taken from the cases as they come."""
        wrong: list[Mismatch] = []
        right: list[Control] = []
        for case in cases:
            expected, actual = self.expected(case), _outcome(self.wrong, case)
            if expected == actual:
                if len(right) < controls:
                    right.append(Control(case, self.model, self.engine, expected))
            elif len(wrong) < mismatches:
                wrong.append(self._mismatch(case, expected, actual))
            if len(wrong) == mismatches and len(right) == controls:
                break
        return wrong, right

    def _mismatch(self, case: Case, expected: Encoding, actual: Encoding) -> Mismatch:
        if expected.ids != actual.ids:
            difference = f"ids:{first_difference(expected.ids, actual.ids)}"
        else:
            difference = f"decode:{first_difference(expected.decoded or b'', actual.decoded or b'')}"
        return Mismatch(
            case, self.model, self.engine, "reference", expected, actual, difference,
            self._spell(expected), self._spell(actual),
        )  # fmt: skip

    def _spell(self, encoding: Encoding) -> tuple[bytes, ...]:
        return tuple(self.right.vocabulary.pieces[i] for i in encoding.ids)


def _outcome(tokenizer: Tokenizer, case: Case) -> Encoding:
    ids = tokenizer.encode(case.text, case.add_special, case.parse_special)
    return Encoding(tuple(ids), tokenizer.decode(ids, skip_special=True))
