"""Known deviations of engines: what an engine does otherwise on every model of a kind, one .toml for each engine.

[[deviation]]
quirk = "accepts_overlong_utf8"                 the quirk that explains it; its title is the reason in reports
texts = ['{"base64": "wIA="}']                  texts that show it on models that have what it is about (JSON literals),
                                                none if it shows only in streams
link = "https://..."                            the issue or page that describes it
seen = ["llama-cpp-python 0.3.36"]              versions that do it
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tokparity import quirks
from tokparity.engines import engine_name
from tokparity.errors import UsageError

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Deviation:
    """One known deviation of an engine, on every model where it makes a difference."""

    engine: str
    quirk: str
    texts: tuple[str, ...]
    link: str = ""
    seen: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """What the engine does, as the title of the quirk says it."""
        return quirks.get(self.quirk).title


@cache
def known(engine: str) -> tuple[Deviation, ...]:
    """The known deviations of an engine, whatever its version and options; empty where nobody wrote any down."""
    name = engine_name.parse(engine)
    path = _lists().get(name.base)  # the name may come from a report: it is looked up, and never part of a path
    if name.quirks or name.is_outside or path is None:
        return ()
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        inherited = [replace(deviation, engine=engine) for other in data.get("as", ()) for deviation in known(other)]
        return (*(_of(engine, entry) for entry in data.get("deviation", ())), *inherited)
    except (KeyError, TypeError) as error:
        raise UsageError(
            f"{path.name} is not a list of deviations: {error!r}", "compare the file with the other lists in its folder"
        ) from error


def runs(engine: str) -> tuple[str, ...]:
    """The engines that this one runs, so that their deviations are its own."""
    path = _lists().get(engine)
    return () if path is None else tuple(tomllib.loads(path.read_text(encoding="utf-8")).get("as", ()))


def _lists() -> dict[str, Path]:
    """The files by the name of their engine."""
    return {path.stem: path for path in FOLDER.glob("*.toml")}


def _of(engine: str, entry: dict[str, Any]) -> Deviation:
    lists: dict[str, Any] = {name: tuple(entry[name]) for name in ("texts", "seen") if name in entry}
    return Deviation(engine=engine, **{**entry, **lists})
