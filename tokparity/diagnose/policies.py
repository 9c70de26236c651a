"""Decides how sure a hypothesis is, from counts; only this module does, with named tolerances."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.diagnose.limits.families import (
    ABOVE_AN_EDGE,
    DOUBTFUL,
    FEWEST_ALIKE,
    FEWEST_BELOW,
    FEWEST_PREDICTED,
    FEWEST_STORED,
    FEWEST_STORED_IF_GIVEN,
    NEARLY_ALL,
    ODD_OF,
    RIGHT_ABOVE_AN_EDGE,
    SHARE,
    STRAYS,
)
from tokparity.finding import Status


@dataclass(frozen=True)
class Tolerance:
    """How much evidence may speak against a cause.

    `spoiled_per` and `odd_per` explained mismatches outweigh one case against the cause; with 0, none may be.
    """

    spoiled_per: int
    """Right answers that are spoiled: another cause may have undone what was done there."""
    odd_per: int
    """Wrong answers of which what is predicted is not part: another cause may have changed it."""
    fewest: int

    def allows(self, explained: int, odd: int, spoiled: int) -> bool:
        """Whether the explained mismatches outweigh the odd and the spoiled ones."""
        return explained >= self.fewest and spoiled * self.spoiled_per <= explained and odd * self.odd_per <= explained


def status_of_part(
    *, contradicted: int, right_share: float, share: float, is_few: bool, is_like_left: bool, is_attacked: bool
) -> Status | None:
    """What may be said of flips that explain a part: None where they are refused.

    `contradicted` new texts speak against them; of the texts that they change, they are right on `right_share`. Few:
    what is like their mismatches is mostly not explained. Like left: some of it is not.
    """
    if contradicted and (is_few or right_share < share):
        return None
    if is_like_left:
        return "in part"
    return "verified" if is_attacked else "reproduced"


def predicts_enough(predicted: int, changed: int, made_wrong: int) -> bool:
    """Whether an unrefuted hypothesis predicts enough of the mismatches that it changes, and enough of all."""
    return predicted + made_wrong >= FEWEST_PREDICTED and predicted >= SHARE * changed


def beside_another_fault(made: int, odd: int, is_open: bool) -> bool:
    """Whether another fault of the engine, if one is open, may have made the `odd` texts wrong in another way."""
    return odd == 0 or (is_open and odd * ODD_OF <= made)


def stored_is_enough(predicted: int, mismatches: int, ids: int, is_learned: bool) -> bool:
    """Whether stored answers alone speak for an edit: it predicts nearly all mismatches, and they have enough ids.

    Fewer ids are enough for an edit of which nothing was learned from these answers.
    """
    return predicted >= SHARE * mismatches and ids >= (FEWEST_STORED if is_learned else FEWEST_STORED_IF_GIVEN)


@dataclass(frozen=True)
class Tested:
    """How many test texts fulfill a rule and fail, and how many of the other texts fail."""

    with_made: int = 0
    with_failing: int = 0
    without_made: int = 0
    without_failing: int = 0

    @property
    def is_strict(self) -> bool:
        """Whether each text that has it fails."""
        return self.with_failing == self.with_made


def rule_stands(
    test: Tested, *, cover: float, precision: float, is_pattern: bool, is_edge: bool, spells: int | None, spared: float
) -> bool:
    """Whether a rule is said: texts were made of either sort, and were as it says.

    It holds for `cover` of the mismatches; `precision` of what it holds for fails. A pattern may fail without
    exception, or nearly so where it covers nearly all; above an edge some must fail, and none below. `spells` is how
    many texts have a pattern that is the whole text; `spared` is the share of all right texts that it holds for.
    """
    if test.with_made < min(FEWEST_PREDICTED, spells or FEWEST_PREDICTED) or not test.without_made:
        return False
    if test.without_failing > (STRAYS if is_pattern else 0) * test.without_made:
        return False
    if precision >= SHARE and test.is_strict:
        return True
    if precision >= SHARE and is_pattern and cover >= NEARLY_ALL and test.with_failing >= SHARE * test.with_made:
        return True  # and said with its counts
    above = test.with_failing >= max(FEWEST_ALIKE, ABOVE_AN_EDGE * test.with_made)
    below = test.without_made >= FEWEST_BELOW
    return is_edge and spared <= RIGHT_ABOVE_AN_EDGE and above and below and cover >= NEARLY_ALL


def most_are_so(holds: int, of: int) -> bool:
    """Whether a sentence about answers holds for enough of them to be said."""
    return holds >= SHARE * of


def nearly_all_are_so(holds: int, of: int) -> bool:
    """Whether it is said of all of them, as what they have in common."""
    return of >= FEWEST_ALIKE and holds >= NEARLY_ALL * of


def is_doubtful(status: Status, members: int, alike: int) -> bool:
    """Whether so much that looks like what a quirk explains in part is not explained that it may be something else."""
    return status == "in part" and alike >= DOUBTFUL * members
