"""Rows of ids decoded one id after another: an engine's own stream, held against its own decoding of whole rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokparity.engines.answers import AwayError, UnsupportedError, WrongAnswerError
from tokparity.engines.buffers import FlatBufferError, Ids, Texts
from tokparity.laws import LAWS, MOST_ASKED, judged, needed
from tokparity.outcome import Failure, Streaming

if TYPE_CHECKING:
    from tokparity.engines.protocol import StreamingModel

_MOST = 1 << 22
"""Bytes of all deltas of one stream."""

_EACH = "one for each id and one at the end are wanted"

_BROKEN = b"{"
"""How a packed stream begins that breaks a law."""

_NOTHING = Streaming((b"",))


def packed(stream: Streaming) -> bytes:
    """A stream as it travels; the first byte says whether it breaks a law."""
    deltas = [delta.decode("latin-1") for delta in stream.deltas]
    if not stream.law:
        return json.dumps(deltas).encode()
    right = [delta.decode("latin-1") for delta in stream.right]
    return json.dumps({"deltas": deltas, "law": stream.law, "place": stream.place, "right": right}).encode()


def unpacked(text: bytes) -> Streaming:
    """What `packed` packed; FlatBufferError where it is something else."""
    try:
        found = json.loads(text)
        said = found if isinstance(found, dict) else {"deltas": found, "law": "", "place": 0, "right": []}
        deltas, right = (tuple(delta.encode("latin-1") for delta in said[name]) for name in ("deltas", "right"))
        place = said["place"]
        if said["law"] not in ("", *LAWS) or type(place) is not int or not 0 <= place < len(deltas):
            raise ValueError(f"{said['law']!r} at {place!r}")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FlatBufferError(f"a stream that cannot be read: {error}"[:200]) from error
    return Streaming(deltas, said["law"], place, right)


def broken(streamed: Texts) -> Iterator[int]:
    """The places of the streams that break a law, without reading the others."""
    data, starts = streamed.data, streamed.offsets[:-1].tolist()
    return (i for i, start in enumerate(starts) if data[start : start + 1] == _BROKEN)


@dataclass
class _Row:
    """One row: its prompt and ids, what came of its stream, and what the engine decodes the prompt and all ids to."""

    prefill: list[int]
    ids: list[int]
    deltas: list[bytes] = field(default_factory=list)
    work: int = 0
    failure: Failure | None = None
    before: bytes = b""
    whole: bytes = b""
    found: Streaming = _NOTHING

    def run(self, model: StreamingModel, skip_special: bool) -> None:
        """Have the engine stream a row of ids; an exception is the failure of this row alone."""
        try:
            size = 0
            for delta in model.stream(self.prefill, self.ids, skip_special):
                size += _taken(self.deltas, delta, len(self.ids), _MOST - size)
            _demand_all(self.deltas, len(self.ids))
        except (AwayError, MemoryError, UnsupportedError):
            raise
        except BaseException as error:  # a Rust panic is a BaseException
            self.failure = _failure(error, self.deltas, self.ids)
        self.work = getattr(model, "decoded", 0)


def streams(model: StreamingModel, rows: Ids, skip_special: bool) -> tuple[Texts, tuple[tuple[int, Failure], ...]]:
    """The packed stream of each row (see `Stream.row`), and the rows at which the engine's stream raised.

    Raises what the engine's decoding raises.
    """

    def decoded(asked: Iterable[Sequence[int]]) -> Iterator[bytes]:
        return iter(model.decode(Ids.from_list(asked), skip_special).to_list())

    every = [_Row(row[1 : 1 + row[0]], row[1 + row[0] :]) for row in rows.to_list()]
    prompts = dict.fromkeys(tuple(row.prefill) for row in every)
    texts = dict(zip(prompts, decoded(prompts), strict=True)) | {(): b""}
    for row, whole in zip(every, decoded([*row.prefill, *row.ids] for row in every), strict=True):
        row.before, row.whole = texts[tuple(row.prefill)], whole
        row.run(model, skip_special)
    asked = {i: needed(row.deltas, row.whole, row.before) for i, row in enumerate(every) if row.failure is None}
    while asked:
        shorter = decoded([*every[i].prefill, *every[i].ids[:count]] for i in asked for count in asked[i])
        for i, counts in asked.items():
            row, known = every[i], {count: next(shorter) for count in counts}
            row.found = judged(row.deltas, row.whole, row.before, known.get, row.work)
        # Of a stream that breaks a law all shorter rows are asked, to say what would be right.
        more = {i: {*range(1, 1 + min(len(every[i].ids), MOST_ASKED)), *asked[i]} for i in asked if every[i].found.law}
        asked = {i: sorted(counts) for i, counts in more.items() if len(counts) > len(asked[i])}
    failures = tuple((i, row.failure) for i, row in enumerate(every) if row.failure is not None)
    return Texts.from_list([packed(row.found) for row in every]), failures


def _taken(given: list[bytes], delta: object, ids: int, room: int) -> int:
    """The bytes of a delta that is taken note of; WrongAnswerError where it is not bytes, one too many, or too long."""
    if not isinstance(delta, bytes):
        raise WrongAnswerError(
            f"a delta of the stream is {type(delta).__name__}, not bytes", "give bytes: b'' if an id adds no text"
        )
    if len(given) > ids:
        raise WrongAnswerError(f"more than {ids + 1} deltas came for {_ids(ids)}", _EACH)
    if len(delta) > room:
        raise WrongAnswerError(
            f"the deltas of the stream have more than {_MOST} bytes", "give only the text that each id adds"
        )
    given.append(delta)
    return len(delta)


def _demand_all(given: Sequence[bytes], ids: int) -> None:
    if len(given) != ids + 1:
        came = f"{len(given)} {'delta' if len(given) == 1 else 'deltas'} came for {_ids(ids)}"
        raise WrongAnswerError(came, _EACH)


def _ids(number: int) -> str:
    return f"{number} {'id' if number == 1 else 'ids'}"


def _failure(error: BaseException, given: Sequence[bytes], ids: Sequence[int]) -> Failure:
    """What the engine said, and at which id."""
    said = str(error) if isinstance(error, WrongAnswerError) else f"{type(error).__name__}: {error}"
    at = f"id {ids[len(given)]}, the {len(given) + 1}. of {len(ids)}" if len(given) < len(ids) else "the end"
    return Failure("error", f"{said[:1500]} (at {at})")
