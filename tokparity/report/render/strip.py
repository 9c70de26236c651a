"""A mismatch as two strips of chips, cut to what lies around the first difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tokparity.finding import Mismatch
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.report.render.visible import Run, clip, runs

State = Literal["same", "first", "after"]

_BEFORE, _AFTER = 10, 14  # pieces shown around the first difference
_TEXT_BYTES = 600
_AROUND = 60  # bytes of decoded text shown on each side of the first difference


@dataclass(frozen=True)
class Chip:
    """One piece with its id, and where it stands to the first difference."""

    id: int
    runs: tuple[Run, ...]
    state: State


@dataclass(frozen=True)
class Strip:
    """What one side gave: chips, or a failure, or (where the ids are equal) the decoded text cut at the difference.

    `before` and `after` count what is left out at each end: pieces of `chips`, bytes of `decoded`.
    """

    chips: tuple[Chip, ...] = ()
    failure: str = ""
    decoded: tuple[tuple[Run, ...], ...] = ()
    before: int = 0
    after: int = 0
    total: int = 0


def text(mismatch: Mismatch) -> tuple[list[Run], int]:
    """The case's text made visible, and how many of its bytes are left out."""
    shown, hidden = clip(mismatch.case.question.shown, _TEXT_BYTES)
    return runs(shown), hidden


def strips(mismatch: Mismatch) -> tuple[Strip, Strip]:
    """What was expected, and what came."""
    difference = mismatch.difference
    if difference.is_of_decoding:
        return _decoded(mismatch.expected, difference.place), _decoded(mismatch.actual, difference.place)
    at = difference.place if difference.aspect == "ids" else None
    return (
        _strip(mismatch.expected, mismatch.expected_pieces, at),
        _strip(mismatch.actual, mismatch.actual_pieces, at),
    )


def _strip(outcome: Outcome, pieces: tuple[bytes, ...], at: int | None) -> Strip:
    if isinstance(outcome, Failure):
        signal = f" (signal {outcome.signal})" if outcome.signal is not None else ""
        return Strip(failure=f"{outcome.kind}{signal}: {outcome.message}")
    if isinstance(outcome, Decoding):
        return _decoded(outcome, 0)
    total = len(outcome.ids)
    start, end = max((at or 0) - _BEFORE, 0), min((at or 0) + _AFTER, total)
    chips = tuple(_chip(outcome, pieces, index, at) for index in range(start, end))
    return Strip(chips, before=start, after=total - end, total=total)


def _chip(outcome: Encoding, pieces: tuple[bytes, ...], index: int, at: int | None) -> Chip:
    state: State = "same" if at is None or index < at else "first" if index == at else "after"
    piece = clip(pieces[index], 80)[0] if index < len(pieces) else b""
    return Chip(outcome.ids[index], tuple(runs(piece)), state)


def _decoded(outcome: Outcome, at: int) -> Strip:
    if isinstance(outcome, Failure) or outcome.decoded is None:
        return _strip(outcome, (), None)
    decoded = outcome.decoded
    start, end = max(at - _AROUND, 0), min(at + _AROUND, len(decoded))
    parts = decoded[start:at], decoded[at : at + 1], decoded[at + 1 : end]
    if at < len(decoded) and decoded[at] >= 0x80:  # mark the whole character, not one byte of it
        at = next((i for i in range(at, max(at - 4, start) - 1, -1) if decoded[i] & 0xC0 != 0x80), at)
        stop = next((i for i in range(at + 1, min(at + 4, end)) if decoded[i] & 0xC0 != 0x80), min(at + 4, end))
        parts = decoded[start:at], decoded[at:stop], decoded[stop:end]
    shown = tuple(tuple(runs(part)) for part in parts)
    return Strip(decoded=shown, before=start, after=len(decoded) - end, total=len(decoded))
