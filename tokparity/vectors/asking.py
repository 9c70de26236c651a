"""An engine that is a Python object, asked the cases of a vectors file one by one; pytest's plugin does so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokparity.questions import Encode
from tokparity.questions.json_text import as_bytes, literal, to_json
from tokparity.vectors.model import Answer, Hashed, Vector, Vectors
from tokparity.vectors.naming import is_right, judge, sentences, showing


def can_be_asked(case: Vector, engine: Any) -> bool:
    """Whether the engine has what the case asks for; `decode` may be missing."""
    return isinstance(case.question, Encode) or hasattr(engine, "decode")


def answer(case: Vector, engine: Any) -> Answer:
    """The answer of `encode(text, add_special, parse_special)` or `decode(ids, skip_special)`; None for an error.

    A text is str, or bytes where it is not valid UTF-8.
    """
    question = case.question
    try:
        if isinstance(question, Encode):
            spelled = to_json(question.text)
            text = spelled if isinstance(spelled, str) else question.text
            return tuple(int(one) for one in engine.encode(text, question.add_special, question.parse_special))
        return as_bytes(engine.decode(list(question.ids), question.skip_special))
    except Exception:  # an engine may raise anything; it is the failure of this case
        return None


def why_wrong(case: Vector, given: Answer) -> str:
    """Say what is wrong with an answer, and which known faults give it; empty if the answer is right or acceptable."""
    if is_right(case, given):
        return ""
    faults = ", ".join(showing(case, given)) or "no known fault"
    rows = {"asked": case.question.literal, "right": _shown(case.answer), "yours": _shown(given), "fault": faults}
    return "\n".join([f"{case.id}: {case.comment}", *(f"  {title} {value[:200]}" for title, value in rows.items())])


def summary(vectors: Vectors, answers: Mapping[str, Answer]) -> Iterator[str]:
    """How many cases pass, and the faults that the others show."""
    outcome = judge(vectors, answers)
    yield from sentences(vectors, outcome)
    passed = outcome.asked - len(outcome.failed)
    yield f"{passed} of {outcome.asked} cases of {vectors.model} pass; the file has {len(vectors.cases)}"


def _shown(given: Answer | Hashed) -> str:
    if isinstance(given, Hashed):
        return f"a long answer with the hash {given.fnv1a}"
    return "an error" if given is None else literal(given)
