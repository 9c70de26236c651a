"""Fields of a vectors file, read strictly: each is what it must be, or a FormatError that shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import replace
from typing import Any, TypeVar

from tokparity.engines.renderers import NOW
from tokparity.errors import FormatError
from tokparity.formats.json_fields import JsonFields, is_id
from tokparity.outcome import Place
from tokparity.questions import Decode, Encode
from tokparity.questions.json_text import from_json
from tokparity.questions.render import MOST_TEMPLATE, Conversation, Render, Template
from tokparity.quirks.former_names import current
from tokparity.vectors.model import Answer, Hashed, Returned, Right, RightPrompt, RightSpans, RightStream

NAME = re.compile(r"[a-z][a-z0-9_]{0,79}")
OF_TEMPLATE = {"template", "tokens", "now"}
"""What a group of conversations has beside its cases and faults."""
LINE = re.compile(r"[\x20-\x7e]{0,300}")
_HASH = re.compile(r"[0-9a-f]{8}")
_PLAIN = (Encode.KIND, Decode.KIND)

Item = TypeVar("Item")


def right_answer(fields: JsonFields, ask: str) -> Right | Hashed:
    """What is right of a question, or the hash of its answer."""
    if ask in _PLAIN:
        return hash_of(fields) or any_answer(fields, ask, may_refuse=False)
    right = fields.inner("answer")
    if right is None:
        raise fields.error("answer", "is not an object")
    if ask == "stream":
        keys(right, {"texts", "later"})
        texts = tuple(converted(right, "texts", from_json, one) for one in right.need("texts", list))
        later = ids(right, "later", right.data["later"])
        if len(later) != len(fields.data["ids"]):
            raise right.error("later", "does not have a number for each id")
        return RightStream(texts, later)
    if ask == "spans":
        keys(right, {"ids", "outer", "must"})
        size = len(fields.need("text", str))
        row, outer = ids(right, "ids", right.data["ids"]), _places(right, "outer", size)
        if len(outer) != len(row):
            raise right.error("outer", "does not have a pair for each id")
        return RightSpans(row, outer, _places(right, "must", size))
    if ask == "render" and right.data.get("raises") is True:
        keys(right, {"raises"})
        return RightPrompt(None)
    name = "prompt" if ask == "render" else "text"
    keys(right, {name, "ids"})
    text = converted(right, name, from_json, right.data[name])
    return (Returned if name == "text" else RightPrompt)(text, ids(right, "ids", right.data["ids"]))


def hash_of(fields: JsonFields) -> Hashed | None:
    """The hash of an answer, if it has one."""
    value = fields.data["answer"]
    if isinstance(value, dict) and value.keys() == {"fnv1a"}:
        return Hashed(matched(fields, "answer", value["fnv1a"], _HASH))
    return None


def any_answer(fields: JsonFields, ask: str, may_refuse: bool = True) -> Answer:
    """The answer to a plain question, or None to any."""
    value = fields.data["answer"]
    if value is None and may_refuse:
        return None
    if ask not in _PLAIN:
        raise fields.error("answer", "is no hash")
    return ids(fields, "answer", value) if ask == "encode" else converted(fields, "answer", from_json, value)


def without_conversation(fields: JsonFields) -> Render:
    """The template of a group, and its special tokens."""
    if fields.data["now"] != NOW.isoformat():
        raise fields.error("now", f"is not {NOW.isoformat()}, the time that every template reads")
    template, tokens = fields.need("template", str), fields.need("tokens", dict)
    if len(template) > MOST_TEMPLATE:
        raise fields.error("template", f"has more than {MOST_TEMPLATE} characters")
    if wrong := [name for name, token in tokens.items() if not (NAME.fullmatch(name) and isinstance(token, str))]:
        raise fields.error("tokens", f"has no text for {wrong[0]!a:.60}, or no such token can be")
    return Render(Template(template), Conversation(()), tokens)


def with_conversation(fields: JsonFields, asked: Render) -> Render:
    """The question of a case of that group."""
    given = fields.need("conversation", dict)
    return replace(asked, conversation=converted(fields, "conversation", Conversation.from_json, given))


def _places(fields: JsonFields, name: str, size: int) -> tuple[Place, ...]:
    """Pairs of the first character and the one behind the last, of as many characters."""
    pairs = [ids(fields, name, one) for one in fields.need(name, list)]
    if any(len(one) != 2 or not one[0] <= one[1] <= size for one in pairs):
        raise fields.error(name, "is not a list of pairs in the text, the beginning first")
    return tuple((one[0], one[1]) for one in pairs)


def ids(fields: JsonFields, name: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(map(is_id, value)):
        raise fields.error(name, "is not a list of ids")
    return tuple(value)


def names(fields: JsonFields, name: str) -> tuple[str, ...]:
    return tuple(current(matched(fields, name, one, NAME)) for one in fields.get(name, list, []))


def text_line(fields: JsonFields, name: str) -> str:
    """A line of printable ASCII."""
    return matched(fields, name, fields.need(name, str), LINE)


def matched(fields: JsonFields, name: str, value: object, pattern: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise fields.error(name, f"is {value!a:.60}, which is not allowed there")
    return value


def converted(fields: JsonFields, name: str, convert: Callable[[Any], Item], value: object) -> Item:
    try:
        return convert(value)
    except (FormatError, TypeError, ValueError, KeyError) as error:
        raise fields.error(name, f"is wrong: {error!s:.80}") from error


def items(fields: JsonFields, name: str) -> list[JsonFields]:
    """The objects of a list that must be there."""
    fields.need(name, list)
    return fields.list_of(name)


def keys(fields: JsonFields, required: Set[str], optional: Set[str] = frozenset()) -> None:
    if missing := sorted(required - fields.data.keys()):
        raise fields.error(missing[0], "is missing")
    if unknown := sorted(fields.data.keys() - required - optional):
        raise fields.error(ascii(unknown[0])[:60], "is not a known field")
