"""The question of a text that is encoded again: how it is written, shrunk and put again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import pytest

from tokparity.questions import Again, from_json, to_json

SHOWS = (False, True, False)


@pytest.mark.parametrize("question", [Again(b"a"), Again(b"\xff", (), *SHOWS), Again(None, (1, 2)), Again(None)])
def test_it_comes_back_as_it_was_written(question: Again) -> None:
    """Text and rows of ids, with all flags."""
    assert question == from_json(to_json(question))


def test_texts_come_before_rows_and_short_ones_first() -> None:
    """A report shows the first one."""
    every = [Again(None, (1,)), Again(b"ab"), Again(b"b")]
    assert [Again(b"b"), Again(b"ab"), Again(None, (1,))] == sorted(every, key=lambda question: question.order)


def test_it_is_shrunk_with_its_flags() -> None:
    """A text as texts are, a row as rows are."""

    def check(questions: Sequence[Again]) -> list[bool]:
        return [b"x" in (question.text or b"") or 7 in question.ids for question in questions]

    assert Again(b"x", (), *SHOWS) == Again(b"a long text with x", (), *SHOWS).shrunk(check)
    assert Again(None, (7,)) == Again(None, (1, 7, 3)).shrunk(check)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (Again(b"a b"), ["a b"]),
        (Again(b"-1"), ["--", "-1"]),
        (Again(b"a", (), *SHOWS), ["--no-special", "--parse-special", "--keep-special", "a"]),
        (Again(None, (1, 2)), ["--ids", "[1, 2]"]),
    ],
)
def test_the_command_has_its_flags(question: Again, words: Sequence[str]) -> None:
    """A shell takes it apart as it is meant."""
    found = shlex.split(question.command("m", "tokenizers"))
    assert ["tokparity", "diff", "m", "--engine", "tokenizers", "--again", *words] == found


def test_a_nul_goes_through_standard_input() -> None:
    """No argument can hold one."""
    assert Again(b"\0").command("m", "e").endswith("| tokparity diff m --engine e --again -")
