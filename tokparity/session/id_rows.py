"""Which decoded answers of engines are wrong, and how: rows of ids decoded at once or id by id (a stream).

A stream is compared with what its own engine decodes, so no other engine plays a part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tokparity.difference import kind_of_failure
from tokparity.outcome import DEADLY, Streaming

if TYPE_CHECKING:
    from tokparity.engines.results import Results


def known(rows: Sequence[Sequence[int]], pieces: Sequence[bytes]) -> set[int]:
    """The rows of nothing but ids that the model has."""
    return {i for i, row in enumerate(rows) if all(0 <= id < len(pieces) and pieces[id] for id in row)}


def failed(results: Results, refused: Collection[int], known: Collection[int]) -> Iterator[tuple[int, str]]:
    """The rows at which the engine failed, with the kind: it may refuse ids that the model does not have, not die."""
    for index, failure in results.failures:
        if index not in refused and (index in known or failure.kind in DEADLY):
            yield index, kind_of_failure(failure)


def other_texts(expected: Results | None, actual: Results, judged: Collection[int]) -> set[int]:
    """The rows that were decoded to something else than was expected."""
    from tokparity.engines.buffers import differing

    if expected is None or expected.decoded is None or actual.decoded is None:
        return set()
    return set(judged).intersection(differing(expected.decoded, actual.decoded).tolist())


def wrong_streams(results: Results, refused: Collection[int], known: Collection[int]) -> Iterator[tuple[int, str]]:
    """The streams that break a law, or fail, with the kind."""
    from tokparity.engines.streams import broken

    yield from ((index, f"stream-{kind}") for index, kind in failed(results, refused, known))
    for index in broken(results.packed) if results.packed is not None else ():
        outcome = results.outcome(index)
        if index in known and isinstance(outcome, Streaming):
            yield index, f"stream-{outcome.law}"


def right_stream(results: Iterable[Results], index: int) -> Streaming | None:
    """The stream of some engine that breaks no law; None if every engine's stream breaks one."""
    given = (one.outcome(index) for one in results)
    return next((one for one in given if isinstance(one, Streaming) and not one.law), None)
