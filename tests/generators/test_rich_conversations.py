"""The conversations that templates are compared with have what programs trim, escape and rewrite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from tokparity.chat.renderer import Renderer
from tokparity.generators.conversations import COUNT, conversations
from tokparity.outcome import Rendering
from tokparity.questions.render import Conversation, Render, Template

SIGNS = ("ß", "🙂", "/", '"', "'", "<", "&", "\r\n")

PLACES = """{%- for message in messages %}
{%- if message.role == 'system' %}{{ 's' + message.content }}
{%- elif message.role == 'user' %}{{ 'u' + message.content }}
{%- elif message.role == 'tool' %}{{ 't' + message.content | string }}
{%- elif message.tool_calls and loop.last %}{{ 'l' + message.content }}
{%- elif message.tool_calls %}{{ 'c' + message.content }}
{%- elif loop.last %}{{ 'e' + message.content }}
{%- elif loop.first %}{{ 'f' + message.content }}
{%- else %}{{ 'a' + message.content }}
{%- endif %}|
{%- endfor %}"""
"""A template that writes the content of each speaker in a place of its own."""

TRIMS = ("trim", "replace('\\r\\n', '\\n')", "escape", "replace('/', '')")


def who(message: Mapping[str, Any]) -> str:
    """The role of a message, and whether it calls."""
    return f"{message['role']}{' calls' if 'tool_calls' in message else ''}"


def contents(given: Conversation) -> Iterator[tuple[str, str]]:
    """Each text of a conversation, with the place where it stands."""
    for message in given.messages:
        if isinstance(text := message.get("content"), str):
            yield who(message), text
        for part in text if isinstance(text, list) else ():
            yield "part", part.get("text", "")
        for call in message.get("tool_calls", ()):
            said = call["function"]["arguments"]
            yield "arguments", str(said["town"] if isinstance(said, dict) else said)
    for tool in given.tools or ():
        yield "tool's description", tool["function"].get("description", "")


def test_every_place_has_white_space_and_signs() -> None:
    """White space of both kinds at both ends, and each sign."""
    told: dict[str, list[str]] = {}
    for given in conversations({}):
        for place, text in contents(given):
            told.setdefault(place, []).append(text)

    roles = {"system", "user", "assistant", "assistant calls", "tool"}
    assert roles | {"part", "arguments", "tool's description"} == set(told)
    for place, texts in told.items():
        for space in " \n":
            assert any(text.startswith(space) and text.strip() for text in texts), place
            assert any(text.endswith(space) and text.strip() for text in texts), place
        assert [] == [sign for sign in SIGNS if not any(sign in text for text in texts)], place


def test_words_of_a_template_have_them_too() -> None:
    """A role, a variable and a field that a template asks for stand beside such texts."""
    words = {"strings": ["ipython"], "variables": ["enable_thinking"], "fields": ["reasoning"]}
    told = [one for one in conversations(words) if one.spelled.count("\\u00df")]
    has: list[Callable[[Conversation], bool]] = [
        lambda one: "enable_thinking" in one.extra and one.tools is None,
        lambda one: "enable_thinking" in one.extra and one.tools is not None,
        lambda one: any("reasoning" in message for message in one.messages),
    ]
    assert any(m["role"] == "ipython" and m["content"].startswith(" ") for one in told for m in one.messages)
    assert [True] * 3 == [any(map(holds, told)) for holds in has]


def test_plain_conversations_stay() -> None:
    """A fault that shows without signs is shown without signs, and there are no more conversations than before."""
    given = conversations({})
    assert COUNT == len(given)
    plain = [one for one in given[:150] if not one.spelled.count("\\u00df")]
    assert 70 <= len(plain)
    assert {"system", "user", "assistant", "assistant calls", "tool"} == {who(m) for one in plain for m in one.messages}


@pytest.mark.parametrize("how", TRIMS)
def test_what_changes_the_content_of_one_place_shows(how: str) -> None:
    """In every place of a template, whoever speaks there."""
    with Renderer() as reference:
        given = conversations(reference.words(PLACES))
        right = reference.render([Render(Template(PLACES), one) for one in given])
        assert any(isinstance(one, Rendering) for one in right)
        for letter in "sutlcefa":
            text = PLACES.replace(f"'{letter}' + message.content", f"'{letter}' + message.content | string | {how}")
            assert text != PLACES
            other = reference.render([Render(Template(text), one) for one in given])
            shown = [one != its for one, its in zip(right, other, strict=True) if isinstance(one, Rendering)]
            assert any(shown), letter
