"""Options in an engine's name, `transformers[legacy=false]`: checked against what the engine reads, told on opening."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokparity.errors import UsageError, nearest

if TYPE_CHECKING:
    from tokparity.engines.engine_name import EngineName
    from tokparity.engines.protocol import Capabilities, Engine, OpenModel, Options


@dataclass(frozen=True)
class Optioned:
    """An engine with options of the user, in addition to those of the model."""

    NAME: str
    engine: Engine
    options: tuple[tuple[str, object], ...]

    @property
    def CAPABILITIES(self) -> Capabilities:
        """Those of the engine."""
        return self.engine.CAPABILITIES

    def version(self) -> str:
        """That of the engine."""
        return self.engine.version()

    def open(self, path: str, options: Options) -> OpenModel:
        """Open a model with these options as well."""
        return self.engine.open(path, {**options, **dict(self.options)})


def optioned(engine: Engine, name: EngineName) -> Engine:
    """The engine with the options of its name; UsageError for one that it does not read."""
    known: tuple[str, ...] = getattr(engine, "OPTIONS", ())
    for option, _ in name.options:
        if option not in known:
            hint = nearest(option, known, f"its options: {', '.join(known)}" if known else "it has none")
            raise UsageError(f"engine {name.base!r} has no option {option!r}", hint)
    return Optioned(str(name), engine, name.options)
