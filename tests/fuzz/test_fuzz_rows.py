"""Rows of ids between the texts of a search: decoded at once, one after another, or both in turn."""

from __future__ import annotations

import pytest

from tokparity.fuzz.rows import Rows
from tokparity.generators.subject import Subject
from tokparity.questions import Again, Decode, Spans, Stream
from tokparity.quirks import toys

TOY = toys.byte_bpe("Ġ+a")
SUBJECT = Subject(TOY.vocabulary, TOY.behaviour)


def test_the_kinds_come_in_turn() -> None:
    """A turn has questions of one kind with the same flags, and each kind that is asked has some."""
    rows = Rows(SUBJECT, 0, ("decode", "stream", "spans"))
    turns = [rows.next(64) for _ in range(16)]
    assert {1} == {len({case.question.alike for case in turn}) for turn in turns}
    assert {Decode, Stream, Spans} == {type(case.question) for turn in turns for case in turn}
    assert 16 * 64 == rows.made


def test_rows_that_go_through_their_text_have_ids_of_the_model_alone() -> None:
    """Others could not come back."""
    rows = Rows(SUBJECT, 0, ("again",))
    asked = [case.question for _ in range(8) for case in rows.next(64)]
    assert {Again} == {type(question) for question in asked}
    assert {False, True} == {question.skip_special for question in asked if isinstance(question, Again)}
    found = {i for question in asked if isinstance(question, Again) for i in question.ids}
    assert found <= {*range(len(TOY.vocabulary))}


@pytest.mark.parametrize("kind", ["stream", "spans"])
def test_a_search_goes_on_with_the_same_questions(kind: str) -> None:
    """They follow from the seed and how many were made, so a search that was killed loses none."""
    whole, second = Rows(SUBJECT, 5, (kind,)), Rows(SUBJECT, 5, (kind,))
    whole.next(64)
    second.made = 64
    assert whole.next(64) == second.next(64)
