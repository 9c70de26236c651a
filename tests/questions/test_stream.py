"""The question of a stream: how it is written, shrunk and put again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import pytest

from tokparity.errors import FormatError
from tokparity.questions import Stream, from_json, to_json
from tokparity.questions.stream import MOST_IDS


@pytest.mark.parametrize("question", [Stream((1, 2)), Stream((3,), (1, 2), skip_special=False), Stream(())])
def test_it_comes_back_from_a_report(question: Stream) -> None:
    """As it was written."""
    assert question == from_json(to_json(question))


def test_it_is_shrunk_to_the_ids_that_matter() -> None:
    """A prompt that plays no part goes, and of the ids the fewest that show the same are left."""

    def check(questions: Sequence[Stream]) -> list[bool]:
        return [{7, 9} <= {*question.ids} for question in questions]

    assert Stream((7, 9), skip_special=False) == Stream((1, 7, 3, 9, 5), (7, 8), skip_special=False).shrunk(check)


def test_a_prompt_that_matters_stays() -> None:
    """Of it as little as does."""
    assert Stream((), (4,)) == Stream((5, 6), (3, 4)).shrunk(lambda questions: [4 in q.prefill for q in questions])


def test_the_command_has_its_flags() -> None:
    """A shell takes it apart as it is meant."""
    words = shlex.split(Stream((3,), (1, 2), skip_special=False).command("m", "tokenizers"))
    asked = ["--stream", "--prefill", "[1, 2]", "--keep-special", "[3]"]
    assert ["tokparity", "diff", "m", "--engine", "tokenizers", *asked] == words


def test_too_long_a_stream_is_refused() -> None:
    """Whoever asks for it."""
    with pytest.raises(FormatError, match="too long"):
        Stream((1,) * MOST_IDS, (1,))
