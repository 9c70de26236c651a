"""A conversation, as a chat template is given one, and how it is made smaller."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tokparity.errors import FormatError
from tokparity.questions.json_text import literal
from tokparity.questions.shrink import Attempts, shorten, shrink_text

MOST_CONVERSATION = 1 << 20
"""Bytes of a conversation, spelled as JSON."""

ATTEMPTS = 400
"""Attempts at one step of shrinking."""

_KEPT = ("role", "content")
"""Fields of a message that a smaller conversation has as well."""

_LISTS = ("messages", "tools", "documents")
FIELDS = (*_LISTS, "add_generation_prompt", "extra")

Message = Mapping[str, Any]
Check = Callable[[Sequence["Conversation"]], Sequence[bool]]


@dataclass(frozen=True, eq=False)
class Conversation:
    """The input of a chat template; `tools` and `documents` that are None are not passed.

    `extra` are other variables of the template, such as enable_thinking. Two are equal that are spelled alike: a
    template may write the order of keys.
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
        if unknown := [name for name in said if name not in FIELDS]:
            raise FormatError(f"a conversation has no {literal(unknown[0])[:60]}", f"it may have {', '.join(FIELDS)}")
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Conversation) and self.spelled == other.spelled

    def __hash__(self) -> int:
        return hash(self.spelled)

    @cached_property
    def spelled(self) -> str:
        """It as JSON on one line, for programs."""
        return json.dumps(self.to_json())

    @property
    def literal(self) -> str:
        """It as JSON on one line, for readers."""
        return literal(self.to_json())

    def shrunk(self, check: Check, most: int = ATTEMPTS) -> Conversation:
        """The conversation with the fewest messages, then fields, then characters for which `check` holds, as here.

        Each step makes `most` attempts.
        """
        found = self
        for name in _LISTS:
            found = _fewer(found, name, check, most)
        found = _with_fewer_fields(found, check, most)
        for i, message in enumerate(found.messages):
            if isinstance(text := message.get("content"), str) and text:
                found = _shorter(found, i, text, check, most)
        return found


def _listed(name: str, value: object) -> tuple[Any, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise FormatError(f"a conversation's {name} are {literal(value)[:60]}, not a list", "write a list")
    return tuple(value)


def _fewer(given: Conversation, name: str, check: Check, most: int) -> Conversation:
    """The conversation with as few entries in one of its lists as show the same."""
    entries = getattr(given, name)
    if not entries:
        return given

    def made(row: Sequence[str]) -> Conversation:
        left = tuple(map(json.loads, row))
        changes: dict[str, Any] = {name: left or (() if name == "messages" else None)}
        return replace(given, **changes)

    attempts = Attempts[str](lambda rows: check([made(row) for row in rows]), most)
    return made(shorten(tuple(map(json.dumps, entries)), attempts))


def _with_fewer_fields(given: Conversation, check: Check, most: int) -> Conversation:
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

    attempts = Attempts[tuple[int, str]](lambda rows: check([made(row) for row in rows]), most)
    return made(shorten((*own, *more), attempts))


def _shorter(given: Conversation, i: int, text: str, check: Check, most: int) -> Conversation:
    """The conversation with the shortest and plainest content of one message."""

    def made(content: bytes) -> Conversation:
        message = {**given.messages[i], "content": content.decode("utf-8", "surrogatepass")}
        return replace(given, messages=(*given.messages[:i], message, *given.messages[i + 1 :]))

    def checked(texts: Sequence[bytes]) -> Sequence[bool]:
        return check([made(one) for one in texts])

    return made(shrink_text(text.encode("utf-8", "surrogatepass"), checked, most))
