"""Sends batches to one engine's process, and collects the answers with the time that each took."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from tokparity.case import AnyCase, Case, texts_of
from tokparity.errors import TokparityError
from tokparity.questions import Again, Decode, Encode, Render, Spans, Stream
from tokparity.rounds import rounds
from tokparity.session.outage import held
from tokparity.session.renderers import prompts
from tokparity.session.slowness import NoTimeLeftError, Slowness

if TYPE_CHECKING:
    from tokparity.engines.process.client import Client
    from tokparity.engines.results import Results

_LOOK = 0.01
"""Seconds between two looks at whether a run is to end that waits for a batch."""

_QUICK = 0.02
"""Seconds within which a batch is not a slow one, whatever was asked."""


class Ticket(Protocol):
    """Cases that were put to an engine; `result` waits for what came of them, and raises where the engine is lost."""

    @property
    def seconds(self) -> float:
        """What the engine has taken for it; of a batch that is answered."""

    def done(self, seconds: float = 0.0) -> bool:
        """Whether, after this many seconds at most, `result` would not wait."""

    def result(self) -> Results:
        """The answers."""


class RoundsTicket:
    """Texts that are encoded again: step by step, as plain questions, each put when the one before is answered."""

    def __init__(self, client: Client, questions: Sequence[Again]) -> None:
        self.seconds = 0.0
        self._client, self._asking = client, rounds(questions)
        self._results: Results | None = None
        self._error: TokparityError | None = None
        self._under_way = self._put(next(self._asking))

    def done(self, seconds: float = 0.0) -> bool:
        """Whether all steps are answered; the next one is put where one is, and may take as many seconds again."""
        while self._results is None and self._error is None:
            if not self._under_way.done(seconds):
                return False
            self._further()
        return True

    def result(self) -> Results:
        """All steps of each case; an engine that dies or refuses a step has a Failure for that case alone."""
        while self._results is None:
            if self._error is not None:
                raise self._error
            self._further()
        return self._results

    def _further(self) -> None:
        from tokparity.engines.results import of_rounds

        try:
            answered = self._under_way.result()
            self.seconds += self._under_way.seconds
            self._under_way = self._put(self._asking.send([answered.outcome(i) for i in range(len(answered))]))
        except StopIteration as end:
            self._results = of_rounds(end.value)
        except TokparityError as error:
            self._error = error

    def _put(self, questions: Sequence[Encode | Decode]) -> Ticket:
        return submit(self._client, [Case(question) for question in questions], decodes=False)


def submit(client: Client | None, cases: Sequence[AnyCase], decodes: bool = True) -> Ticket:
    """Put cases (whose questions are of one kind and have the same flags) to an engine; returns at once.

    `decodes` says whether the ids of texts are decoded again, by engines that can. Conversations are put to the client
    of a renderer; an engine that has none has no client.
    """
    from tokparity.engines.buffers import Ids, Texts
    from tokparity.engines.process.frames import Kind

    first = cases[0].question
    if client is None or isinstance(first, Render):
        return prompts(client, cases)
    if isinstance(first, Again):
        return RoundsTicket(client, [case.question for case in cases if isinstance(case.question, Again)])
    if isinstance(first, Stream):
        streams = [case.question.row for case in cases if isinstance(case.question, Stream)]
        return client.submit_decode(Ids.from_list(streams), first.skip_special, Kind.STREAM)
    if isinstance(first, Decode):
        rows = [case.question.ids for case in cases if isinstance(case.question, Decode)]
        return client.submit_decode(Ids.from_list(rows), first.skip_special)
    texts = Texts.from_list(texts_of(cases))
    if isinstance(first, Spans):
        return client.submit_spans(texts, first.add_special, first.parse_special)
    able = client.capabilities
    # With special tokens left out, the decoded ids can be the text again; so this is what all are asked.
    skip = True if decodes and able.decodes and True in able.skip_special else None
    return client.submit(texts, first.add_special, first.parse_special, skip)


@dataclass(frozen=True)
class Limits:
    """What is not begun when `stop` says so, and what is given up when all is `over`. A server that does not answer
    has some seconds to `wait`."""

    wait: float
    stop: Callable[[], bool]
    over: Callable[[], bool]


def answered(
    client: Client | None, cases: Sequence[AnyCase], ticket: Ticket, slowness: Slowness, limits: Limits, decodes: bool
) -> Results | None:
    """As `taken`, and where the engine is away, when it is back; None where the run is over before.

    Raises EngineError where the engine stays away.
    """

    def stop() -> bool:
        return limits.stop() or limits.over()

    def again() -> Results:
        return taken(client, cases, submit(client, cases, decodes), slowness, stop)

    return held(taken(client, cases, ticket, slowness, stop), again, limits.wait, limits.over)


def taken(
    client: Client | None, cases: Sequence[AnyCase], ticket: Ticket, slowness: Slowness, stop: Callable[[], bool]
) -> Results:
    """The results of cases that were submitted; waits for them. Texts that are slow have a Failure.

    They are put again to find that out, until told to stop. Rows of ids are not watched: what they decode to is as long
    as they are.
    """
    results = ticket.result()
    question = cases[0].question
    if client is None or type(question) is not Encode or ticket.seconds < _QUICK:
        return results
    return slowness.marked(texts_of(cases), results, ticket.seconds, _Timed(client, question, stop))


@dataclass(frozen=True)
class _Timed:
    """Runs texts with the flags of one question, and takes the time."""

    client: Client
    question: Encode
    stop: Callable[[], bool]

    def each(self, texts: Sequence[bytes]) -> list[tuple[Results, float]]:
        """One after the other: answers that arrive together cannot be told apart by time."""
        return [self._put([text]) for text in texts]

    def together(self, texts: Sequence[bytes]) -> float:
        """The seconds that they take as one batch."""
        return self._put(texts)[1]

    def _put(self, texts: Sequence[bytes]) -> tuple[Results, float]:
        if self.stop():
            raise NoTimeLeftError
        ticket = submit(self.client, [Case(replace(self.question, text=text)) for text in texts])
        while not ticket.done(_LOOK):
            if self.stop():
                raise NoTimeLeftError
        return ticket.result(), ticket.seconds
