"""What travels between a run and its worker: length-prefixed frames of flat buffers.

A request is (kind, flags, buffer); an answer is (buffers, the texts that failed), or nothing when the worker dies.
"""

from __future__ import annotations

import json
import struct
from dataclasses import astuple, dataclass
from enum import IntEnum

from tokparity.engines.buffers import FlatBufferError, Ids, Texts, ids_from_raw, raw_size, texts_from_raw, to_raw
from tokparity.outcome import Failure, FailureKind

LENGTH = struct.Struct("<Q")
"""Goes before each frame: the number of bytes that follow."""

# Both heads are multiples of 8 bytes long, so that the arrays after them are aligned.
_REQUEST = struct.Struct("<BBBB4x")
_ANSWER = struct.Struct("<B3xId")


Failures = tuple[tuple[int, Failure], ...]
"""(index in the batch, why there is no answer), ascending."""


class Kind(IntEnum):
    """The kinds of requests to a worker."""

    ENCODE = 1
    DECODE = 2
    BOTH = 3
    """Encode, then decode the ids that came out."""
    STREAM = 4
    """Decode rows (see `Stream.row`) id by id; the texts of the answer hold what `streams` packs."""
    RENDER = 5
    """Make prompts of texts that hold a packed `Render` each; the texts of the answer hold a packed `Rendering`."""
    SPANS = 6
    """Encode, and say which characters each id comes from; the texts of the answer hold what `spans` packs."""

    @property
    def takes_ids(self) -> bool:
        """Whether rows of ids are asked about, and texts given."""
        return self in (Kind.DECODE, Kind.STREAM)

    @property
    def gives_ids(self) -> bool:
        """Whether the answer has rows of ids."""
        return self in (Kind.ENCODE, Kind.BOTH)


@dataclass(frozen=True)
class Request:
    """One batch for a worker: texts to encode, or ids to decode."""

    kind: Kind
    cases: Texts | Ids
    add_special: bool = False
    parse_special: bool = False
    skip_special: bool = False

    def __len__(self) -> int:
        return len(self.cases)

    @property
    def size(self) -> int:
        """Bytes of text or ids."""
        return raw_size(self.cases)

    def part(self, start: int, stop: int) -> Request:
        """The same question for cases start to stop."""
        cases = self.cases.slice(start, stop)
        return Request(self.kind, cases, self.add_special, self.parse_special, self.skip_special)

    def unanswered(self, failures: Failures = ()) -> Answer:
        """The answer in which every case has no ids and an empty text."""
        ids = Ids.from_list([[]] * len(self)) if self.kind.gives_ids else None
        texts = None if self.kind is Kind.ENCODE else Texts.from_list([b""] * len(self))
        return Answer(ids, texts, failures)

    def pack(self) -> list[memoryview]:
        """The frame, length first, as pieces to be written one after another."""
        head = _REQUEST.pack(self.kind, self.add_special, self.parse_special, self.skip_special)
        length = LENGTH.pack(len(head) + raw_size(self.cases))
        return [memoryview(length + head), *to_raw(self.cases)]

    @classmethod
    def unpack(cls, frame: memoryview) -> Request:
        """The request in a frame (without its length)."""
        kind, add_special, parse_special, skip_special = _REQUEST.unpack_from(frame)
        raw = frame[_REQUEST.size :]
        cases = ids_from_raw(raw)[0] if Kind(kind).takes_ids else texts_from_raw(raw)[0]
        return cls(Kind(kind), cases, bool(add_special), bool(parse_special), bool(skip_special))


@dataclass(frozen=True)
class Answer:
    """A worker's answer to a batch; a failed case has no ids and an empty text. `seconds` are of `stopwatch`."""

    ids: Ids | None
    texts: Texts | None
    failures: Failures = ()
    seconds: float = 0.0

    def pack(self) -> list[memoryview]:
        """The frame, length first, as pieces to be written one after another."""
        failures = json.dumps([[i, *astuple(failure)] for i, failure in self.failures]).encode()
        failures += b" " * (-len(failures) % 8)
        flats = [flat for flat in (self.ids, self.texts) if flat is not None]
        held = (self.ids is not None) + 2 * (self.texts is not None)
        head = _ANSWER.pack(held, len(failures), self.seconds) + failures
        length = LENGTH.pack(len(head) + sum(raw_size(flat) for flat in flats))
        return [memoryview(length + head), *(piece for flat in flats for piece in to_raw(flat))]

    @classmethod
    def unpack(cls, frame: memoryview, request: Request) -> Answer:
        """The answer in a frame (without its length); raises FlatBufferError unless it answers the whole request."""
        try:
            held, size, seconds = _ANSWER.unpack_from(frame)
            listed = json.loads(bytes(frame[_ANSWER.size : _ANSWER.size + size]))
            failures = tuple((int(i), _failure(kind, message, signal)) for i, kind, message, signal in listed)
        except (struct.error, ValueError, TypeError) as error:
            raise FlatBufferError(f"an answer that cannot be read: {error}") from error
        raw = frame[_ANSWER.size + size :]
        ids = texts = None
        if held & 1:
            ids, end = ids_from_raw(raw)
            raw = raw[end:]
        if held & 2:
            texts, end = texts_from_raw(raw)
        asked = (request.kind.gives_ids, request.kind != Kind.ENCODE)
        if asked != (ids is not None, texts is not None):
            raise FlatBufferError(f"an answer with parts {held} to a request of kind {request.kind.name}")
        for flat in (ids, texts):
            if flat is not None and len(flat) != len(request):
                raise FlatBufferError(f"{len(flat)} answers to a batch of {len(request)}")
        if not 0 <= seconds < float("inf"):
            raise FlatBufferError(f"an answer that took {seconds} seconds")
        if any(not 0 <= i < len(request) for i, _ in failures):
            raise FlatBufferError(f"failures {failures} that are not in a batch of {len(request)}")
        return cls(ids, texts, failures, seconds)


def _failure(kind: object, message: object, signal: object) -> Failure:
    """A failure that a worker reports: its own, or one that was recorded."""
    if kind not in FailureKind.__args__ or not (signal is None or type(signal) is int):  # type: ignore[attr-defined]
        raise ValueError(f"{kind!r} with signal {signal!r} is not a failure")
    return Failure(kind, str(message), signal)  # type: ignore[arg-type]
