"""Texts encoded with the characters that each id comes from, beside the ids that the engine gives without them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokparity.engines.answers import WrongAnswerError
from tokparity.engines.buffers import FlatBufferError, Texts
from tokparity.outcome import Spanning

if TYPE_CHECKING:
    from tokparity.engines.protocol import SpanningModel


def packed(spanning: Spanning) -> bytes:
    """Spans as they travel."""
    said = {"ids": spanning.ids, "spans": spanning.spans, "encoded": spanning.encoded, "reach": spanning.reach}
    return json.dumps(said).encode()


def unpacked(text: bytes) -> Spanning:
    """What `packed` packed; FlatBufferError where it is something else."""
    try:
        said = json.loads(text)
        spans, reach = ([(int(start), int(end)) for start, end in said[name]] for name in ("spans", "reach"))
        encoded = None if said["encoded"] is None else tuple(map(int, said["encoded"]))
        return Spanning(tuple(map(int, said["ids"])), tuple(spans), encoded, tuple(reach))
    except (ValueError, TypeError, KeyError) as error:
        raise FlatBufferError(f"spans that cannot be read: {error}"[:200]) from error


def spans(model: SpanningModel, texts: Texts, add_special: bool, parse_special: bool) -> Texts:
    """The packed spans of each text; raises what the engine raises."""
    encoded = model.encode(texts, add_special, parse_special).to_list()
    given = [model.spans(text, add_special, parse_special) for text in texts.to_strs()]
    return Texts.from_list([packed(_beside(one, row)) for one, row in zip(given, encoded, strict=True)])


def spanning(ids: Sequence[object], given: Sequence[object]) -> Spanning:
    """An engine's own answer; WrongAnswerError where it is no list of ids with two numbers for each."""
    pairs = [tuple(span) for span in given if isinstance(span, list | tuple)]
    if len(ids) != len(given) or any(len(pair) != 2 for pair in pairs) or len(pairs) != len(given):
        message = f"the engine gave {len(given)} spans for {len(ids)} ids"
        raise WrongAnswerError(message, "give two numbers for each id: its first character and the one behind its last")
    return Spanning(tuple(map(_whole, ids)), tuple((_whole(start), _whole(end)) for start, end in pairs))


def wrapped(inner: Spanning, prefix: Sequence[int], suffix: Sequence[int], size: int) -> Spanning:
    """The ids with those that are put around them, which come from no character; `size` is that of the text."""
    spans = ((0, 0),) * len(prefix) + inner.spans + ((size, size),) * len(suffix)
    return Spanning((*prefix, *inner.ids, *suffix), spans)


def _beside(one: Spanning, row: Sequence[int]) -> Spanning:
    return one if one.ids == tuple(row) else Spanning(one.ids, one.spans, tuple(row), one.reach)


def _whole(number: object) -> int:
    if not hasattr(number, "__index__"):
        raise WrongAnswerError(f"the engine gave {number!r:.60} in its spans", "give whole numbers")
    return int(number.__index__())
