"""Shortens long answers for a report: the beginning, the length of the whole, and its SHA-256."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from tokparity.finding import Mismatch
from tokparity.outcome import Decoding, Encoding, Outcome, Whole

MOST_IDS = 20_000
MOST_BYTES = 200_000
_BEYOND = 1000
"""Ids or bytes that are kept after the first difference, wherever that is."""


def cut(mismatch: Mismatch) -> Mismatch:
    """The mismatch as a report holds it; nothing up to the first difference, nor shortly after it, is ever left out.

    The SHA-256 of ids is that of their decimal numbers with a space between two.
    """
    place, of_text = mismatch.difference.place, mismatch.difference.is_of_decoding
    ids = MOST_IDS if of_text else max(MOST_IDS, place + _BEYOND)
    size = max(MOST_BYTES, place + _BEYOND) if of_text else MOST_BYTES
    if not any(_is_long(outcome, ids, size) for outcome in (mismatch.expected, mismatch.actual)):
        return mismatch
    return replace(
        mismatch,
        expected=_cut(mismatch.expected, ids, size),
        actual=_cut(mismatch.actual, ids, size),
        expected_pieces=mismatch.expected_pieces[:ids],
        actual_pieces=mismatch.actual_pieces[:ids],
    )


def _is_long(outcome: Outcome, ids: int, size: int) -> bool:
    if isinstance(outcome, Encoding) and len(outcome.ids) > ids:
        return True
    return isinstance(outcome, Encoding | Decoding) and len(outcome.decoded or b"") > size


def _cut(outcome: Outcome, ids: int, size: int) -> Outcome:
    if isinstance(outcome, Encoding | Decoding) and outcome.decoded is not None and len(outcome.decoded) > size:
        whole = Whole(len(outcome.decoded), hashlib.sha256(outcome.decoded).hexdigest())
        outcome = replace(outcome, decoded=outcome.decoded[:size], whole_decoded=whole)
    if isinstance(outcome, Encoding) and len(outcome.ids) > ids:
        written = " ".join(map(str, outcome.ids)).encode()
        whole = Whole(len(outcome.ids), hashlib.sha256(written).hexdigest())
        outcome = replace(outcome, ids=outcome.ids[:ids], whole_ids=whole)
    return outcome
