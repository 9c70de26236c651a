"""Shows a mismatch as two aligned rows of tokens, shortened where they are equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import count
from typing import Literal

from tokparity.difference import first_difference
from tokparity.finding import Mismatch
from tokparity.outcome import Decoding, Encoding, Failure, Outcome, Rendering, Spanning, Streaming
from tokparity.questions.json_text import as_bytes, literal
from tokparity.report.render.visible import Run, clip, runs

State = Literal["same", "differs", "gap"]

_CONTEXT = 3  # equal tokens shown on each side of a difference
_ALIGNED = 400  # tokens after the first difference that are aligned; the time grows with the square
_CHIPS = 72  # shown in all; of a strip longer than that nobody reads the end
_GROUP = 24  # shown of one side of one difference
_BYTES = 8  # of a piece that are shown as hexadecimal digits
_TEXT_BYTES = 600
_PIECE_BYTES = 80
_AROUND = 40  # characters of decoded text before the first difference
_DECODED = 160  # characters of decoded text in all


@dataclass(frozen=True)
class Chip:
    """One piece with its id; `hex` are its bytes where they are not plain to see."""

    id: int
    runs: tuple[Run, ...]
    hex: str = ""


@dataclass(frozen=True)
class Column:
    """Tokens of both sides that represent each other; a "gap" is `hidden` equal ones that are left out.

    `hidden` of a difference counts what it has beyond what is shown.
    """

    state: State
    expected: tuple[Chip, ...] = ()
    actual: tuple[Chip, ...] = ()
    hidden: int = 0


@dataclass(frozen=True)
class Stretch:
    """A stretch of decoded text, and whether the other side has it as well."""

    differs: bool
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Side:
    """What one side gave: a number of ids, a failure, or text with what is left out of it in characters."""

    total: int = 0
    failure: str = ""
    decoded: tuple[Stretch, ...] = ()
    before: int = 0
    after: int = 0


@dataclass(frozen=True)
class Strip:
    """Both sides: aligned columns of tokens, decoded texts where these differ; `more` differences are not shown."""

    expected: Side
    actual: Side
    columns: tuple[Column, ...] = ()
    more: int = 0


def text(mismatch: Mismatch) -> tuple[list[Run], int]:
    """The case's text made visible, and how many of its bytes are left out."""
    shown, hidden = clip(mismatch.case.question.shown, _TEXT_BYTES)
    return runs(shown), hidden


def strip(mismatch: Mismatch) -> Strip:
    """The expected and the actual answer, aligned."""
    left, right = _side(mismatch.expected), _side(mismatch.actual)
    columns, more = _columns(mismatch)
    if mismatch.difference.is_of_decoding or mismatch.difference.law:
        left, right = _decoded(left, right, _text_of(mismatch.expected), _text_of(mismatch.actual))
    elif isinstance(mismatch.expected, Decoding):
        left = replace(left, decoded=(Stretch(False, tuple(runs(clip(mismatch.expected.decoded, _TEXT_BYTES)[0]))),))
    return Strip(left, right, columns, more)


def _side(outcome: Outcome) -> Side:
    if isinstance(outcome, Failure):
        signal = f" (signal {outcome.signal})" if outcome.signal is not None else ""
        return Side(failure=f"{outcome.kind}{signal}: {outcome.message}")
    return Side(total=outcome.length) if isinstance(outcome, Encoding | Rendering) else Side()


def _columns(mismatch: Mismatch) -> tuple[tuple[Column, ...], int]:
    """The tokens of both sides, or of the one that gave any."""
    expected, actual = mismatch.expected, mismatch.actual
    left = _Tokens(expected.ids if isinstance(expected, Encoding | Rendering) else (), mismatch.expected_pieces)
    right = _Tokens(actual.ids if isinstance(actual, Encoding | Rendering) else (), mismatch.actual_pieces)
    if isinstance(actual, Failure) or isinstance(expected, Failure):
        shown = Column("same", left.chips(0, _GROUP), right.chips(0, _GROUP))
        hidden = max(len(left.ids), len(right.ids)) - _GROUP
        return (shown, *([Column("gap", hidden=hidden)] if hidden > 0 else [])), 0
    return _shown(list(_aligned(left, right)))


