"""What the mismatches of a finding have in common, in words and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Trait:
    """Something that the mismatches of a finding have in common: a clause about their texts, or about the answers.

    It holds for `holds` of the `of` mismatches that nothing else explains; about answers, of those examined. It holds
    for `spared` of the `right` cases that were kept. Of texts that were made to test it, `with_failing` of `with_made`
    that have it fail, and `without_failing` of `without_made` that do not have it. About answers: `with_made` were
    answered as predicted, and `without_made` wrongly in another way.
    """

    says: str
    about: Literal["text", "answer"]
    holds: int
    of: int
    spared: int = 0
    right: int = 0
    with_made: int = 0
    with_failing: int = 0
    without_made: int = 0
    without_failing: int = 0
    predicts: bool = False
    """Whether it gives the very answers, wrong and right, and nothing known refutes it; then its finding has only
    mismatches that it holds for."""

    @property
    def is_strict(self) -> bool:
        """Whether each text that has it fails, of those that were made and of all, and no text without it does."""
        made = self.with_made and self.with_failing == self.with_made and not self.without_failing
        return bool(made) and self.holds == self.of and not self.spared

    @property
    def sentence(self) -> str:
        """The clause with what was counted."""
        said = f"{self.says}: {self.holds:,} of {self.of:,} failing texts"
        if self.about == "text" and self.right:
            said += f", {self.spared:,} of {self.right:,} right texts"
        made = self.with_made if self.about == "answer" else self.with_made + self.without_made
        if not made:
            return said
        failing, without = self.with_failing, self.without_failing
        if self.about == "answer" and self.without_made:
            of = f"{made:,} of {made + self.without_made:,} new texts, made to test this, behave as predicted"
            return f"{said}; {of}; the others are wrong in another way"
        if self.about == "answer" or (failing == self.with_made and not without):
            return f"{said}; all {made:,} new texts, made to test this, behave as predicted"
        fail = f"{failing:,} of {self.with_made:,} fail with it, {without:,} of {self.without_made:,} without"
        return f"{said}; of new texts, made to test this, {fail}"
