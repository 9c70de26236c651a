"""What an engine that behaves like a reference tokenizer would answer: an answer or a Failure, never an exception.

A quirk that represents a crash raises AbortedError, which is a crash. A quirk that does not fit a model (Viterbi
without scores) may raise anything. That is an error: such an engine could not be run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokparity.behaviour import Behaviour
from tokparity.errors import AbortedError
from tokparity.laws import judged
from tokparity.outcome import Decoding, Encoding, Failure, Outcome, Streaming
from tokparity.questions import Again, Decode, Encode, Question, Spans, Stream
from tokparity.reference.spans import spanned
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary


def imitate(
    tokenizer: Tokenizer | Callable[[], Tokenizer], question: Question, decodes: bool = False, hides: bool = True
) -> Outcome:
    """The answer to a question; where that is ids and it `decodes`, also their text, which `hides` special tokens.

    Of a text that is encoded again it is the answer to the first step.
    `tokenizer` may be a function that builds it: what it raises is the outcome as well.
    """
    try:
        question = question.first if isinstance(question, Again) else question
        built = tokenizer if isinstance(tokenizer, Tokenizer) else tokenizer()
        if type(question) is Encode:  # not one of Spans, which comes below
            ids = built.encode(question.text, question.add_special, question.parse_special)
            return Encoding(tuple(ids), built.decode(ids, hides) if decodes else None)
        if isinstance(question, Decode):
            return Decoding(built.decode(question.ids, question.skip_special))
        if isinstance(question, Stream):
            return _streamed(built, question)
        if isinstance(question, Spans):
            return spanned(built, question.text.decode(), question.add_special, question.parse_special)
        return Failure("unsupported", "a tokenizer makes no prompts")
    except Exception as error:  # a behavior that does not fit the model may raise anything
        return _failure(error)


def _streamed(tokenizer: Tokenizer, question: Stream) -> Streaming:
    """The deltas, held against the same tokenizer's decoding of all rows that are shorter."""
    prefill, ids, hides = question.prefill, question.ids, question.skip_special
    deltas = tuple(tokenizer.stream(prefill, ids, hides))
    before = tokenizer.decode(prefill, hides) if prefill else b""
    whole = tokenizer.decode((*prefill, *ids), hides)
    return judged(deltas, whole, before, lambda count: tokenizer.decode((*prefill, *ids[:count]), hides))


def imitate_decoding(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> Outcome:
    """What ids decode to; only `behaviour.skip_special` says whether special tokens are left out.

    No tokenizer is built, for decoding needs none.
    """
    try:
        return Decoding(behaviour.decode(vocabulary, behaviour, ids))
    except Exception as error:  # as above
        return _failure(error)


def _failure(error: Exception) -> Failure:
    if isinstance(error, AbortedError):
        return Failure("crash", error.message)
    return Failure("error", f"{type(error).__name__}: {error}")
