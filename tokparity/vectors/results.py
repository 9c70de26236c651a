"""The results that a runner writes: on each line of JSON the id of a case, and the engine's answer to it.

The answer is `ids`, or of a row of ids its `text` (or `hex`, the bytes of it), or `error` where the engine raised one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tokparity.case import Case, Origin
from tokparity.errors import FormatError
from tokparity.questions import Encode
from tokparity.questions.json_text import from_json, literal, strict
from tokparity.sources.recording import Recorded, ids_of, numbered_lines
from tokparity.vectors.model import Answer, Vector, Vectors, outcome_of

_HINT = 'write {"id": "...", "ids": [...]} on each line, as the runners do'


def read_results(path: Path, vectors: Vectors) -> dict[str, Answer]:
    """The answers by the ids of the cases; FormatError with the number of a line that is none."""
    cases = {case.id: case for case in vectors.cases}
    found: dict[str, Answer] = {}
    for number, line in numbered_lines(path):
        try:
            case, answer = _result(line, cases)
        except (FormatError, ValueError, TypeError) as error:
            told = error.message if isinstance(error, FormatError) else str(error)
            raise FormatError(f"{str(path)!r} line {number}: {told}", _HINT) from error
        if case.id in found:
            raise FormatError(f"{str(path)!r} line {number}: {case.id} is there twice", "run the runner again")
        found[case.id] = answer
    if not found:
        raise FormatError(f"{str(path)!r} has no results", _HINT)
    return found


def result_line(case: Vector, answer: Answer) -> str:
    """One line, as a runner writes it."""
    if answer is None:
        return literal({"id": case.id, "error": None})
    return literal({"id": case.id, **({"text": answer} if isinstance(answer, bytes) else {"ids": list(answer)})})


def recorded(vectors: Vectors, answers: dict[str, Answer], name: str) -> Iterator[Recorded]:
    """The cases with the engine's answers; without those that it may refuse and did."""
    for number, case in enumerate(vectors.cases, 1):
        if case.id in answers:
            answer = answers[case.id]
            if answer is not None or all(one.answer is not None for one in case.acceptable):
                yield Recorded(Case(case.question, Origin("corpus", name, number)), outcome_of(answer))


def _result(line: bytes, cases: dict[str, Vector]) -> tuple[Vector, Answer]:
    record = strict(line, _HINT)
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        raise FormatError(f"{line[:60]!r} has no id")
    if record["id"] not in cases:
        raise FormatError(f"{record['id']!a:.40} is the id of no case in the vectors file")
    case = cases[record["id"]]
    kinds = record.keys() - {"id"}
    if len(kinds) != 1:
        raise FormatError(f"{line[:60]!r} has {len(kinds)} answers, not one")
    (kind,) = kinds
    if kind == "error":
        return case, None
    if isinstance(case.question, Encode) and kind == "ids":
        return case, ids_of(record[kind])
    if not isinstance(case.question, Encode) and kind in ("text", "hex"):
        return case, from_json(record[kind]) if kind == "text" else bytes.fromhex(record[kind])
    raise FormatError(f"{line[:60]!r} has no answer to {case.id}")
