"""Which engines open a model, and what each of them opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokparity import engines, models
from tokparity.engines import deviations, engine_name
from tokparity.engines.process import fork_servers
from tokparity.engines.protocol import ANY
from tokparity.errors import TokparityError
from tokparity.report.oracles import EXPORTED
from tokparity.session.judge import REFERENCE
from tokparity.session.panel import Seat

if TYPE_CHECKING:
    from tokparity.formats import Source
    from tokparity.models import Model


@dataclass(frozen=True)
class Seating:
    """The engines of a run of one model.

    `shown` are the engines to report on. `seats` are those that can take part; the oracle and the reference always try
    to, because they judge. `unavailable` says why the others cannot. `read` gives `source`, and may take its time.
    """

    shown: Sequence[str]
    seats: Sequence[Seat]
    unavailable: Mapping[str, str]
    read: Callable[[], Source]

    @property
    def source(self) -> Source:
        """What the model's most trustworthy file says."""
        return self.read()

    def of(self, engine: str) -> Seat | None:
        """What an engine opens; None where it takes no part."""
        return next((seat for seat in self.seats if seat.engine == engine), None)


def seat(model: Model, asked: Sequence[str], quick: bool = False) -> Seating:
    """Prepare the model for the engines that were asked for, or for all where none was named (see `left_out`)."""
    shown = list(dict.fromkeys((model.oracle, *(asked or _by_default(model, quick)))))
    seats, unavailable = [], {}
    for engine in dict.fromkeys((*shown, REFERENCE)):
        try:
            seats.append(seat_one(model, engine))
        except TokparityError as error:
            unavailable[engine] = str(error)
    return Seating(shown, seats, unavailable, partial(models.primary_source, model))


def begin(model: Model, asked: Sequence[str], quick: bool = False) -> None:
    """Let processes import the libraries of the engines that were asked for, while other things are prepared."""
    for engine in (model.oracle, *(asked or _by_default(model, quick))):
        with suppress(TokparityError):  # told where the engine is seated
            if needed := engines.imports(engine):
                engines.get(engine).version()  # what is not installed need not be waited for
                fork_servers.begin(needed)


def seat_one(model: Model, engine: str) -> Seat:
    """What one engine opens for the model; an error says why it cannot: not installed, or the model is beyond it."""
    found = engines.get(engine)
    found.version()  # what is not installed need not be exported to
    formats = found.CAPABILITIES.formats
    if engine_name.parse(engine).base == REFERENCE or formats == ANY:
        # The reference is to be what the oracle is, so it reads what the oracle reads.
        formats = (models.primary_format(model),)
    prepared = models.prepare(model, formats)
    source = f"{prepared.format}, {EXPORTED}" if prepared.exported else prepared.path.name
    return Seat(engine, str(prepared.path), prepared.options, source, prepared.exported)


def left_out(model: Model) -> list[str]:
    """The engines that a quick run leaves out: those that run another one, which is asked, under a layer of their own.

    The oracle is none of them, nor what the model's file or its list of accepted findings names.
    """
    if model.engines is not None:
        return []
    fit = [name for name in engines.names() if _fits(name, model)]
    needed = {model.oracle, *(entry.engine for entry in model.accepted)}
    return [name for name in fit if name not in needed and set(deviations.runs(name)) & set(fit)]


def _by_default(model: Model, quick: bool) -> list[str]:
    """The engines that the model's file lists, else all that suit its format; the reference last."""
    listed = model.engines if model.engines is not None else [name for name in engines.names() if _fits(name, model)]
    without = left_out(model) if quick else ()
    asked = [name for name in listed if name not in without]
    return sorted(asked, key=lambda name: (name == REFERENCE, name != model.oracle, name))


def _fits(engine: str, model: Model) -> bool:
    capabilities = engines.get(engine).CAPABILITIES
    return capabilities.general or capabilities.formats[0] in model.sources
