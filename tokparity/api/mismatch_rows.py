"""A line of a report that holds a mismatch as a row of a table, without making an object of what it holds.

We write these lines ourselves, always with the same names in the same order, and a quote inside a text always has a
backslash before it. So what stands between two fields can occur nowhere else, and a line is cut where it does. A line
that is spelled otherwise is parsed.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

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

_ENCODE = '"kind": "encode", "text": '
_IDS = '"ids": '
_FLAGS = {
    f'{str(add).lower()}, "parse_special": {str(parse).lower()}': (add, parse)
    for add in (True, False)
    for parse in (True, False)
}


def row(line: bytes) -> Row:
    """The row; what is no name and no number is a JSON literal, or "" where there is none."""
    text = line.decode("utf-8")
    head, sep_0, rest = text.partition(', "case": {')
    case, sep_1, rest = rest.partition('}, "first_difference": "')
    difference, sep_2, rest = rest.partition('", "expected": {')
    expected, sep_3, rest = rest.partition('}, "actual": {')
    actual, sep_4, rest = rest.partition('}, "expected_pieces": ')
    pieces, sep_5, actual_pieces = rest.partition(', "actual_pieces": ')
    if not (sep_0 and sep_1 and sep_2 and sep_3 and sep_4 and sep_5 and case.startswith(_ENCODE)):
        return _parsed(text)
    model, engine, oracle = _head(head)
    asked, sep_6, rest = case[len(_ENCODE) :].partition(', "add_special": ')
    flags, _, origin = rest.partition(', "origin": "')
    if not sep_6 or flags not in _FLAGS or "\\" in origin or not actual_pieces.endswith("]}"):
        return _parsed(text)
    add, parse = _FLAGS[flags]
    aspect, place = _difference(difference)
    expected_ids, expected_text, _, _ = _outcome(expected)
    ids, decoded, failure, message = _outcome(actual)
    return (
        model, engine, oracle, "encode", origin[:-1], add, parse, asked, aspect, place,
        expected_ids, ids, pieces, actual_pieces[:-1], expected_text, decoded, failure, message,
    )  # fmt: skip


@cache
def _head(head: str) -> tuple[str, str, str]:
    """Model, engine and oracle: the same few again and again."""
    named = json.loads(head + "}")
    return named["model"], named["engine"], named["oracle"]


@cache
def _difference(difference: str) -> tuple[str, int]:
    """What differs, and where; -1 where one failed."""
    aspect, _, place = difference.partition(":")
    return aspect, int(place) if place.isdigit() else -1


def _outcome(outcome: str) -> tuple[str, str, str, str]:
    """Ids, decoded text, failure and its message."""
    if outcome.startswith(_IDS):
        ids, found, decoded = outcome.partition(', "decoded": ')
        if found:
            return ids[len(_IDS) :], "" if decoded == "null" else decoded, "", ""
    return _spelled(json.loads("{" + outcome + "}"))


def _spelled(outcome: dict[str, Any]) -> tuple[str, str, str, str]:
    ids, decoded = outcome.get("ids"), outcome.get("decoded")
    return (
        "" if ids is None else literal(ids),
        "" if decoded is None else literal(decoded),
        outcome.get("failure", ""),
        outcome.get("message", ""),
    )


def _parsed(text: str) -> Row:
    """The row of a line that is spelled in another way, or that holds ids to be decoded."""
    record = json.loads(text)
    case = record["case"]
    aspect, place = _difference(record["first_difference"])
    expected, actual = _spelled(record["expected"]), _spelled(record["actual"])
    return (
        record["model"], record["engine"], record["oracle"], case.get("kind", "encode"), case["origin"],
        case.get("add_special", False), case.get("parse_special", False),
        literal(case["text"] if "text" in case else case["ids"]), aspect, place, expected[0], actual[0],
        literal(record["expected_pieces"]), literal(record["actual_pieces"]), expected[1], actual[1], actual[2],
        actual[3],
    )  # fmt: skip
