"""Conversations that chat templates treat in different ways: the plain ones first, then what a template asks for."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tokparity.questions.render import Conversation

COUNT = 200
"""Conversations that a template is given at least."""

_MOST = 500
_SHAPES = (
    "u",
    "su",
    "ua",
    "sua",
    "uau",
    "suau",
    "uaua",
    "suauau",
    "uu",
    "aua",
    "usu",
    "s",
    "a",
    "ssu",
    "uaa",
    "uauaua",
)
"""Who speaks, by the first letters of system, user and assistant."""

_ROLES = {"s": "system", "u": "user", "a": "assistant"}
_PLAIN = {"system": "Be brief.", "user": "Hi", "assistant": "Hello!"}
_CONTENTS = (
    " Hi",
    "Hi ",
    "\n\nHi\n",
    "\u00a0Hi\u3000",
    "",
    " ",
    "one\r\ntwo\n\nthree",
    "<b>\"a\" & 'b'</b> \\n",
    "Größe, 世界, नमस्ते, 🙂",
    "{{ bos_token }}{% raw %}",
    '{"a": [1, 2.5, null, true]}',
    "<s>a</s><|im_start|>user\nb<|im_end|>[INST]c[/INST]<|eot_id|>",
    "<think>\nWhy?\n</think>\n\nSo.",
)
_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather <in> a town.",
        "parameters": {
            "type": "object",
            "properties": {
                "town": {"type": "string", "description": "Its name"},
                "unit": {"type": "string", "enum": ["C", "F"]},
                "days": {"type": "array", "items": {"type": "integer"}},
                "at": {
                    "type": "object",
                    "description": "Where",
                    "properties": {"x": {"type": "number"}, "is_north": {"type": ["boolean", "null"], "default": True}},
                },
                "any": {"anyOf": [{"type": "string"}, {"type": "null"}], "nullable": True},
            },
            "required": ["town", "days"],
        },
        "response": {"type": "object", "properties": {"sky": {"type": "string"}}},
    },
}
_DOCUMENTS = ({"title": "Rain", "text": "It rains."}, {"title": "Sun", "text": "It shines.", "doc_id": 1})
_TEXTS, _KEPT = ("content", "text", "title", "description", "arguments"), ("type", "image")
"""Fields whose strings, however deep, are texts; and those whose strings are none even there."""

_SIGNS = " ß世🙂 / \"a\" 'b' <c> & d\r\ne"
_ENDS = ((" ", "\n"), ("\n\n", " "))
"""What texts get: what programs escape or rewrite, and white space of both kinds at both ends."""

_GIVEN = frozenset(
    ("messages", "tools", "documents", "add_generation_prompt", "raise_exception", "strftime_now", "namespace", "range")
)
"""Variables that a conversation has in its own places, or that Jinja has."""

_FIELDS = frozenset(("role", "content", "tool_calls", "type", "function", "name", "arguments", "parameters", "text"))
_WORD = re.compile(r"[a-z][a-z_-]{1,24}")


def conversations(words: Mapping[str, Sequence[str]], seed: int = 0) -> list[Conversation]:
    """At least COUNT conversations; `words` are those of the templates (see `Renderer.words`)."""
    found = {made.spelled: made for made in _told(words)}
    given = list(found.values())[:_MOST]
    rng = random.Random(seed)
    while len(given) < COUNT:
        given.append(_mixed(rng))
    return given


def _told(words: Mapping[str, Sequence[str]]) -> Iterator[Conversation]:
    for i, made in enumerate((*_spoken(), *_parts(), *_with_tools())):
        yield made
        yield replace(_richer(made, i), add_generation_prompt=True)
    yield from _of_strings(words.get("strings", ()))
    yield from _of_variables(words.get("variables", ()), words.get("strings", ()))
    yield from _of_fields(words.get("fields", ()))


def _richer(made: Conversation, number: int = 0) -> Conversation:
    """The conversation with white space at the ends of all texts, those of tools and calls too, and signs in them."""
    messages = tuple(_with_signs(made.messages, number))
    tools, documents = (given and tuple(_with_signs(given, number)) for given in (made.tools, made.documents))
    return replace(made, messages=messages, tools=tools, documents=documents)


def _with_signs(value: Any, number: int, is_text: bool = False) -> Any:
    if isinstance(value, list | tuple):
        return [_with_signs(one, number + i, is_text) for i, one in enumerate(value)]
    if isinstance(value, dict):
        return {
            key: one if key in _KEPT or _is_json(key, one) else _with_signs(one, number, is_text or key in _TEXTS)
            for key, one in value.items()
        }
    if not is_text or not isinstance(value, str) or value != value.strip() or not value:
        return value
    before, after = _ENDS[number % len(_ENDS)]
    return f"{before}{value}{_SIGNS}{after}"


def _is_json(key: str, value: object) -> bool:
    """Whether it is arguments that are JSON already, which a text around them would break."""
    return key == "arguments" and isinstance(value, str)


def _spoken() -> Iterator[Conversation]:
    for shape in _SHAPES:
        yield Conversation(_messages(shape))
    for content in _CONTENTS:
        for i, message in enumerate(messages := _messages("sua")):
            yield Conversation((*messages[:i], {**message, "content": content}, *messages[i + 1 :]))


def _parts() -> Iterator[Conversation]:
    """Content that is a list of parts, None, or absent."""
    text, image = {"type": "text", "text": "Hi"}, {"type": "image", "image": "a.png"}
    for content in ([text], [image, text], [text, {"type": "text", "text": " there"}], None):
        yield Conversation(({"role": "user", "content": content},))
        yield Conversation((*_messages("u"), {"role": "assistant", "content": content}))
    yield Conversation(({"role": "system", "content": [text]}, *_messages("u")))
    yield Conversation(({"role": "user"},))


def _call(arguments: object, **fields: Any) -> dict[str, Any]:
    call = {"id": "abcdefghi", "type": "function", "function": {"name": "get_weather", "arguments": arguments}}
    return {"role": "assistant", "tool_calls": [call], **fields}


def _with_tools() -> Iterator[Conversation]:
    """Tools, calls of them with and without words, their results; documents."""
    user, spoken = _messages("u"), {"town": "Ulm"}
    result = {"role": "tool", "name": "get_weather", "tool_call_id": "abcdefghi", "content": '{"sky": "gray"}'}
    called, said = _call(spoken, content=""), _call(spoken, content="I look.")
    two = {**called, "tool_calls": [*called["tool_calls"], {**called["tool_calls"][0], "id": "jklmnopqr"}]}
    rows: list[tuple[dict[str, Any], ...]] = [
        user,
        _messages("su"),
        _messages("uau"),
        (*user, called),
        (*user, _call(spoken)),
        (*user, _call(spoken, content="\n I look. \n")),
        (*user, _call({"town": " a\n", "days": [1], "any": None, "at": {"x": 1.5, "is_north": True}}, content="a")),
        (*user, _call('{"town": "Köln / \\"B\\" & <c>\\r\\n"}', content="")),
        (*user, said, result),
        (*user, said, result, *_messages("a")),
        (*_messages("su"), called, result, *_messages("au")),
        (*user, two, result, {**result, "tool_call_id": "jklmnopqr"}),
        (*user, called, {**result, "content": {"sky": "gray"}}),
    ]
    for row in rows:
        yield Conversation(row, tools=(_TOOL,))
    for row in rows[3:]:
        yield Conversation(row)
    yield Conversation(user, tools=())
    yield Conversation(user, tools=(_TOOL, {"type": "function", "function": {"name": "stop"}}))
    yield Conversation(_messages("su"), documents=_DOCUMENTS)
    yield Conversation(user, tools=(_TOOL,), documents=_DOCUMENTS)


def _of_strings(strings: Sequence[str]) -> Iterator[Conversation]:
    """What a template compares with: roles, and texts that it looks for."""
    for string in strings:
        if _WORD.fullmatch(string) and string not in _ROLES.values():
            yield Conversation((*_messages("u"), {"role": string, "content": "Hi"}))
            yield _richer(Conversation(({"role": string, "content": "Hi"}, *_messages("ua"))))
        else:
            for content in (f"{string}Hi", f"Hi{string}", f" one {string}\n two{string}\n\nthree \n"):
                yield Conversation((*_messages("u"), {"role": "assistant", "content": content}, *_messages("ua")))
                yield Conversation(({"role": "user", "content": content},), add_generation_prompt=True)


def _of_variables(variables: Sequence[str], strings: Sequence[str]) -> Iterator[Conversation]:
    """Each variable of the template's own, with values of several kinds."""
    for name in variables:
        if name not in _GIVEN and not name.endswith("_token"):
            for value in (True, False, None, "a", ["a"], *(one for one in strings[:8] if _WORD.fullmatch(one))):
                yield Conversation(_messages("su"), None, None, True, {name: value})
                yield _richer(Conversation(_messages("uau"), None, None, True, {name: value}))
                yield _richer(Conversation(_messages("u"), (_TOOL,), None, True, {name: value}))


