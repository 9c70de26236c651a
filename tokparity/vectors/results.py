"""The results that a runner writes: on each line of JSON the id of a case, and the engine's answer to it.

The answer is `ids`, or of a row of ids its `text` (or `hex`, the bytes of it), or `error` where the engine raised one.
Of a stream it is `deltas`, of spans `ids` and `spans`, and of ids that are encoded again `text` and `ids`. Of a
conversation it is `prompt`, with or without `ids`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tokparity.case import Case, Origin
from tokparity.errors import FormatError
from tokparity.questions import Again, Decode, Encode, Question, Render, Spans, Stream
from tokparity.questions.json_text import from_json, literal, strict
from tokparity.sources.recording import Recorded, ids_of, numbered_lines
from tokparity.vectors.model import Answer, Deltas, Placed, Prompted, Returned, Vector, Vectors, outcome_of

_FIELDS: Mapping[str, tuple[set[str], ...]] = {
    Stream.KIND: ({"deltas"},),
    Spans.KIND: ({"ids", "spans"},),
    Again.KIND: ({"text", "ids"},),
    Render.KIND: ({"prompt"}, {"prompt", "ids"}),
}
_HINT = 'write {"id": "...", "ids": [...]} on each line, as the runners do'


def read_results(path: Path, vectors: Vectors) -> dict[str, Answer]:
    """The answers by the ids of the cases; FormatError with the number of a line that is none."""
    cases, found = _cases(vectors), dict[str, Answer]()
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


def answers_in(lines: Iterable[str], vectors: Vectors) -> dict[str, Answer]:
    """The answers in lines that `result_line` wrote."""
    cases = _cases(vectors)
    return {case.id: answer for case, answer in (_result(line.encode(), cases) for line in lines)}


def _cases(vectors: Vectors) -> dict[str, Vector]:
    return {case.id: case for part in vectors.parts for case in part.cases}


def result_line(case: Vector, answer: Answer) -> str:
    """One line, as a runner writes it."""
    if answer is None:
        return literal({"id": case.id, "error": None})
    if isinstance(answer, tuple | bytes):
        return literal({"id": case.id, **({"text": answer} if isinstance(answer, bytes) else {"ids": list(answer)})})
    if isinstance(answer, Prompted):
        ids = {} if answer.ids is None else {"ids": list(answer.ids)}
        return literal({"id": case.id, "prompt": answer.text, **ids})
    return literal({"id": case.id, **asdict(answer)}).replace('"texts": ', '"deltas": ', 1)


def recorded(vectors: Vectors, answers: dict[str, Answer], name: str) -> Iterator[Recorded]:
    """The cases with the engine's answers; without those that it may refuse and did."""
    for number, case in enumerate(vectors.cases, 1):
        if case.id in answers:
            given = answers[case.id]
            answer = given if isinstance(given, tuple | bytes) else None
            if answer is not None or all(one.answer is not None for one in case.acceptable):
                yield Recorded(Case(case.question, Origin("corpus", name, number)), outcome_of(answer))


def _apart(question: Question, record: Mapping[str, Any]) -> Answer:
    """An answer to a question that is no plain one."""
    if isinstance(question, Stream):
        return Deltas(tuple(map(from_json, record["deltas"])))
    if isinstance(question, Again):
        return Returned(from_json(record["text"]), ids_of(record["ids"]))
    if isinstance(question, Render):
        return Prompted(from_json(record["prompt"]), ids_of(record["ids"]) if "ids" in record else None)
    pairs = [ids_of(one) for one in record["spans"]]
    return Placed(ids_of(record["ids"]), tuple((start, end) for start, end in pairs))


def _result(line: bytes, cases: dict[str, Vector]) -> tuple[Vector, Answer]:
    record = strict(line, _HINT)
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        raise FormatError(f"{line[:60]!r} has no id")
    if record["id"] not in cases:
        raise FormatError(f"{record['id']!a:.40} is the id of no case in the vectors file")
    case = cases[record["id"]]
    kinds = record.keys() - {"id"}
    if kinds in _FIELDS.get(case.question.KIND, ()):
        return case, _apart(case.question, record)
    if len(kinds) != 1:
        raise FormatError(f"{line[:60]!r} has {len(kinds)} answers, not one")
    (kind,) = kinds
    if kind == "error":
        return case, None
    if case.question.KIND == Encode.KIND and kind == "ids":
        return case, ids_of(record[kind])
    if isinstance(case.question, Decode) and kind in ("text", "hex"):
        return case, from_json(record[kind]) if kind == "text" else bytes.fromhex(record[kind])
    raise FormatError(f"{line[:60]!r} has no answer to {case.id}")
