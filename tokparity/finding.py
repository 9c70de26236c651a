"""Mismatches, and what they mean (findings)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tokparity.outcome import Case, Encoding, Outcome

Status = Literal["verified", "ambiguous", "unexplained"]


@dataclass(frozen=True)
class Mismatch:
    """One case on which an engine and the model's oracle disagree.

    `first_difference` is "ids:N" (the first index at which the ids differ), "decode:N" (equal ids, the decoded
    bytes differ at N), "round_trip:N" (decoding the ids does not give the text back where the model promises it)
    or "failure:KIND" (the engine gave no ids).
    """

    case: Case
    model: str
    engine: str
    oracle: str
    expected: Outcome
    actual: Outcome
    first_difference: str
    expected_pieces: tuple[bytes, ...] = ()
    actual_pieces: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Control:
    """One case on which an engine gave what the oracle gave: what explains its mismatches must leave it alone."""

    case: Case
    model: str
    engine: str
    outcome: Encoding


@dataclass(frozen=True)
class RuledOut:
    """An explanation that was tried and refuted: it gives `explains` of the `tried` mismatches, and fails on `text`."""

    quirks: tuple[str, ...]
    explains: int
    tried: int
    text: bytes


@dataclass(frozen=True)
class Finding:
    """A group of mismatches with one cause.

    `quirks` reproduce all `mismatches` and agree on all `controls` (cases on which the engine was right), which
    makes the finding verified; `alternatives` do as well. `nearest` says how far the best failed explanation came.
    """

    name: str
    model: str
    engine: str
    oracle: str
    status: Status
    smallest: Mismatch
    mismatches: int
    controls: int = 0
    quirks: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()
    nearest: str = ""
    accepted: bool = False
    reason: str = ""
    verified: int = 0
    """On how many of the mismatches the explanation was run; the others were counted and not kept."""
    ruled_out: tuple[RuledOut, ...] = ()
    separating: bytes | None = None
    """A text on which the alternatives differ, and that the engine could not be asked."""
    context: tuple[tuple[str, str], ...] = ()
    """What the model's file says about the cause: keys and values."""
