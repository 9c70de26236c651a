"""The question of what prompt a chat template makes of a conversation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from tokparity.errors import FormatError
from tokparity.questions.conversation import ATTEMPTS, FIELDS
from tokparity.questions.conversation import MOST_CONVERSATION as MOST_CONVERSATION
from tokparity.questions.conversation import Conversation as Conversation
from tokparity.questions.json_text import as_bytes, literal, strict
from tokparity.questions.shell import quote
from tokparity.questions.shrink import MOST

MOST_TEMPLATE = 1 << 18
"""Bytes of a template that is rendered; the longest of public models has a tenth of that."""


@dataclass(frozen=True, slots=True)
class Template:
    """The text of a chat template, in Jinja's language, and the name of the file that holds it.

    `name` is that of the template where a model has several; its usual one has none.
    """

    text: str
    source: str = ""
    name: str = ""


@dataclass(frozen=True)
class Render:
    """A template and a conversation; `tokens` are the variables for special tokens, such as bos_token."""

    KIND: ClassVar = "render"

    template: Template
    conversation: Conversation
    tokens: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.template, self.conversation, frozenset(self.tokens.items())))

    @property
    def alike(self) -> tuple[object, ...]:
        """Questions that can be put together have this in common."""
        return (self.KIND,)

    @property
    def size(self) -> int:
        """The bytes of the conversation; many have one template."""
        return len(self.conversation.spelled)

    @property
    def order(self) -> tuple[Any, ...]:
        """Behind all other questions, the shortest conversation first, then the shortest template."""
        told = self.conversation.spelled
        return 4, len(told), len(self.template.text), told, self.template.text, sorted(self.tokens.items())

    @property
    def literal(self) -> str:
        """The conversation as JSON on one line."""
        return self.conversation.literal

    @property
    def shown(self) -> bytes:
        """What a reader is shown of it."""
        return self.literal.encode()

    @property
    def remarks(self) -> Iterator[str]:
        """In words, what is asked beside the conversation."""
        yield "a conversation to be made a prompt"
        if self.template.name:
            yield f"the chat template {literal(self.template.name)}"

    def shrunk(self, check: Callable[[Sequence[Render]], Sequence[bool]], most: int = MOST) -> Render:
        """The question with the smallest conversation for which `check` holds, as it does for this one."""
        return self.fewer(check, most)

    def fewer(self, check: Callable[[Sequence[Render]], Sequence[bool]], most: int = MOST) -> Render:
        """The same; there are no flags. One message stays, for templates need not expect none."""

        def checked(given: Sequence[Conversation]) -> Sequence[bool]:
            asked = [replace(self, conversation=one) for one in given if one.messages or not self.conversation.messages]
            held = dict(zip(asked, check(asked), strict=False)) if asked else {}
            return [held.get(replace(self, conversation=one), False) for one in given]

        return replace(self, conversation=self.conversation.shrunk(checked, min(most, ATTEMPTS)))

    def command(self, model: str, engine: str) -> str:
        """A command for a POSIX shell that shows an engine's prompt of this conversation beside the reference's.

        `model` and `engine` are words of that command already.
        """
        named = f" --template {quote(as_bytes(self.template.name))}" if self.template.name else ""
        told = quote(self.conversation.spelled.encode())
        return f"printf '%s\\n' {told} | tokparity chat {model} - --engine {engine}{named}"

    def to_json(self) -> dict[str, Any]:
        """The question as a JSON object: the template, the tokens, and what the conversation has."""
        named = {key: said for key in ("source", "name") if (said := getattr(self.template, key))}
        return {**self._asked(), **named}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Render:
        """The question that `to_json` wrote."""
        text, tokens, named = value["template"], value["tokens"], [value.get(key, "") for key in ("source", "name")]
        strings = [text, *named, *(tokens.values() if isinstance(tokens, dict) else (None,))]
        if not all(isinstance(one, str) for one in strings):
            raise FormatError(f"{literal(strings)[:60]} are not a template and special tokens", "run again")
        said = {key: value[key] for key in FIELDS if key in value}
        return cls(Template(text, *named), Conversation.from_json(said), tokens)

    def packed(self) -> bytes:
        """The question as JSON, as it is sent to the process of a renderer."""
        return json.dumps(self._asked()).encode()

    def _asked(self) -> dict[str, Any]:
        return {"template": self.template.text, "tokens": dict(self.tokens), **self.conversation.to_json()}


def unpacked(packed: bytes) -> Render:
    """The question that `Render.packed` made."""
    said = strict(packed)
    template, tokens = said.pop("template"), said.pop("tokens")
    return Render(Template(template), Conversation.from_json(said), tokens)
