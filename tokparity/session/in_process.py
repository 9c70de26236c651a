"""Reference tokenizers in this process, with the interface of an engine panel: no worker process, no waiting.

They serve planted faults and models that exist only in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tokparity.case import AnyCase
from tokparity.outcome import Encoding, Failure, Outcome, Spanning, Streaming
from tokparity.questions import Again, Decode, Encode, Question, Spans, Stream
from tokparity.reference.imitate import imitate
from tokparity.rounds import Rounds, rounds
from tokparity.session.judge import Batch

if TYPE_CHECKING:
    from tokparity.engines.results import Results
    from tokparity.reference.tokenizer import Tokenizer


class InProcess:
    """Tokenizers by name. `decodes` says whether the ids are decoded again, as engines do it in a run."""

    def __init__(self, tokenizers: Mapping[str, Tokenizer], decodes: bool = True) -> None:
        self._tokenizers = tokenizers
        self._decodes = decodes

    def results(
        self, batches: Iterable[Sequence[AnyCase]], stop: Callable[[], bool], only: Collection[str] = ()
    ) -> Iterator[Batch]:
        """Each batch with the results of every tokenizer (or of `only` these), in order."""
        for cases in batches:
            if stop():
                return
            names = [name for name in self._tokenizers if not only or name in only]
            yield Batch(cases, {name: answers(self._tokenizers[name], cases, self._decodes) for name in names})


def answers(
    tokenizer: Tokenizer, cases: Sequence[AnyCase], decodes: bool = True, skip_special: bool | None = None
) -> Results:
    """What a tokenizer makes of cases with alike questions; what it raises is the Failure of that case alone.

    Where a text's ids are decoded again, special tokens are left out or not, as asked, else unless they are parsed.
    """
    from tokparity.engines.buffers import Ids, Texts
    from tokparity.engines.results import Results, of_rounds

    asked_again = [case.question for case in cases if isinstance(case.question, Again)]
    if asked_again:
        return of_rounds(_rounds(tokenizer, asked_again))
    outcomes = [answer(tokenizer, case.question, decodes, skip_special) for case in cases]
    failures = tuple((i, outcome) for i, outcome in enumerate(outcomes) if isinstance(outcome, Failure))
    if cases and isinstance(cases[0].question, Stream | Spans):
        from tokparity.engines import spans, streams
        from tokparity.engines.process.frames import Kind

        kind = Kind.SPANS if isinstance(cases[0].question, Spans) else Kind.STREAM
        given = [
            spans.packed(o) if isinstance(o, Spanning) else streams.packed(o) if isinstance(o, Streaming) else b""
            for o in outcomes
        ]
        return Results(None, None, failures, Texts.from_list(given), kind)
    texts = [getattr(outcome, "decoded", None) or b"" for outcome in outcomes]
    if cases and isinstance(cases[0].question, Decode):
        return Results(None, Texts.from_list(texts), failures)
    rows = [outcome.ids if isinstance(outcome, Encoding) else () for outcome in outcomes]
    return Results(Ids.from_list(rows), Texts.from_list(texts) if decodes else None, failures)


def _rounds(tokenizer: Tokenizer, questions: Sequence[Again]) -> list[Rounds]:
    """What a tokenizer makes of texts that are encoded again."""
    asking = rounds(questions)
    plain: Sequence[Encode | Decode] = next(asking)
    try:
        while True:
            plain = asking.send([answer(tokenizer, question, decodes=False) for question in plain])
    except StopIteration as end:
        found: list[Rounds] = end.value
        return found


def answer(
    tokenizer: Tokenizer | Callable[[], Tokenizer], question: Question, decodes: bool, skip_special: bool | None = None
) -> Outcome:
    """The answer of a tokenizer, or of the one that a function builds, to one question."""
    # Where special tokens are parsed, the text only comes back if they are shown.
    hides = not getattr(question, "parse_special", False) if skip_special is None else skip_special
    return imitate(tokenizer, question, decodes, hides)