@dataclass(frozen=True)
class _Tokens:
    """Ids with the pieces that are known of them."""

    ids: tuple[int, ...]
    pieces: tuple[bytes, ...]

    def chips(self, start: int, end: int) -> tuple[Chip, ...]:
        return tuple(self._chip(index) for index in range(start, min(end, len(self.ids))))

    def _chip(self, index: int) -> Chip:
        piece = self.pieces[index] if index < len(self.pieces) else b""
        hidden = f" +{len(piece) - _BYTES}" if len(piece) > _BYTES else ""
        digits = "" if piece.isascii() and piece.isalnum() else piece[:_BYTES].hex(" ") + hidden
        return Chip(self.ids[index], tuple(runs(clip(piece, _PIECE_BYTES)[0])), digits)


def _aligned(left: _Tokens, right: _Tokens) -> Iterator[Column]:
    """Equal stretches and differences in turn; equal tokens far from any difference are a gap."""
    spans = list(_spans(left.ids, right.ids))
    for number, (same, a, b, c, d) in enumerate(spans):
        if not same:
            hidden = max(b - a, d - c) - _GROUP
            yield Column("differs", left.chips(a, min(b, a + _GROUP)), right.chips(c, min(d, c + _GROUP)),
                         max(hidden, 0))  # fmt: skip
            continue
        before = _CONTEXT if number or len(spans) == 1 else 0  # what follows a difference
        after = _CONTEXT if number + 1 < len(spans) else 0  # what comes before the next
        if b - a <= before + after + 1:
            yield from _same(left, right, a, b, c)
        else:
            yield from _same(left, right, a, a + before, c)
            yield Column("gap", hidden=b - a - before - after)
            yield from _same(left, right, b - after, b, d - after)


def _same(left: _Tokens, right: _Tokens, start: int, end: int, other: int) -> Iterator[Column]:
    """Equal tokens, a column for each."""
    for offset in range(end - start):
        place, beside = start + offset, other + offset
        yield Column("same", left.chips(place, place + 1), right.chips(beside, beside + 1))


def _spans(left: Sequence[object], right: Sequence[object]) -> Iterator[tuple[bool, int, int, int, int]]:
    """(equal, from, to on the left, from, to on the right), over the whole of both."""
    start = first_difference(left, right)
    room = min(len(left), len(right)) - start
    back = next((n for n in count() if n >= room or left[-1 - n] != right[-1 - n]), 0)
    ends = len(left) - back, len(right) - back
    if start:
        yield True, 0, start, 0, start
    left_end, right_end = min(ends[0], start + _ALIGNED), min(ends[1], start + _ALIGNED)
    matcher = SequenceMatcher(None, left[start:left_end], right[start:right_end], autojunk=False)
    found = [(tag == "equal", start + i, start + j, start + k, start + m) for tag, i, j, k, m in matcher.get_opcodes()]
    if (left_end, right_end) != ends:  # what lies beyond is one difference with what comes right before it
        last = found.pop() if found and not found[-1][0] else (False, left_end, left_end, right_end, right_end)
        found.append((False, last[1], ends[0], last[3], ends[1]))
    yield from found
    if back:
        yield True, ends[0], len(left), ends[1], len(right)


def _shown(columns: Sequence[Column]) -> tuple[tuple[Column, ...], int]:
    """As many columns as there is room for, and how many differences are among the others."""
    room, end = _CHIPS, 0
    while end < len(columns) and room > 0:
        room -= max(len(columns[end].expected), len(columns[end].actual), 1)
        end += 1
    return tuple(columns[:end]), sum(column.state == "differs" for column in columns[end:])


def _text_of(outcome: Outcome) -> str:
    if isinstance(outcome, Streaming):
        return literal(outcome.deltas)
    if isinstance(outcome, Spanning):
        return literal(outcome.spans)
    decoded = None if isinstance(outcome, Failure) else outcome.decoded
    return (decoded or b"").decode("utf-8", "surrogateescape")


def _decoded(left: Side, right: Side, expected: str, actual: str) -> tuple[Side, Side]:
    """Both sides with their texts around the first difference, character by character."""
    start = max(first_difference(expected, actual) - _AROUND, 0)
    window = expected[start : start + _DECODED], actual[start : start + _DECODED]
    parts: tuple[list[Stretch], list[Stretch]] = [], []
    for same, a, b, c, d in _spans(*window):
        parts[0].append(_part(not same, window[0][a:b]))
        parts[1].append(_part(not same, window[1][c:d]))
    return tuple(
        replace(side, decoded=tuple(own), before=start, after=max(len(whole) - start - _DECODED, 0))
        for side, own, whole in ((left, parts[0], expected), (right, parts[1], actual))
    )  # type: ignore[return-value]


def _part(differs: bool, text: str) -> Stretch:
    return Stretch(differs, tuple(runs(as_bytes(text))))
