"""The question of what prompt a chat template makes of a conversation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tokparity.errors import FormatError
from tokparity.questions.json_text import literal, strict
from tokparity.questions.shrink import Attempts, shorten, shrink_text

MOST_TEMPLATE = 1 << 18
"""Bytes of a template that is rendered; the longest of public models has a tenth of that."""

MOST_CONVERSATION = 1 << 20
"""Bytes of a conversation, spelled as JSON."""

_ATTEMPTS = 400
"""Attempts at one step of shrinking."""

_KEPT = ("role", "content")
"""Fields of a message that a smaller conversation has as well."""

_LISTS = ("messages", "tools", "documents")
_NAMES = (*_LISTS, "add_generation_prompt", "extra")

Message = Mapping[str, Any]
Check = Callable[[Sequence["Conversation"]], Sequence[bool]]


@dataclass(frozen=True, slots=True)
class Template:
    """The text of a chat template, in Jinja's language, and the name of the file that holds it."""

    text: str
    source: str = ""


@dataclass(frozen=True)
class Conversation:
    """The input of a chat template; `tools` and `documents` that are None are not passed.

    `extra` are other variables of the template, such as enable_thinking.
    """

    messages: tuple[Message, ...]
    tools: tuple[Any, ...] | None = None
    documents: tuple[Any, ...] | None = None
    add_generation_prompt: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The conversation as a JSON object, without what is not there."""
        said: dict[str, Any] = {"messages": list(self.messages)}
        said |= {name: list(found) for name in _LISTS[1:] if (found := getattr(self, name)) is not None}
        if self.add_generation_prompt:
            said["add_generation_prompt"] = True
        return said | ({"extra": dict(self.extra)} if self.extra else {})

    @classmethod
    def from_json(cls, value: object) -> Conversation:
        """The conversation in a JSON value: an object, or the list of its messages alone; FormatError if it is none."""
        said = {"messages": value} if isinstance(value, list) else value
        if not isinstance(said, dict) or "messages" not in said:
            raise FormatError(
                f"{literal(value)[:60]} is not a conversation", 'write {"messages": [...]}, or the messages'
            )
        if unknown := [name for name in said if name not in _NAMES]:
            raise FormatError(f"a conversation has no {literal(unknown[0])[:60]}", f"it may have {', '.join(_NAMES)}")
        lists = {name: _listed(name, said.get(name)) for name in _LISTS}
        messages = lists.pop("messages") or ()
        if wrong := [message for message in messages if not isinstance(message, dict)]:
            raise FormatError(f"{literal(wrong[0])[:60]} is not a message", 'write {"role": "user", "content": "..."}')
        adds, extra = said.get("add_generation_prompt", False), said.get("extra", {})
        if not isinstance(adds, bool) or not isinstance(extra, dict):
            raise FormatError(
                f"add_generation_prompt is {literal(adds)[:40]} and extra is {literal(extra)[:40]}",
                "write true or false for the first, and an object for the second",
            )
        found = cls(messages, **lists, add_generation_prompt=adds, extra=extra)
        if len(found.spelled) > MOST_CONVERSATION:
            message = f"a conversation of {len(found.spelled)} bytes is too long"
            raise FormatError(message, f"give at most {MOST_CONVERSATION} bytes")
        return found

    @property
    def spelled(self) -> str:
        """It as JSON on one line, for programs."""
        return json.dumps(self.to_json())

    @property
    def literal(self) -> str:
        """It as JSON on one line, for readers."""
        return literal(self.to_json())

    def shrunk(self, check: Check) -> Conversation:
        """The conversation with the fewest messages, then fields, then characters for which `check` holds, as here."""
        found = self
        for name in _LISTS:
            found = _fewer(found, name, check)
        found = _with_fewer_fields(found, check)
        for i, message in enumerate(found.messages):
            if isinstance(text := message.get("content"), str) and text:
                found = _shorter(found, i, text, check)
        return found


@dataclass(frozen=True)
class Render:
    """A template and a conversation; `tokens` are the variables for special tokens, such as bos_token."""

    template: Template
    conversation: Conversation
    tokens: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The question as a JSON object: the template, the tokens, and what the conversation has."""
        return {"template": self.template.text, "tokens": dict(self.tokens), **self.conversation.to_json()}

    def packed(self) -> bytes:
        """The question as JSON, as it is sent to the process of a renderer."""
        return json.dumps(self.to_json()).encode()


def unpacked(packed: bytes) -> Render:
    """The question that `Render.packed` made."""
    said = strict(packed)
    template, tokens = said.pop("template"), said.pop("tokens")
    return Render(Template(template), Conversation.from_json(said), tokens)


def _listed(name: str, value: object) -> tuple[Any, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise FormatError(f"a conversation's {name} are {literal(value)[:60]}, not a list", "write a list")
    return tuple(value)


def _fewer(given: Conversation, name: str, check: Check) -> Conversation:
    """The conversation with as few entries in one of its lists as show the same."""
    entries = getattr(given, name)
    if not entries:
        return given

    def made(row: Sequence[str]) -> Conversation:
        left = tuple(map(json.loads, row))
        changes: dict[str, Any] = {name: left or (() if name == "messages" else None)}
        return replace(given, **changes)

    attempts = Attempts[str](lambda rows: check([made(row) for row in rows]), _ATTEMPTS)
    return made(shorten(tuple(map(json.dumps, entries)), attempts))


def _with_fewer_fields(given: Conversation, check: Check) -> Conversation:
    """The conversation without the fields of messages, and the variables, that do not matter."""
    own = [(i, key) for i, message in enumerate(given.messages) for key in message if key not in _KEPT]
    more = [(-1, key) for key in given.extra] + [(-2, "")] * given.add_generation_prompt

    def made(row: Sequence[tuple[int, str]]) -> Conversation:
        kept = set(row)
        messages = tuple(
            {key: value for key, value in message.items() if key in _KEPT or (i, key) in kept}
            for i, message in enumerate(given.messages)
        )
        extra = {key: value for key, value in given.extra.items() if (-1, key) in kept}
        return replace(given, messages=messages, extra=extra, add_generation_prompt=(-2, "") in kept)

    attempts = Attempts[tuple[int, str]](lambda rows: check([made(row) for row in rows]), _ATTEMPTS)
    return made(shorten((*own, *more), attempts))


def _shorter(given: Conversation, i: int, text: str, check: Check) -> Conversation:
    """The conversation with the shortest and plainest content of one message."""

    def made(content: bytes) -> Conversation:
        message = {**given.messages[i], "content": content.decode("utf-8", "surrogatepass")}
        return replace(given, messages=(*given.messages[:i], message, *given.messages[i + 1 :]))

    def checked(texts: Sequence[bytes]) -> Sequence[bool]:
        return check([made(one) for one in texts])

    return made(shrink_text(text.encode("utf-8", "surrogatepass"), checked, _ATTEMPTS))
