"""Which engines open a model, and what each of them opens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tokparity import engines, models
from tokparity.engines import deviations, engine_name
from tokparity.engines.process import fork_servers
from tokparity.engines.protocol import ANY
from tokparity.errors import TokparityError
from tokparity.models.exports import is_export
from tokparity.report.oracles import EXPORTED, OF_KNOWN
from tokparity.session.judge import REFERENCE
from tokparity.session.panel import Seat

if TYPE_CHECKING:
    from tokparity.formats import Source
    from tokparity.models import Model


@dataclass(frozen=True)
class Seating:
    """The engines of a run of one model.

    `shown` are the engines to report on. `engines` are all that are to take part, in the order in which they are
    opened. `prepare` gives what one of them opens, or says in an error why it takes no part. `read` gives `source`.
    Both may take their time.
    """

    shown: Sequence[str]
    engines: Sequence[str]
    prepare: Callable[[str], Seat]
    read: Callable[[], Source]
    _prepared: dict[str, Seat | TokparityError] = field(default_factory=dict)

    def one_by_one(self) -> Iterator[Seat]:
        """What each engine opens, as soon as that is prepared: an engine opens it while the next one's is written."""
        for engine in self.engines:
            if engine not in self._prepared:
                try:
                    self._prepared[engine] = self.prepare(engine)
                except TokparityError as error:
                    self._prepared[engine] = error
            if isinstance(found := self._prepared[engine], Seat):
                yield found

    @property
    def seats(self) -> Sequence[Seat]:
        """What the engines that can take part open."""
        return [*self.one_by_one()]

    @property
    def unavailable(self) -> Mapping[str, str]:
        """Why the others cannot."""
        taking_part = {seat.engine for seat in self.seats}
        return {engine: str(self._prepared[engine]) for engine in self.engines if engine not in taking_part}

    @property
    def source(self) -> Source:
        """What the model's most trustworthy file says."""
        return self.read()

    def of(self, engine: str) -> Seat | None:
        """What an engine opens; None where it takes no part."""
        return next((seat for seat in self.seats if seat.engine == engine), None)


def seat(model: Model, asked: Sequence[str], quick: bool = False) -> Seating:
    """The engines that were asked for, or all where none was named (see `left_out`), each with what it opens.

    The oracle and the reference always try to take part, because they judge. The reference is first: it takes longest.
    """
    shown = list(dict.fromkeys((model.oracle, *(asked or _by_default(model, quick)))))
    engines = list(dict.fromkeys((REFERENCE, *shown)))
    return Seating(shown, engines, partial(_seat, model), partial(models.primary_source, model))


def _seat(model: Model, engine: str) -> Seat:
    """As `seat_one`; but the reference opens the model's file while our own process still reads it."""
    if engine != REFERENCE:
        return seat_one(model, engine)
    path = models.primary_path(model)
    return Seat(engine, str(path), source=path.name)


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
    if not prepared.exported and is_export(prepared.path):
        source = f"{prepared.format} {OF_KNOWN}"
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
