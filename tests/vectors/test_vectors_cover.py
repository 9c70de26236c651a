"""The choice of few questions that show every fault and tell all of them apart."""

from __future__ import annotations

from tokparity.questions import Encode, Question
from tokparity.vectors.cover import cover, groups
from tokparity.vectors.model import Answer


def asked(text: str) -> Question:
    """A question about a text."""
    return Encode(text.encode())


RIGHT: dict[Question, Answer] = {asked(text): (len(text),) for text in ("a", "bb", "ccc", "dddd", "a long text")}


def test_each_fault_is_shown_twice_where_it_can_be() -> None:
    """Two questions show each fault, or all that there are; a question that shows none is not chosen."""
    wrong: dict[str, dict[Question, Answer]] = {
        "often": {asked("a"): (9,), asked("bb"): (9,), asked("ccc"): (9,)},
        "once": {asked("dddd"): (8,)},
        "never": {},
    }
    chosen = cover(RIGHT, wrong)
    assert {asked("a"), asked("bb"), asked("dddd")} == set(chosen)


def test_the_cheaper_question_is_chosen() -> None:
    """Of two questions that show the same, the shorter one is taken."""
    wrong: dict[str, dict[Question, Answer]] = {
        "one": {asked("a long text"): (9,), asked("bb"): (9,), asked("a"): (9,)}
    }
    assert [asked("a"), asked("bb")] == cover(RIGHT, wrong)


def test_faults_are_told_apart_by_their_answers() -> None:
    """Two faults that the same questions show, with the same answers on the short ones, get the one that tells them."""
    alike: dict[Question, Answer] = {asked("a"): (9,), asked("bb"): (9,)}
    wrong: dict[str, dict[Question, Answer]] = {
        "one": {**alike, asked("a long text"): (7,)},
        "other": {**alike, asked("a long text"): (8,)},
    }
    chosen = cover(RIGHT, wrong)
    assert [["one"], ["other"]] == groups(wrong, wrong, chosen)
    assert asked("a long text") in chosen


def test_faults_that_nothing_tells_apart_stay_together() -> None:
    """A group holds the faults that give the same answers to every question."""
    same: dict[Question, Answer] = {asked("a"): (9,)}
    wrong: dict[str, dict[Question, Answer]] = {"one": same, "other": dict(same), "third": {asked("a"): (8,)}}
    assert [["one", "other"], ["third"]] == groups(wrong, wrong)
