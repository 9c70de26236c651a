"""What a batch came to: flat answers for the cases that have one, and Failures for the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokparity.engines.buffers import Ids, Int64s, Texts
from tokparity.engines.process.frames import Answer, Failures, Kind, Request
from tokparity.engines.renderers import unpacked as rendering_of
from tokparity.engines.spans import unpacked as spans_of
from tokparity.engines.streams import unpacked as stream_of
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.rounds import Rounds

_UNPACK: Mapping[Kind, Callable[[bytes], Outcome]] = {
    Kind.STREAM: stream_of,
    Kind.SPANS: spans_of,
    Kind.RENDER: rendering_of,
}


@dataclass(frozen=True)
class Results:
    """The answers of one engine to one batch of cases, in the batch's order.

    `ids` is None if the batch holds ids to decode. `decoded` is None if no decoding was asked for. A case in `failures`
    (ascending) has no ids and an empty decoded text. What is neither ids nor their text is in `packed`, by its `kind`:
    streams, spans, prompts. If ids went through
    their text, `rounds` holds all steps of each case, and nothing else any.
    """

    ids: Ids | None
    decoded: Texts | None
    failures: Failures = ()
    packed: Texts | None = None
    kind: Kind = Kind.BOTH
    rounds: Sequence[Rounds] | None = None

    @cached_property
    def failed(self) -> Mapping[int, Failure]:
        """Index of a case to its Failure."""
        return dict(self.failures)

    def __len__(self) -> int:
        return len(self.ids) if self.ids is not None else len(self.decoded or self.packed or self.rounds or ())

    def outcome(self, i: int) -> Outcome:
        """The outcome of one case."""
        failure = self.failed.get(i)
        if failure is not None:
            return failure
        if self.packed is not None:
            return _UNPACK[self.kind](self.packed[i])
        if self.rounds is not None:
            return self.rounds[i].links[-1].outcome
        text = self.text(i)
        if self.ids is None and text is not None:
            return Decoding(text)
        return Encoding(tuple(self.row(i)), text)

    def row(self, i: int) -> list[int]:
        """The ids of one case; none where it has failed, or where only decoding was asked for."""
        if self.ids is None:
            return []
        start, end = self._id_offsets[i : i + 2]
        row: list[int] = self.ids.data[start:end].tolist()
        return row

    def text(self, i: int) -> bytes | None:
        """What the ids of one case were decoded to."""
        if self.decoded is None:
            return None
        start, end = self._text_offsets[i : i + 2]
        return self.decoded.data[start:end]

    @cached_property
    def _id_offsets(self) -> list[int]:
        return [] if self.ids is None else self.ids.offsets.tolist()

    @cached_property
    def _text_offsets(self) -> list[int]:
        return [] if self.decoded is None else self.decoded.offsets.tolist()

    def slice(self, start: int, stop: int) -> Results:
        """The results of the cases from `start` up to `stop` alone."""
        ids = None if self.ids is None else self.ids.slice(start, stop)
        decoded = None if self.decoded is None else self.decoded.slice(start, stop)
        packed = None if self.packed is None else self.packed.slice(start, stop)
        failures = tuple((i - start, failure) for i, failure in self.failures if start <= i < stop)
        rounds = None if self.rounds is None else self.rounds[start:stop]
        return Results(ids, decoded, failures, packed, self.kind, rounds)


def of_rounds(found: Sequence[Rounds]) -> Results:
    """The results of cases whose ids went through their text."""
    failures = tuple((i, one.failure) for i, one in enumerate(found) if one.failure is not None)
    return Results(None, None, failures, rounds=tuple(found))


def merged(request: Request, parts: Mapping[int, Answer]) -> Answer:
    """One answer from the answers to all of a request's parts, each under the index of its first case."""
    if len(parts) == 1:
        return next(iter(parts.values()))
    ordered = sorted(parts.items())
    ids = [part.ids for _, part in ordered if part.ids is not None]
    texts = [part.texts for _, part in ordered if part.texts is not None]
    return Answer(
        Ids.concat(ids) if request.kind.gives_ids else None,
        None if request.kind is Kind.ENCODE else Texts.concat(texts),
        tuple((start + i, failure) for start, part in ordered for i, failure in part.failures),
    )


def spread(
    answer: Answer, kept: Int64s, total: int, others: Sequence[tuple[int, Failure]], kind: Kind = Kind.BOTH
) -> Results:
    """The results of a batch of `total`, from the answer to its `kept` cases and the failures of the others."""
    failures = tuple(sorted([*((int(kept[i]), failure) for i, failure in answer.failures), *others], key=_index))
    ids, texts = answer.ids, answer.texts
    if len(kept) < total:
        ids = None if ids is None else Ids(ids.data, _widened(ids.offsets, kept, total))
        texts = None if texts is None else Texts(texts.data, _widened(texts.offsets, kept, total))
    if kind in _UNPACK:
        return Results(None, None, failures, texts, kind)
    return Results(ids, texts, failures)


def _index(entry: tuple[int, Failure]) -> int:
    return entry[0]


def _widened(offsets: Int64s, kept: Int64s, total: int) -> Int64s:
    """Offsets of `total` cases of which all but the kept ones are empty."""
    lengths = np.zeros(total, dtype=np.int64)
    lengths[kept] = np.diff(offsets)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
