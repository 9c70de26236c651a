"""What an adapter gave for one text or one row of ids, checked: a wrong answer says what to mend."""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tokparity.engines.buffers import Ids
from tokparity.errors import TokparityError


class WrongAnswerError(TokparityError):
    """An unusable answer of an engine: the message shows the answer and says what is expected."""


class WrongCountError(WrongAnswerError):
    """An engine gave more or fewer answers than there were cases in a request."""


class AwayError(TokparityError):
    """The engine is a server, and it is not there: nothing is known of any text."""


class UnsupportedError(TokparityError):
    """An engine cannot answer for this text, although it can for others: no answer and no mismatch."""


def row_of(given: object, what: str) -> array[int]:
    """Convert an engine's answer to one text into 32-bit ids; `what` names the engine's function."""
    if isinstance(given, str | bytes | bytearray | dict) or not isinstance(given, Iterable):
        message = f"{what} returned {_shown(given)} for a text, not a list of ids"
        raise WrongAnswerError(message, "return whole numbers, such as [1, 15043]")
    values = list(given)
    if bool not in map(type, values):  # an array takes them for 1 and 0
        with contextlib.suppress(TypeError, OverflowError):
            return array("i", values)
    wrong = next(value for value in values if not _fits(value))
    raise WrongAnswerError(f"{what} returned {_shown(wrong)} as an id", "return whole numbers of at most 32 bits")


def rows_of(given: Sequence[object], what: str) -> Ids:
    """Convert an engine's answers to a batch into ids; lists, the usual case, need no Python work per id."""
    ids, lengths = array("i"), []
    for row in given:
        before = len(ids)
        try:
            if type(row) is not list or bool in map(type, row):  # what is no list may be read only once
                raise TypeError
            ids.fromlist(row)
        except (TypeError, OverflowError):
            ids.extend(row_of(row, what))
        lengths.append(len(ids) - before)
    return Ids(np.frombuffer(ids, dtype=np.int32), np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]))


def text_of(given: object, what: str) -> bytes:
    """Convert an engine's answer to one row of ids into bytes; `what` names the engine's function."""
    if isinstance(given, bytes | bytearray):
        return bytes(given)
    if isinstance(given, str):
        return given.encode("utf-8", "surrogatepass")
    raise WrongAnswerError(f"{what} returned {_shown(given)} for a row of ids, not a text", "return str or bytes")


def counted(given: object, count: int, what: str, noun: str) -> list[object]:
    """The answers to a batch, one for each case."""
    if isinstance(given, str | bytes | dict) or not isinstance(given, Iterable):
        raise WrongAnswerError(
            f"{what} returned {_shown(given)} for a batch, not a list", f"return a list with one {noun} for each case"
        )
    answers = list(given)
    if len(answers) != count:
        message = f"{what} returned {len(answers)} answers for a batch of {count} cases"
        raise WrongCountError(message, f"return one {noun} for each case, in order; an empty one if there is nothing")
    return answers


def _fits(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    try:
        array("i", [value])
    except (TypeError, OverflowError):
        return False
    return True


def _shown(value: object) -> str:
    return f"{type(value).__name__} {value!r:.60}"
