"""Which decoded answers of engines are wrong, and how: rows of ids decoded at once or id by id (a stream).

A stream is compared with what its own engine decodes, so no other engine plays a part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tokparity.difference import kind_of_failure
from tokparity.laws import TAKES_BACK
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


def wrong_streams(
    results: Results, refused: Collection[int], known: Collection[int], oracle: Results | None, second: Results | None
) -> Iterator[tuple[int, str]]:
    """The streams that break a law, or fail, with the kind.

    Where the oracle's decoding takes text back, no stream is right, and that is right. Where the stream of the `second`
    judge, the reference, breaks a law, no stream is known that would be right.
    """
    yield from ((index, f"stream-{kind}") for index, kind in failed(results, refused, known))
    unjudged = {index for index, law in _laws(oracle) if law == TAKES_BACK} | {index for index, _ in _laws(second)}
    for index, law in _laws(results):
        if index in known and index not in unjudged:
            yield index, f"stream-{law}"


def _laws(results: Results | None) -> Iterator[tuple[int, str]]:
    """The streams that break a law, with it; of an engine that was not asked there are none."""
    from tokparity.engines.streams import broken

    if results is None or results.packed is None:
        return
    for index in broken(results.packed):
        if isinstance(outcome := results.outcome(index), Streaming):
            yield index, outcome.law


def right_stream(results: Iterable[Results], index: int) -> Streaming | None:
    """The stream of some engine that breaks no law; None if every engine's stream breaks one."""
    given = (one.outcome(index) for one in results)
    return next((one for one in given if isinstance(one, Streaming) and not one.law), None)
