"""An engine that is a Python object, asked the cases of a vectors file one by one; pytest's plugin does so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokparity.questions import Again, Encode, Render, Spans, Stream
from tokparity.questions.json_text import as_bytes, to_json
from tokparity.vectors.model import Answer, Deltas, Hashed, Placed, Prompted, Returned, Right, Vector, Vectors
from tokparity.vectors.naming import is_right, judge, sentences, showing
from tokparity.vectors.spelling import spelled


def can_be_asked(case: Vector, engine: Any) -> bool:
    """Whether the engine has what the case asks for; all but `encode` may be missing."""
    return hasattr(engine, "decode" if isinstance(case.question, Again) else case.question.KIND)


def answer(case: Vector, engine: Any) -> Answer:
    """The answer of `encode(text, add_special, parse_special)` or `decode(ids, skip_special)`; None for an error.

    `stream(prefill, ids, skip_special)` gives a text for each id and one at the end. `spans(text, add_special,
    parse_special)` gives ids and a pair of characters for each. `render(template, tokens, conversation)` gives a
    prompt, or a pair of it and its ids. A text is str, or bytes where it is not valid UTF-8.
    """
    question = case.question
    try:
        if isinstance(question, Spans):
            ids, spans = engine.spans(question.text.decode(), question.add_special, question.parse_special)
            return Placed(tuple(map(int, ids)), tuple((int(start), int(end)) for start, end in spans))
        if isinstance(question, Encode):
            return _encoded(question, engine)
        if isinstance(question, Stream):
            deltas = engine.stream(list(question.prefill), list(question.ids), question.skip_special)
            return Deltas(tuple(map(as_bytes, deltas)))
        if isinstance(question, Render):
            return _prompted(question, engine)
        text = as_bytes(engine.decode(list(question.ids), question.skip_special))
        return Returned(text, _encoded(question.encode(text), engine)) if isinstance(question, Again) else text
    except Exception:  # an engine may raise anything; it is the failure of this case
        return None


def _prompted(question: Render, engine: Any) -> Prompted:
    given = engine.render(question.template.text, dict(question.tokens), question.conversation.to_json())
    text, *ids = [given] if isinstance(given, str | bytes) else given
    return Prompted(as_bytes(text), tuple(map(int, ids[0])) if ids else None)


def _encoded(question: Encode, engine: Any) -> tuple[int, ...]:
    found = to_json(question.text)
    text = found if isinstance(found, str) else question.text
    return tuple(int(one) for one in engine.encode(text, question.add_special, question.parse_special))


def why_wrong(case: Vector, given: Answer) -> str:
    """Say what is wrong with an answer, and which known faults give it; empty if the answer is right or acceptable."""
    if is_right(case, given):
        return ""
    faults = ", ".join(showing(case, given)) or "no known fault"
    rows = {"asked": case.question.literal, "right": _shown(case.answer), "yours": _shown(given), "fault": faults}
    return "\n".join([f"{case.id}: {case.comment}", *(f"  {title} {value[:200]}" for title, value in rows.items())])


def summary(vectors: Vectors, answers: Mapping[str, Answer]) -> Iterator[str]:
    """How many cases pass, and the faults that the others show."""
    passed = asked = 0
    for part in vectors.parts:
        outcome = judge(part, answers)
        yield from sentences(part, outcome)
        passed, asked = passed + outcome.asked - len(outcome.failed), asked + outcome.asked
    yield f"{passed} of {asked} cases of {vectors.model} pass; the file has {vectors.size}"


def _shown(given: Right | Hashed) -> str:
    if isinstance(given, Hashed):
        return f"a long answer with the hash {given.fnv1a}"
    return "an error" if given is None else spelled(given)
