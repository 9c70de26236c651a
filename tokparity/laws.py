"""What the deltas of a stream must obey, judged against what the same engine decodes the whole row to.

One answer breaks at most one law, the plainest that it breaks. The engine's own decoding of shorter rows says when text
was complete. Where that decoding itself takes text back, it is to blame and not the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

from tokparity.difference import first_difference
from tokparity.outcome import Streaming

TAKES_BACK = "decode"
"""The law that the engine's decoding breaks, and not its stream."""

LAWS: Mapping[str, str] = {
    TAKES_BACK: "the engine's decoding takes text back that it gave for fewer ids, so no stream can be right",
    "prefill": "the prompt and the deltas together are not what all ids decode to",
    "replacement": "a delta has U+FFFD where all ids decode to another character",
    "prefix": "a delta has another text than all ids decode to at that place",
    "joined": "the deltas together are not all of what the ids decode to",
    "late": "text that is complete is held back",
    "work": "the work for an id grows with the number of ids before it",
}
"""Each law by its name, and what it is to break it."""

_REPLACEMENT = "\ufffd".encode()
_UNFINISHED = 3
"""Bytes at most of a character that is not complete; each may be shown as U+FFFD."""
_WORK, _BEFORE = 64, 8
"""Ids that may be decoded again and again for each new one, with some for the prompt."""
MOST_ASKED = 64
"""Shorter rows at most that are asked of one long row."""

Text = Callable[[int], bytes | None]
"""(number of ids) -> what the prompt and that number of ids decode to; None where that was not asked."""


def complete(text: bytes, most: int = _UNFINISHED) -> bytes:
    """The text without a character at its end that further ids may complete: bytes of it, or `most` U+FFFD."""
    if not text or text[-1] < 0x80:  # most texts
        return text
    for _ in range(most):
        if not text.endswith(_REPLACEMENT):
            break
        text = text[: -len(_REPLACEMENT)]
    for length in range(1, 1 + min(_UNFINISHED, len(text))):
        lead = text[-length]
        if lead & 0xC0 != 0x80:
            wanted = 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if 0xF0 <= lead < 0xF5 else 0
            return text[:-length] if length < wanted else text
    return text


def needed(deltas: Sequence[bytes], whole: bytes, before: bytes) -> list[int]:
    """Of which numbers of ids `broken` must know what they decode to: none for a stream that was never behind.

    Where the joined text is wrong, all up to the first wrong delta are needed, to see whether decoding is to blame.
    """
    size = len(deltas) - 1
    wrong = _first_wrong(deltas, _rests(whole, before))
    if wrong is not None:
        last = min(wrong + 1, size)
        return list(range(max(last - MOST_ASKED, 0) + 1, last + 1))
    behind = [count for count in range(1, size + 1) if not deltas[count - 1]]
    if size and deltas[size]:
        behind.append(size)
    step = max(1, len(behind) // MOST_ASKED)
    return list(dict.fromkeys((*behind[::step], *behind[-1:])))


def judged(deltas: Sequence[bytes], whole: bytes, before: bytes, text: Text, decoded: int = 0) -> Streaming:
    """The deltas with the law that they break; `before` is what the prompt decodes to, `whole` what all ids do.

    `decoded` are the ids that were decoded for it, each as often as it was; 0 where nobody counted.
    """
    law, place = _broken(deltas, whole, before, text)
    if not law and decoded > _WORK * (len(deltas) + _BEFORE):
        law, place = "work", len(deltas) - 2
    right = tuple(_right(len(deltas) - 1, whole, before, text)) if law else ()
    return Streaming(tuple(deltas), law, place, right)


def bounds(size: int, whole: bytes, before: bytes, text: Text) -> tuple[list[bytes], list[int]]:
    """What a right stream is held to: what its deltas may be together, and what may come later than each id.

    That is the number of bytes at the end of the text that may not have been given yet, at most. A stream with one of
    these texts whose every id leaves no more than that breaks no law.
    """
    seen = (text(count) for count in range(1, size + 1))
    return _rests(whole, before), [len(whole) - len(_known(one, whole)) if one else len(whole) for one in seen]


def _broken(deltas: Sequence[bytes], whole: bytes, before: bytes, text: Text) -> tuple[str, int]:
    size = len(deltas) - 1
    rests = _rests(whole, before)
    wrong = _first_wrong(deltas, rests)
    if wrong is None:
        return _late(deltas, whole, text)
    for count in range(min(wrong + 1, size) + 1):
        seen = before if not count else text(count)
        if seen is not None and not whole.startswith(complete(seen, len(seen))):
            return TAKES_BACK, wrong
    given = b"".join(deltas[: wrong + 1])
    if any(rest.startswith(given) or given.startswith(rest) for rest in rests):
        return "joined", wrong
    if before and not b"".join(deltas[:wrong]):
        return "prefill", wrong
    same = max(len(_same(given, rest)) for rest in rests)
    while same and given[same] & 0xC0 == 0x80:
        same -= 1
    return ("replacement" if given.startswith(_REPLACEMENT, same) else "prefix"), wrong


def _rests(whole: bytes, before: bytes) -> list[bytes]:
    """What the deltas may be together: the text behind that of the prompt, and with it its unfinished end, if any."""
    if (not before or before[-1] < 0x80) and whole.startswith(before):
        return [whole[len(before) :]]
    ends = [complete(before, most) for most in range(_UNFINISHED + 1)]
    starts = [len(end) for end in (before, *ends) if whole.startswith(end)] or [len(_known(before, whole))]
    return [whole[start:] for start in dict.fromkeys(starts)]


def _known(seen: bytes, whole: bytes) -> bytes:
    """What is complete of the text of fewer ids, as far as the whole agrees."""
    found = complete(seen)
    return complete(found if whole.startswith(found) else _same(found, whole), 0)


def _same(one: bytes, other: bytes) -> bytes:
    """What two texts have in common at their beginning."""
    return one if other.startswith(one) else one[: first_difference(one, other)]


def _first_wrong(deltas: Sequence[bytes], rests: Sequence[bytes]) -> int | None:
    """The delta with which the text is none of the rests any more; the last one where only the end is missing."""
    if b"".join(deltas) in rests:
        return None
    given = accumulate(deltas)
    return next(
        (i for i, text in enumerate(given) if not any(rest.startswith(text) for rest in rests)), len(deltas) - 1
    )


def _late(deltas: Sequence[bytes], whole: bytes, text: Text) -> tuple[str, int]:
    """Whether complete text was held back, and with which id that began."""
    end = len(whole) - sum(map(len, deltas))
    for place, delta in enumerate(deltas[:-1]):
        end += len(delta)
        seen = text(place + 1)
        if seen is not None and len(seen) > end and len(_known(seen, whole)) > end:
            return "late", place
    return "", 0


def _right(size: int, whole: bytes, before: bytes, text: Text) -> Iterator[bytes]:
    """Deltas that break no law, as far as it is known when text was complete."""
    given = len(_known(before, whole))
    for count in range(1, size + 1):
        seen = text(count)
        known = given if seen is None else len(_known(seen, whole))
        yield whole[given : max(known, given)]
        given = max(known, given)
    yield whole[given:]
