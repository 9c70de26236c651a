"""`tokparity fuzz`: texts made to break tokenizers, before one model's engines, until time or cases are up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokparity import generators
from tokparity.chat.cases import prompts_of
from tokparity.finding import Finding, Mismatch
from tokparity.fuzz.coverage import Share
from tokparity.fuzz.needed import Needed
from tokparity.fuzz.rows import Rows
from tokparity.fuzz.state import State
from tokparity.fuzz.steered import Steered
from tokparity.fuzz.steering import Steering
from tokparity.generators.subject import Subject
from tokparity.outcome import TIMEOUT
from tokparity.questions import Decode, Encode, Render
from tokparity.report.file import ReportWriter
from tokparity.report.model import Ended, Footer, Pair
from tokparity.session import ASKED, TEXTS
from tokparity.session.belonging import turn_away
from tokparity.session.clock import Clock
from tokparity.session.events import LeftOut, Listener
from tokparity.session.evidence import Keep
from tokparity.session.one_model import needed_cases
from tokparity.session.outage import WAIT
from tokparity.session.panel import EnginePanel
from tokparity.session.seats import seat
from tokparity.session.session import Session

if TYPE_CHECKING:
    from tokparity.models import Model

SECONDS = 60.0
"""How long to fuzz where neither --seconds nor --cases says."""

KEEP = Keep(mismatches=50)


@dataclass(frozen=True)
class Options:
    """What to fuzz with. Empty `engines` and `generators` mean all; without `cases` and `seconds` only `stop` ends it.

    `timeout` is the seconds a small batch may take.
    """

    engines: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    cases: int | None = None
    seconds: float | None = None
    seed: int = 0
    keep: Keep = KEEP
    timeout: float = TIMEOUT
    wait: float = WAIT
    ask: tuple[str, ...] = ASKED
    """The kinds of question."""


@dataclass(frozen=True)
class FuzzResult:
    """The result of a search."""

    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    coverage: Mapping[str, Share]
    ended: Ended

    @property
    def new(self) -> tuple[Finding, ...]:
        """Findings that are neither known nor accepted."""
        return tuple(finding for finding in self.findings if finding.is_new)


def fuzz(
    model: Model,
    options: Options,
    writer: ReportWriter,
    listener: Listener,
    stop: threading.Event | None = None,
    save: Callable[[State], None] = lambda state: None,
    resumed: tuple[State, Sequence[Mismatch]] | None = None,
) -> FuzzResult:
    """Fuzz one model and write the report, footer included.

    `save` receives, now and then and at the end, what a later run needs to continue. `resumed` is what it received,
    and the mismatches that the report already holds.
    """
    started = time.monotonic()
    clock = Clock(options.seconds, stop or threading.Event())
    seating, decodes = seat(model, options.engines), Decode.KIND in options.ask
    panel_of = partial(EnginePanel, timeout=options.timeout, interrupted=clock.stop.is_set, wait=options.wait)
    with panel_of(seating.one_by_one(), decodes=decodes) as panel:
        session = Session.of(model, seating, panel, clock, writer, options.keep)
        session.puts_accepted = False
        subject = Subject(seating.source.vocabulary, seating.source.behaviour)
        source = _source(model, subject, options)
        needed = Needed(
            needed_cases(model, subject, seating.shown, options.ask), () if resumed is None else resumed[0].put
        )
        if resumed is not None:
            state, known = resumed
            state.check(session.recorder.engines, known, model.name)
            source.restore(state.search, known)
            session.recorder.resume(known, state.tallies, state.counts)
        session.checkpoint = lambda: save(_state(source, needed, session))
        session.checkpoint()  # however soon it is killed, there is something to go on with
        for why in turn_away(panel, seating.source, model):
            listener(LeftOut(model.name, "put", why))
        made = prompts_of(seating.source, options.ask, model.name, writer.note) if resumed is None else []
        searches = [source] if {*options.ask} != {Render.KIND} else []
        for event in session.run([needed, *made, *searches]):
            listener(event)
    coverage = source.coverage.shares()
    shares = ", ".join(f"{name} {share.reached} of {share.of}" for name, share in coverage.items())
    fallbacks = ", ".join(source.coverage.fallbacks) or "none"
    writer.note(f"coverage of {model.name}: {shares}; kinds of fallback: {fallbacks}")
    writer.close(Footer(session.ended, time.monotonic() - started))
    return FuzzResult(tuple(session.pairs), tuple(session.findings), coverage, session.ended)


def _source(model: Model, subject: Subject, options: Options) -> Steered:
    steering = Steering(subject, options.generators or generators.names(), options.seed)
    kinds = [kind for kind in options.ask if kind not in (Encode.KIND, Render.KIND)]
    rows = Rows(subject, options.seed, kinds) if kinds else None
    return Steered(subject, model.oracle, steering, rows, options.cases, not TEXTS.isdisjoint(options.ask))


def _state(source: Steered, needed: Needed, session: Session) -> State:
    """Where a run stands."""
    recorder = session.recorder
    return State(source.state(), dict(recorder.tallies), recorder.counts(), needed.put)
