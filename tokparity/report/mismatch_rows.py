"""Reads the mismatches of a report as rows of a table, without making objects of them.

We write these lines ourselves, with names that stand nowhere else in them, and a quote inside a text always has a
backslash before it. So `, "engine": ` can occur only once, and a line is cut there. A line that is spelled
otherwise, or in another order, is parsed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from tokparity.outcome import Rendering
from tokparity.questions.conversation import FIELDS, Conversation
from tokparity.questions.json_text import literal

Row = tuple[str, str, str, str, str, bool, bool, str, str, int, str, str, str, str, str, str, str, str]

COLUMNS = {
    "model": "category",
    "engine": "category",
    "oracle": "category",
    "question": "category",
    "origin": "object",
    "add_special": "bool",
    "parse_special": "bool",
    "text": "object",
    "aspect": "category",
    "place": "int64",
    "expected_ids": "object",
    "actual_ids": "object",
    "expected_pieces": "object",
    "actual_pieces": "object",
    "expected_text": "object",
    "actual_text": "object",
    "failure": "category",
    "message": "object",
}
"""The columns in order, with their dtypes."""

_BEGINS = '{"type": "mismatch", "case": {"kind": "encode", "text": '
_ASKED_AS_WELL = (', "after": ', ', "beside": ')
_IDS = '{"ids": '
_NO_TEXT = ', "decoded": null}'
_FLAGS = {
    f'{str(add).lower()}, "parse_special": {str(parse).lower()}': (add, parse)
    for add in (True, False)
    for parse in (True, False)
}


def rows(lines: Iterable[bytes]) -> Iterator[Row]:
    """The rows; what is not a name and no number is a JSON literal, or "" where there is none."""
    for line in lines:
        text = line.decode("utf-8")
        yield _cut(text) or _parsed(text)


def _cut(text: str) -> Row | None:
    """The row made of values as they are spelled; None where the line is spelled in another way."""
    case, _, rest = text.partition(', "model": ')
    who, _, rest = rest.partition(', "expected": ')
    expected, _, rest = rest.partition(', "actual": ')
    actual, _, rest = rest.partition(', "first_difference": "')
    difference, _, rest = rest.partition('", "expected_pieces": ')
    pieces, _, actual_pieces = rest.partition(', "actual_pieces": ')
    asked, _, how = case.partition(', "add_special": ')
    flags, _, origin = how.partition(', "origin": "')
    # Where a name is missing, nothing is left for the last one; what was asked as well stands behind it.
    if not actual_pieces or any(name in actual_pieces for name in _ASKED_AS_WELL):
        return None
    if flags not in _FLAGS or not asked.startswith(_BEGINS) or "\\" in origin:
        return None
    add, parse = _FLAGS[flags]
    aspect, place = _difference(difference)
    expected_ids, expected_text, _, _ = _outcome(expected)
    ids, decoded, failure, message = _outcome(actual)
    return (
        *_named(who), "encode", origin[:-2], add, parse, asked[len(_BEGINS) :], aspect, place,
        expected_ids, ids, pieces, actual_pieces[:-1], expected_text, decoded, failure, message,
    )  # fmt: skip


@cache
def _named(who: str) -> tuple[str, str, str]:
    """Model, engine and oracle."""
    named = json.loads(f'{{"model": {who}}}')
    return named["model"], named["engine"], named["oracle"]


@cache
def _difference(difference: str) -> tuple[str, int]:
    """What differs, and where; -1 where one failed."""
    aspect, _, place = difference.partition(":")
    return aspect, int(place) if place.isdigit() else -1


def _outcome(outcome: str) -> tuple[str, str, str, str]:
    """Ids, decoded text, failure and its message."""
    if outcome.startswith(_IDS):
        if outcome.endswith(_NO_TEXT):
            return outcome[len(_IDS) : -len(_NO_TEXT)], "", "", ""
        ids, found, decoded = outcome.partition(', "decoded": ')
        if found:
            return ids[len(_IDS) :], decoded[:-1], "", ""
    return _spelled(json.loads(outcome))


def _spelled(outcome: dict[str, Any]) -> tuple[str, str, str, str]:
    ids, decoded = outcome.get("ids"), outcome.get("decoded", outcome.get("deltas"))
    if "prompt" in outcome:
        decoded = Rendering(outcome["prompt"], outcome["raised"]).decoded
    return (
        "" if ids is None else literal(ids),
        "" if decoded is None else literal(decoded),
        outcome.get("failure", ""),
        outcome.get("message", ""),
    )


def _asked(case: dict[str, Any]) -> Any:
    """The text, the conversation, or the ids; with those of a prompt where there is one."""
    if case.get("prefill"):
        return {"prefill": case["prefill"], "ids": case["ids"]}
    if "messages" in case:
        return Conversation.from_json({name: case[name] for name in FIELDS if name in case}).to_json()
    return case["text"] if "text" in case else case["ids"]


def _parsed(text: str) -> Row:
    """The row of a line that is spelled in another way, or that holds ids to be decoded."""
    record = json.loads(text)
    case = record["case"]
    aspect, place = _difference(record["first_difference"])
    expected, actual = _spelled(record["expected"]), _spelled(record["actual"])
    return (
        record["model"], record["engine"], record["oracle"], case.get("kind", "encode"), case["origin"],
        case.get("add_special", False), case.get("parse_special", False),
        literal(_asked(case)), aspect, place, expected[0], actual[0],
        literal(record["expected_pieces"]), literal(record["actual_pieces"]), expected[1], actual[1], actual[2],
        actual[3],
    )  # fmt: skip
