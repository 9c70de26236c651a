"""The question of spans: how it is written, shrunk and put again."""

from __future__ import annotations

import shlex

import pytest

from tokparity.questions import Encode, Spans, from_json, to_json


@pytest.mark.parametrize("question", [Spans(b"a"), Spans("é".encode(), add_special=False), Spans(b"", True, True)])
def test_it_comes_back_from_a_report(question: Spans) -> None:
    """As it was written, and it is no text to be encoded."""
    assert question == from_json(to_json(question))
    assert "spans" == to_json(question)["kind"]
    assert question != Encode(question.text, question.add_special, question.parse_special)


def test_it_is_shrunk_as_a_text_is() -> None:
    """To what matters, and stays what it is."""
    found = Spans(b"one two three", False, True).shrunk(lambda questions: [b"w" in q.text for q in questions])
    assert Spans(b"w", False) == found


def test_the_command_asks_for_spans() -> None:
    """A shell takes it apart as it is meant."""
    words = shlex.split(Spans(b"a b", add_special=False).command("m", "tokenizers"))
    assert ["tokparity", "diff", "--spans", "m", "--engine", "tokenizers", "--no-special", "a b"] == words
    assert "diff --spans" in Spans(b"\0").command("m", "tokenizers")
