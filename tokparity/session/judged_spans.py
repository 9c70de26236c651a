"""Which spans of an engine are wrong: those that break a law, by what the reference says of the same text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from tokparity.difference import kind_of_failure
from tokparity.outcome import Answer, Encoding, Outcome, Spanning, Streaming
from tokparity.questions import Spans
from tokparity.span_laws import judged

if TYPE_CHECKING:
    from tokparity.session.judge import Batch


def outcome_of(batch: Batch, engine: str, index: int, knowing: str) -> Outcome:
    """What an engine answered; spans with the law that they break, by what the engine `knowing` says."""
    found, question = batch.results[engine].outcome(index), batch.cases[index].question
    if not isinstance(found, Spanning) or not isinstance(question, Spans):
        return found
    known = batch.results[knowing].outcome(index) if knowing in batch.results else None
    return judged(question.text.decode(), found, known if isinstance(known, Spanning) else None)


def wrong_spans(batch: Batch, engine: str, refused: Collection[int], knowing: str) -> Iterator[tuple[int, str]]:
    """The texts whose spans break a law, or at which the engine failed, with the kind."""
    results = batch.results[engine]
    yield from ((i, f"spans-{kind_of_failure(failure)}") for i, failure in results.failures if i not in refused)
    for index in range(len(batch.cases)):
        if index not in results.failed:
            outcome = outcome_of(batch, engine, index, knowing)
            if isinstance(outcome, Spanning) and outcome.law:
                yield index, f"spans-{outcome.law}"


def by_itself(actual: Outcome) -> Answer | None:
    """What would be right of an answer that laws judge: of other ids those alone, of spans nothing where unknown."""
    if isinstance(actual, Streaming):
        return Streaming(actual.right)
    if isinstance(actual, Spanning) and actual.encoded is not None:
        return Encoding(actual.encoded)
    return Spanning(actual.ids if actual.right else (), actual.right) if isinstance(actual, Spanning) else None
