"""One answer in one line: all of a short answer, or the part around the first difference of a long one."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.finding import Mismatch
from tokparity.outcome import Decoding, Encoding, Failure, Outcome, Rendering, Spanning, Streaming
from tokparity.questions.json_text import literal, plain
from tokparity.report.render.visible import clip

_BEFORE = 4  # ids shown before the first difference
_BYTES_BEFORE = 40
_SPAN = 8  # bytes that an id with its characters takes, or more


def answers(mismatch: Mismatch, most: int, most_bytes: int) -> tuple[list[str], list[str]]:
    """The lines of the expected and the actual answer: `most` ids with their pieces, or a failure.

    Where what they decode to differs, `most_bytes` bytes of that follow."""
    expected = _lines(mismatch, mismatch.expected, mismatch.expected_pieces, most, most_bytes)
    return expected, _lines(mismatch, mismatch.actual, mismatch.actual_pieces, most, most_bytes)


def bytes_around(text: bytes, place: int, most: int) -> str:
    """At most `most` bytes from shortly before a place on, not cut inside a character."""
    start = max(place - _BYTES_BEFORE, 0) if len(text) > most else 0
    while 0 < start < len(text) and text[start] & 0xC0 == 0x80:
        start -= 1
    shown, hidden = clip(text[start:], most)
    before = f"... from the byte {start} on: " if start else ""
    return before + literal(shown) + (f" ... {hidden} more bytes" if hidden else "")


def deltas(given: Sequence[bytes], place: int, most: int) -> str:
    """The deltas of a stream as a JSON array, from shortly before a place on, in about `most` bytes."""
    start, shown, size = max(place - _BEFORE, 0), [], 0
    for delta in given[start:]:
        size += len(delta) + _BEFORE
        if size > most:
            break
        shown.append(delta)
    hidden = len(given) - start - len(shown)
    before = f"... from the delta {start} on: " if start else ""
    return before + literal(shown) + (f" ... {hidden} more deltas" if hidden else "")


def apart(outcome: Streaming | Spanning, place: int, most: int) -> str:
    """The deltas of a stream, or the ids of a text with the characters of each, from shortly before a place on."""
    if isinstance(outcome, Streaming):
        return deltas(outcome.deltas, place, most)
    start = max(place - _BEFORE, 0)
    every = [[i, *span] for i, span in zip(outcome.ids, outcome.spans, strict=True)]
    shown = every[start : start + max(most // _SPAN, 2 * _BEFORE)]
    before = f"... from the id {start} on: " if start else ""
    hidden = len(every) - start - len(shown)
    return before + literal(shown) + (f" ... {hidden} more" if hidden else "")


def _lines(mismatch: Mismatch, outcome: Outcome, pieces: tuple[bytes, ...], most: int, most_bytes: int) -> list[str]:
    if isinstance(outcome, Failure):
        return [f"{outcome.kind}: {plain(outcome.message)}"]
    if isinstance(outcome, Streaming | Spanning):
        what = "deltas" if isinstance(outcome, Streaming) else "[id, first character, end]"
        return [f"{what} {apart(outcome, mismatch.difference.place, most_bytes)}"]
    if isinstance(outcome, Rendering):
        told = bytes_around(outcome.decoded, mismatch.difference.place, most_bytes)
        return [f"prompt {told}", *(_ids(outcome, pieces, 0, most) if outcome.ids else ())]
    of_decoding = mismatch.difference.is_of_decoding
    lines = []
    if isinstance(outcome, Encoding):
        lengths = [answer.length for answer in (mismatch.expected, mismatch.actual) if isinstance(answer, Encoding)]
        place = 0 if of_decoding or max(lengths) <= most else mismatch.difference.place
        lines += _ids(outcome, pieces, place, most)
    if isinstance(outcome, Decoding) or of_decoding:
        lines.append("decodes to " + bytes_around(outcome.decoded or b"", mismatch.difference.place, most_bytes))
    return lines


def _ids(outcome: Encoding | Rendering, pieces: tuple[bytes, ...], place: int, most: int) -> list[str]:
    """At most `most` ids from shortly before a place on, and their pieces."""
    start = max(place - _BEFORE, 0)
    end = start + most
    before = f"... from the id {start} on: " if start else ""
    after = " ..." if outcome.length > end else ""
    return [f"{before}{list(outcome.ids[start:end])}{after} ({outcome.length} ids)", literal(pieces[start:end])]
