"""Answers, pieces and cases as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any

from tokparity import questions, quirks
from tokparity.behaviour import Stage
from tokparity.questions import Again, Decode, Question, Render, Stream
from tokparity.questions.json_text import literal, to_json
from tokparity.vectors.model import (
    Acceptable,
    Answer,
    Deltas,
    Hashed,
    Placed,
    Prompted,
    Returned,
    Right,
    RightPrompt,
    RightSpans,
    RightStream,
    Vector,
    Wrong,
    allows,
)

_MOST_IDS, _MOST_BYTES = 8, 24
"""A wrong answer of more ids or bytes is stored as a hash."""
RIGHT_IDS, RIGHT_BYTES = 256, 1024
"""So is a right one of more than these."""
_PIECES = 24
"""Ids of which the pieces are shown."""


def fnv1a(data: bytes) -> str:
    """The 32-bit FNV-1a hash as eight hexadecimal digits: five lines in every language."""
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"


def hashed(answer: Answer) -> str:
    """The hash of an answer: of the ids joined by commas, or of the bytes of the text.

    Of a stream it is that of the deltas with a byte 0xFF between them; of spans that of all ids, beginnings and ends.
    Of a prompt with ids it is that of both, with a byte 0xFF between them.
    """
    if isinstance(answer, Prompted):
        return fnv1a(answer.text if answer.ids is None else b"\xff".join((answer.text, _numbers(answer.ids))))
    if isinstance(answer, Deltas):
        return fnv1a(b"\xff".join(answer.texts))
    if isinstance(answer, Returned):
        return fnv1a(b"\xff".join((answer.text, _numbers(answer.ids))))
    if isinstance(answer, Placed):
        return fnv1a(_numbers([*answer.ids, *chain.from_iterable(answer.spans)]))
    return fnv1a(answer if isinstance(answer, bytes) else _numbers(answer or ()))


def _numbers(numbers: Sequence[int]) -> bytes:
    return ",".join(map(str, numbers)).encode()


def short(answer: Answer, most_ids: int = _MOST_IDS, most_bytes: int = _MOST_BYTES) -> Answer | Hashed:
    """The answer, or its hash where it is long, or is neither ids nor a text."""
    if isinstance(answer, Deltas | Placed | Returned | Prompted):
        return Hashed(hashed(answer))
    if answer is None or len(answer) <= (most_bytes if isinstance(answer, bytes) else most_ids):
        return answer
    return Hashed(hashed(answer))


def stored(right: Right) -> Right | Hashed:
    """What is right, as a case has it: of very long ids or texts the hash."""
    return short(right, RIGHT_IDS, RIGHT_BYTES) if isinstance(right, tuple | bytes) else right


def matches(answer: Answer, stored: Right | Hashed) -> bool:
    """Whether an engine's answer is a stored one."""
    if isinstance(stored, Hashed):
        if isinstance(answer, Prompted) and hashed(Prompted(answer.text)) == stored.fnv1a:
            return True  # a wrong text is known without its ids
        return answer is not None and hashed(answer) == stored.fnv1a
    return allows(stored, answer)


def spelled(answer: Right) -> str:
    """An answer, or what is right, as JSON on one line."""
    return literal(_answer(answer))


def case_id(question: Question) -> str:
    """A stable name of a question: its kind's first letter and eight digits of its hash."""
    return f"{question.KIND[0]}-{sha256(literal(questions.to_json(question)).encode()).hexdigest()[:8]}"


def grouped(answers: Mapping[str, Answer]) -> tuple[Wrong, ...]:
    """The wrong answers, each with the faults that give it, in the order of the faults' names."""
    together: dict[Answer, list[str]] = {}
    for name in sorted(answers):
        together.setdefault(answers[name], []).append(name)
    return tuple(Wrong(tuple(names), short(answer)) for answer, names in together.items())


def line(vector: Vector) -> str:
    """A case on one line of JSON."""
    asked = vector.question.to_json()
    if isinstance(vector.question, Render):  # the template stands in the group
        asked = {"conversation": vector.question.conversation.to_json()}
    record: dict[str, Any] = {"id": vector.id, "ask": vector.question.KIND, **asked, "answer": _answer(vector.answer)}
    if len(vector.pieces) <= _PIECES:
        record["pieces"] = [to_json(piece) for piece in vector.pieces]
    record |= {"comment": vector.comment, "tags": list(vector.tags), "level": vector.level}
    if vector.acceptable:
        record["acceptable"] = [_acceptable(one) for one in vector.acceptable]
    record["wrong"] = [{"faults": list(one.faults), "answer": _answer(one.answer)} for one in vector.wrong]
    return literal(record)


def does(name: str) -> str:
    """A quirk's title as the end of a sentence, "an engine that ...", in ASCII."""
    quirk = quirks.get(name)
    ascii_only = "".join(one if one.isascii() else f"U+{ord(one):04X}" for one in quirk.title)
    is_clause = quirk.stage in (Stage.STREAMING, Stage.SPANS)  # "A stream gives ..." has a subject of its own
    return f"{'has this fault: ' if is_clause else ''}{ascii_only[:1].lower()}{ascii_only[1:]}"


def pieces_shown(pieces: Sequence[bytes], question: Question, answer: Right) -> tuple[bytes, ...]:
    """The pieces of the answered ids, or of the ids to decode; none if there are many."""
    row = answer.ids if isinstance(answer, RightSpans | RightPrompt) else answer if isinstance(answer, tuple) else ()
    row = question.ids if isinstance(question, Decode | Stream | Again) else row
    return tuple(pieces[one] for one in row) if len(row) <= _PIECES else ()


def _answer(answer: Right | Hashed) -> object:
    if isinstance(answer, Hashed):
        return {"fnv1a": answer.fnv1a}
    if isinstance(answer, RightStream):
        return {"texts": [to_json(text) for text in answer.texts], "later": list(answer.later)}
    if isinstance(answer, RightSpans):
        return {"ids": list(answer.ids), "outer": list(answer.outer), "must": list(answer.must)}
    if isinstance(answer, Returned):
        return {"text": to_json(answer.text), "ids": list(answer.ids)}
    if isinstance(answer, RightPrompt) and answer.text is None:
        return {"raises": True}
    if isinstance(answer, RightPrompt | Prompted):
        told = {} if answer.ids is None else {"ids": list(answer.ids)}
        return {"prompt": to_json(answer.text or b""), **told}
    if isinstance(answer, Deltas):
        return [to_json(text) for text in answer.texts]
    if isinstance(answer, Placed):
        return {"ids": list(answer.ids), "spans": list(answer.spans)}
    return to_json(answer) if isinstance(answer, bytes) else None if answer is None else list(answer)


def _acceptable(one: Acceptable) -> dict[str, object]:
    return {"answer": _answer(one.answer), "why": one.why} | ({"faults": list(one.faults)} if one.faults else {})
