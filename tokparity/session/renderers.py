"""The renderers of a panel's engines, which make prompts of conversations in bounded processes of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokparity.case import AnyCase
from tokparity.engines.renderers import renderer_of
from tokparity.errors import TokparityError
from tokparity.outcome import Failure
from tokparity.questions import Render

if TYPE_CHECKING:
    from tokparity.engines.process.client import Client
    from tokparity.engines.process.client import Ticket as Answering
    from tokparity.engines.results import Results
    from tokparity.session.panel import Seat


@dataclass
class PromptTicket:
    """Conversations that were put to a renderer; without one, or where it cannot be opened, each has a failure.

    The engine is not lost with its renderer: it may be asked for ids as well.
    """

    count: int
    answering: Answering | None

    @property
    def seconds(self) -> float:
        """As every ticket's."""
        return 0.0 if self.answering is None else self.answering.seconds

    def done(self, seconds: float = 0.0) -> bool:
        """As every ticket's."""
        return self.answering is None or self.answering.done(seconds)

    def result(self) -> Results:
        """The prompts."""
        if self.answering is None:
            return _none(self.count, Failure("unsupported", "it makes no prompts"))
        try:
            return self.answering.result()
        except TokparityError as error:
            return _none(self.count, Failure("unavailable", str(error)))


def prompts(client: Client | None, cases: Sequence[AnyCase]) -> PromptTicket:
    """Put conversations to a renderer; returns at once."""
    from tokparity.engines.buffers import Texts

    packed = [case.question.packed() for case in cases if isinstance(case.question, Render)]
    return PromptTicket(len(cases), None if client is None else client.submit_render(Texts.from_list(packed)))


def _none(count: int, why: Failure) -> Results:
    from tokparity.engines.buffers import Texts
    from tokparity.engines.process.frames import Kind
    from tokparity.engines.results import Results

    return Results(None, None, tuple((i, why) for i in range(count)), Texts.from_list([b""] * count), Kind.RENDER)


class Renderers:
    """Those of engines that have one, each opened when it is first asked."""

    def __init__(self, seats: Mapping[str, Seat]) -> None:
        self._seats = seats
        self._clients: dict[str, Client] = {}

    def asked(self, own: Client, cases: Sequence[AnyCase]) -> Client | None:
        """Who is asked these cases: the engine's `own` process, or for prompts its renderer; None where it has none."""
        if not cases or not isinstance(cases[0].question, Render):
            return own
        from tokparity.chat import renderer
        from tokparity.engines.process.client import Client

        engine = own.engine
        name, seat = renderer_of(engine), self._seats[engine]
        if name and engine not in self._clients:
            self._clients[engine] = Client(
                name, seat.path, seat.options, timeout=renderer.SECONDS, memory=renderer.MEMORY
            )
        return self._clients.get(engine)

    def close(self, engine: str) -> float:
        """End the renderer of an engine; the processor seconds that it took."""
        if (client := self._clients.pop(engine, None)) is None:
            return 0.0
        client.close()
        return client.processor_seconds
