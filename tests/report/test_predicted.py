"""Findings without a quirk of which a rule says the answers: `predicted` is the reader's word for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reports import mismatch
from tokparity.finding import Finding
from tokparity.trait import Trait

SHOWN = mismatch(b"x")
BARE = Finding("e-x", "m", "e", "o", "unexplained", SHOWN, 3)
RULE = Trait("the id 0 is added", "answer", 3, 3, with_made=5, with_failing=5, predicts=True)


def test_a_rule_that_gives_every_answer_is_the_cause() -> None:
    """The status stays as it is, for no quirk says it; a reader sees that it is understood."""
    found = replace(BARE, character=(RULE,))
    assert ("unexplained", "predicted", "The id 0 is added") == (found.status, found.standing, found.instead)


@pytest.mark.parametrize(
    "other",
    [
        {"character": (replace(RULE, holds=2, predicts=False),)},
        {"character": (replace(RULE, about="text"),)},
        {"character": (RULE,), "quirks": ("keeps_case",)},
        {"character": (RULE,), "unrepeatable": "chance"},
        {},
    ],
    ids=["not every answer", "only which texts fail", "a quirk says it", "answers by chance", "nothing"],
)
def test_what_is_not_predicted(other: dict[str, object]) -> None:
    """A rule about texts does not say the answers, and a quirk is the better word."""
    found = replace(BARE, **other)  # type: ignore[arg-type]
    assert ("unexplained", "") == (found.standing, found.instead)


def test_what_all_answers_have_in_common_predicts_none() -> None:
    """It is the title, for it is true of all; but when such an answer comes, it does not say."""
    found = replace(BARE, character=(replace(RULE, says="no ids are given", predicts=False),))
    assert ("unexplained", "No ids are given") == (found.standing, found.instead)


STRICT = Trait("the text contains x", "text", 3, 3, right=9, with_made=5, with_failing=5, without_made=5)


@pytest.mark.parametrize("exception", ["holds", "spared", "with_failing", "without_failing", ""])
def test_where_a_rule_about_texts_holds_without_exception_the_answers_are_predicted(exception: str) -> None:
    """Which texts fail and what comes then are both known; one exception and neither is the cause."""
    where = replace(STRICT, **{exception: 1}) if exception else STRICT
    found = replace(BARE, character=(where, replace(RULE, with_made=0, with_failing=0)))
    told = ("unexplained", "") if exception else ("predicted", "Where the text contains x, the id 0 is added")
    assert told == (found.standing, found.instead)


def test_what_is_settled_is_not_called_predicted() -> None:
    """Known and accepted say more."""
    found = replace(BARE, character=(RULE,))
    assert ["known", "accepted"] == [replace(found, known="of it").standing, replace(found, accepted=True).standing]
