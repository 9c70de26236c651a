"""The question of a prompt: its record, its order, its command, and how it is shrunk."""

from __future__ import annotations

import pytest

from tokparity.errors import FormatError
from tokparity.questions import KINDS, Render, from_json, to_json
from tokparity.questions.render import Conversation, Template, unpacked

USER = {"role": "user", "content": "Hi there"}
QUESTION = Render(Template("{{ bos_token }}", "a.gguf", "tools"), Conversation((USER,)), {"bos_token": "<s>"})


def test_a_render_comes_back_from_its_record() -> None:
    """A report holds the template, its name and file, the tokens and the conversation."""
    record = {**to_json(QUESTION), "origin": "conversation:0"}

    assert QUESTION == from_json(record)
    assert Render is KINDS["render"]


def test_what_a_renderer_is_sent_says_nothing_of_files() -> None:
    """A renderer has no use for the name of a file."""
    assert Render(Template("{{ bos_token }}"), QUESTION.conversation, QUESTION.tokens) == unpacked(QUESTION.packed())


@pytest.mark.parametrize("broken", [{"template": 1}, {"tokens": {"bos_token": 1}}, {"tokens": []}, {"name": None}])
def test_a_damaged_record_is_refused(broken: dict[str, object]) -> None:
    """A report comes from outside."""
    with pytest.raises(FormatError):
        from_json({**to_json(QUESTION), **broken})


def test_equal_questions_have_equal_hashes() -> None:
    """A session looks questions up; the order of keys and the type of a value are part of a conversation."""
    again = from_json(to_json(QUESTION))
    swapped = Conversation(({"content": "Hi there", "role": "user"},))

    assert {QUESTION: 1} == {again: 1}
    assert swapped != QUESTION.conversation
    assert Conversation((), extra={"a": 1}) != Conversation((), extra={"a": True})


def test_a_render_shrinks_its_conversation_alone() -> None:
    """The template is the model's own."""
    messages = ({"role": "system", "content": "Be kind."}, {**USER, "name": "Ann"}, {"role": "user", "content": "Bye"})
    long = Render(QUESTION.template, Conversation(messages, add_generation_prompt=True), QUESTION.tokens)

    found = long.shrunk(lambda asked: ["H" in one.literal for one in asked])

    assert Render(QUESTION.template, Conversation(({"role": "user", "content": "H"},)), QUESTION.tokens) == found
    assert found.order < long.order


def test_its_command_asks_for_the_very_conversation() -> None:
    """Whatever stands in it, a shell passes it on."""
    told = Render(QUESTION.template, Conversation(({"role": "user", "content": "it's"},))).command("m", "llama.cpp")

    assert told.startswith("printf '%s\\n' '{\"messages\"")
    assert told.endswith(" | tokparity chat m - --engine llama.cpp --template tools")
