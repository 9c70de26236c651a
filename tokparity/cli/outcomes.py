"""Formats one outcome as one line."""

from __future__ import annotations

from tokparity.outcome import Decoding, Encoding, Failure, Outcome, Rendering, Spanning, Streaming
from tokparity.questions.json_text import literal

_SHOWN = 60  # ids or bytes of an outcome


def told(outcome: Outcome | None, unknown: str = "not known") -> str:
    """Describe an outcome: ids and their decoded text, or why there is none; `unknown` if nobody knows."""
    if isinstance(outcome, Failure):
        return f"{outcome.kind}: {outcome.message}"
    if isinstance(outcome, Streaming | Spanning):
        from tokparity.report.render.window import apart

        return apart(outcome, outcome.place, _SHOWN)
    if isinstance(outcome, Decoding | Rendering):
        return _text(outcome.decoded)
    if isinstance(outcome, Encoding):
        dots = f" ... {len(outcome.ids)} in all" if len(outcome.ids) > _SHOWN else ""
        decoded = "" if outcome.decoded is None else f" {_text(outcome.decoded)}"
        return f"{list(outcome.ids[:_SHOWN])}{dots}{decoded}"
    return unknown


def _text(text: bytes) -> str:
    return literal(text[:_SHOWN]) + (f" ... {len(text)} bytes in all" if len(text) > _SHOWN else "")
