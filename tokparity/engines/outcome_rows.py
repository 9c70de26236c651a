"""Questions and their answers as rows of a recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.questions import Encode, Question, Render, Stream

if TYPE_CHECKING:
    from tokparity.case import AnyCase
    from tokparity.engines.results import Results


def rows_of(model: str, cases: Sequence[AnyCase], results: Results) -> Iterator[dict[str, object]]:
    """One row for each case; of what is encoded again, one for each plain question on the way."""
    for place, case in enumerate(cases):
        about = {"model": model, "origin": str(case.origin)}
        if results.rounds is None:
            yield {**about, **_question(case.question), **_outcome(results, place)}
            continue
        for link in results.rounds[place].links:
            yield {**about, **_question(link.question), **_of_outcome(link.outcome)}


def _question(question: Question) -> dict[str, object]:
    """A question as a row has it; all but texts have no flags of encoding."""
    if isinstance(question, Encode):
        flags = {"add_special": question.add_special, "parse_special": question.parse_special}
        return {"kind": question.KIND, "text": question.text, **flags, "row": (), "skip_special": True}
    if isinstance(question, Render):
        flags = {"add_special": False, "parse_special": False}
        return {"kind": question.KIND, "text": question.packed(), **flags, "row": (), "skip_special": True}
    row = question.row if isinstance(question, Stream) else question.ids
    asked = {"kind": question.KIND, "text": b"", "add_special": False, "parse_special": False}
    return {**asked, "row": row, "skip_special": question.skip_special}


def _outcome(results: Results, place: int) -> dict[str, object]:
    outcome = results.outcome(place)
    if results.packed is not None and not isinstance(outcome, Failure):
        return {"ids": (), "decoded": results.packed[place]}
    return _of_outcome(outcome)


def _of_outcome(outcome: Outcome) -> dict[str, object]:
    if isinstance(outcome, Failure):
        return {"failure": outcome.kind, "message": outcome.message, "signal": outcome.signal}
    return {"ids": outcome.ids if isinstance(outcome, Encoding) else (), "decoded": outcome.decoded}
