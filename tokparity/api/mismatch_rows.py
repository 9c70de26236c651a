"""Lines of a report that hold mismatches as rows of a table, without making an object of what they hold.

We write these lines ourselves, with names that stand nowhere else in them, and a quote inside a text always has a
backslash before it. So `, "engine": ` can occur only once, and a line is cut there. The order of the names is that of
the first line; a line that is spelled otherwise is parsed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from operator import itemgetter
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

_WHO = ("model", "engine", "oracle")
"""Names that stand beside each other, whose values are the same few again and again: they are cut as one."""

_NAMES = ("model", "case", "first_difference", "expected", "actual", "expected_pieces", "actual_pieces")
_ENCODE = '{"kind": "encode", "text": '
_IDS = '{"ids": '
_FLAGS = {
    f'{str(add).lower()}, "parse_special": {str(parse).lower()}': (add, parse)
    for add in (True, False)
    for parse in (True, False)
}


def rows(lines: Sequence[bytes]) -> Iterator[Row]:
    """The rows; what is no name and no number is a JSON literal, or "" where there is none."""
    order = list(json.loads(lines[0])) if lines else []
    names = [name for name in order if name in _NAMES]
    who = order.index("model") if "model" in order else 0
    if len(names) != len(_NAMES) or tuple(order[who : who + 3]) != _WHO:
        yield from (_parsed(line.decode("utf-8")) for line in lines)
        return
    separators = [f', "{name}": ' for name in names]
    pick = itemgetter(*(names.index(name) + 1 for name in _NAMES))  # before the first name stands what goes
    for line in lines:
        rest = text = line.decode("utf-8")
        values = []
        for separator in separators:
            value, _, rest = rest.partition(separator)
            values.append(value)
        values.append(rest[:-1])
        # Where a name is missing, nothing is left for the last one.
        yield (_cut(*pick(values)) if rest else None) or _parsed(text)


def _cut(
    who: str, case: str, difference: str, expected: str, actual: str, pieces: str, actual_pieces: str
) -> Row | None:
    """The row made of values as they are spelled; None where the case is spelled in another way."""
    asked, found, rest = case[len(_ENCODE) :].partition(', "add_special": ')
    flags, _, origin = rest.partition(', "origin": "')
    if not (found and case.startswith(_ENCODE)) or flags not in _FLAGS or "\\" in origin:
        return None
    add, parse = _FLAGS[flags]
    aspect, place = _difference(difference[1:-1])
    expected_ids, expected_text, _, _ = _outcome(expected)
    ids, decoded, failure, message = _outcome(actual)
    return (
        *_named(who), "encode", origin[:-2], add, parse, asked, aspect, place,
        expected_ids, ids, pieces, actual_pieces, expected_text, decoded, failure, message,
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
        ids, found, decoded = outcome.partition(', "decoded": ')
        if found:
            return ids[len(_IDS) :], "" if decoded == "null}" else decoded[:-1], "", ""
    return _spelled(json.loads(outcome))


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