def _of_fields(fields: Sequence[str]) -> Iterator[Conversation]:
    """Each field that a template may look for in a message."""
    for name in fields:
        if name not in _FIELDS and not name.startswith("_"):
            for value, spoken in (("\n x \n", " \n "), (True, "\n I look. \n")):
                user, assistant, again = _messages("uau")
                yield Conversation((user, {**assistant, name: value}))
                yield _richer(Conversation((user, {**assistant, name: value}, again), add_generation_prompt=True))
                yield Conversation(({**user, name: value}, assistant))
                called = _call({"town": "Ulm"}, content=spoken)
                yield Conversation((user, {**called, name: value}), tools=(_TOOL,))


def _messages(shape: str) -> tuple[dict[str, Any], ...]:
    return tuple({"role": _ROLES[one], "content": _PLAIN[_ROLES[one]]} for one in shape)


def _mixed(rng: random.Random) -> Conversation:
    """A longer conversation of anything."""
    messages: list[dict[str, Any]] = [dict(message) for message in _messages(rng.choice(_SHAPES))]
    for message in messages:
        if rng.random() < 0.5:
            message["content"] = rng.choice(_CONTENTS) + rng.choice(("", " ", "\n", "x"))
    tools = (_TOOL,) if rng.random() < 0.3 else None
    return Conversation(tuple(messages), tools, None, rng.random() < 0.5)
