"""The published schema of the exec protocol and what is enforced are the same: messages are derived from the schema."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tokparity.engines.answers import UnsupportedError, WrongAnswerError
from tokparity.engines.reply import decoded_of, deltas_of, ids_of, rendering_of, reply_of, spans_of

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "exec-protocol.schema.json").read_text(encoding="utf-8"))
OTHERS: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.0, 1.5, "", "YQ==", [], {}, [None], [[]], {"x": 1})
"""One or more values of each type; strings that are also base64."""


def _is_integer(_: object, value: object) -> bool:
    return type(value) is int


_TYPES = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
VALIDATOR = jsonschema.validators.extend(jsonschema.Draft202012Validator, type_checker=_TYPES)(SCHEMA)


def values(schema: dict[str, Any]) -> Iterator[Any]:
    """Values around a part of the schema: such as fit it, and such as do not by a little."""
    if "$ref" in schema:
        yield from values(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    for part in schema.get("oneOf", ()):
        yield from values(part)
    yield from (schema[key] + step for key in ("minimum", "maximum", "const") if key in schema for step in (-1, 0, 1))
    if "items" in schema:
        for value in values(schema["items"]):
            yield from ([value], [value, value])
        yield [False, True]
    known = schema.get("properties", {})
    for name, part in known.items():
        whole = {name: next(iter(values(known[name]))) for name in schema.get("required", ())}
        for value in values(part):
            yield from ({**whole, name: value}, {**whole, name: value, "unknown": value})
    yield from OTHERS


def accepted(message: dict[str, Any]) -> bool:
    """Whether the reply is taken, with everything in it."""
    try:
        reply = reply_of(json.dumps(message).encode(), 1)
        ids_of(reply.get("ids", []))
        for text in reply.get("texts", []):
            decoded_of(text)
        for deltas in reply.get("deltas", []):
            list(deltas_of(deltas))
        for spans in reply.get("spans", []):
            spans_of(spans)
        for prompt in reply.get("prompts", []):
            with contextlib.suppress(UnsupportedError):
                rendering_of(prompt)
    except WrongAnswerError as error:
        return str(error).startswith("the adapter says: ")
    return True


def test_what_is_enforced_is_the_published_schema() -> None:
    """Each value of each key of a reply is taken if, and only if, the schema takes it."""
    verdicts: dict[bool, int] = {True: 0, False: 0}
    for key, part in SCHEMA["$defs"]["reply"]["properties"].items():
        for value in values(part):
            message = {"id": 1, key: value}
            if key == "id" and type(value) is int and value != 1:
                continue  # a reply to another request, which the schema cannot tell
            expected = VALIDATOR.is_valid(message)
            assert expected == accepted(message), message
            verdicts[expected] += 1
    assert min(verdicts.values()) > 50, verdicts


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"id": 1, "ids": [[1, true]]}', "returned bool True as an id"),
        (b'{"id": 1, "ids": [[1.0]]}', "returned float 1.0 as an id"),
        (b'{"id": 1.0, "ids": [[1]]}', "replied to request 1.0, but 1 was asked"),
        (b'{"id": true, "ids": [[1]]}', "replied to request True, but 1 was asked"),
        (b'{"id": 1, "ids": [[1]], "ids": [[2]]}', "has the key 'ids' twice in one object; write each key once"),
        (b'{"id": 1, "ids": [{"error": "a", "error": "b"}]}', "has the key 'error' twice in one object"),
        (b'{"id": 1, "vocabulary_size": true}', "'vocabulary_size' of the adapter's reply is True, not a whole number"),
        (b'{"id": 1, "vocabulary_size": -5}', "is -5, not a whole number above 0"),
        (b'{"id": 1, "protocol": 2}', "'protocol' of the adapter's reply is 2, not the number 1"),
        (b'{"id": 1, "version": NaN}', "is not JSON"),
        (b'{"id": 1, "capabilities": {"general": true}}', "capability 'general' is unknown"),
        (b'{"id": 1, "capabilities": {"add_special": [true, true]}}', "capability 'add_special' is [True, True]"),
    ],
)
def test_a_wrong_reply_says_what_to_mend(line: bytes, words: str) -> None:
    """Each wrong type is named with its value."""
    with pytest.raises(WrongAnswerError) as raised:
        ids_of(reply_of(line, 1).get("ids", []))
    assert words in str(raised.value)
