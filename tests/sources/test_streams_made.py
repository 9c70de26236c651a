"""The streams that are made for a model."""

from __future__ import annotations

from tokparity.generators.subject import Subject
from tokparity.quirks import toys
from tokparity.sources.streams import LONG, stream_cases

TOY = toys.byte_bpe("Ġ+a")
SUBJECT = Subject(TOY.vocabulary, TOY.behaviour)


def test_the_same_seed_makes_the_same_streams() -> None:
    """Whatever number of them is asked for; another seed makes others."""
    first = list(stream_cases(SUBJECT, 7, 200))
    assert first[:100] == list(stream_cases(SUBJECT, 7, 100))[:100]
    assert first != list(stream_cases(SUBJECT, 8, 200))
    assert 0 == len(list(stream_cases(SUBJECT, 7, 0)))


def test_there_is_something_of_everything() -> None:
    """Prompts and none, special tokens left out and shown, and a long run of one id at the end."""
    questions = [case.question for case in stream_cases(SUBJECT, 0, 300)]
    assert {True, False} == {question.skip_special for question in questions}
    assert {True, False} == {bool(question.prefill) for question in questions}
    assert LONG == len(questions[-1].ids)
    assert all(0 <= i < len(TOY.vocabulary) for question in questions for i in question.row[1:])
