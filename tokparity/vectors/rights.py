"""What is right of a question: one answer, or what is true of each right answer where there are several."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.errors import TokparityError
from tokparity.laws import bounds
from tokparity.outcome import Place
from tokparity.questions import Again, Question, Spans, Stream
from tokparity.reference.imitate import imitate
from tokparity.reference.spans import spanned
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.model import Returned, Right, RightSpans, RightStream, allows, answer_of


def right_of(tokenizer: Tokenizer, question: Question) -> Right:
    """What the right tokenizer holds an answer to; None where it has none itself, or none that obeys the laws."""
    if isinstance(question, Stream | Spans):
        answer = answer_of(imitate(tokenizer, question))
        if answer is None:
            return None
        right = _stream(tokenizer, question) if isinstance(question, Stream) else _spans(tokenizer, question)
        return right if allows(right, answer) else None
    return returned(tokenizer, question) if isinstance(question, Again) else answer_of(imitate(tokenizer, question))


def returned(tokenizer: Tokenizer, question: Again) -> Returned | None:
    """What becomes of ids: their text, and the ids of that."""
    try:
        text = tokenizer.decode(question.ids, question.skip_special)
        return Returned(text, tuple(tokenizer.encode(text, question.add_special, question.parse_special)))
    except TokparityError:
        return None


def _stream(tokenizer: Tokenizer, question: Stream) -> RightStream:
    prefill, ids, hides = question.prefill, question.ids, question.skip_special
    before = tokenizer.decode(prefill, hides) if prefill else b""
    texts = [tokenizer.decode((*prefill, *ids[:count]), hides) for count in range(1, len(ids) + 1)]
    whole = texts[-1] if texts else before
    joined, later = bounds(len(ids), whole, before, lambda count: texts[count - 1])
    return RightStream(tuple(joined), tuple(later))


def _spans(tokenizer: Tokenizer, question: Spans) -> RightSpans:
    text = question.text.decode()
    found = spanned(tokenizer, text, question.add_special, question.parse_special)
    return RightSpans(found.ids, found.reach, tuple(_runs(text, found.spans)))


def _runs(text: str, spans: Sequence[Place]) -> list[Place]:
    """The characters of spans that are no white space, as places without gaps."""
    runs: list[Place] = []
    for at in sorted({at for start, end in spans for at in range(start, end) if not text[at].isspace()}):
        if runs and runs[-1][1] == at:
            runs[-1] = runs[-1][0], at + 1
        else:
            runs.append((at, at + 1))
    return runs
