"""How an engine outside the package introduces itself: what it can be asked, and its version or why it has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from tokparity.engines.protocol import ANY, Capabilities
from tokparity.errors import EngineError, MissingDependencyError, TokparityError, UsageError

UNVERSIONED = "unversioned"
"""The version of an engine that says none."""

MAX_VERSION = 256
"""Characters of what an engine says is its version; every page of a report shows it."""
MAX_LISTED = 16
"""Items in one list of what an engine can be asked, and four times as many characters in one of them."""

_KINDS: tuple[type[TokparityError], ...] = (EngineError, MissingDependencyError, UsageError)


@dataclass(frozen=True)
class Hello:
    """What an engine says of itself; if it has no `version`, `refusal` says why."""

    capabilities: Capabilities
    version: str = UNVERSIONED
    refusal: TokparityError | None = None

    def __post_init__(self) -> None:
        """Whoever said it, in a program, a module, a server or a recording: EngineError where it is too long."""
        if not isinstance(self.version, str) or len(self.version) > MAX_VERSION:
            said = f"{len(self.version)} characters" if isinstance(self.version, str) else repr(self.version)[:60]
            raise EngineError(
                f"the engine's version is {said}", f"return a version of at most {MAX_VERSION} characters"
            )

    def to_json(self) -> dict[str, Any]:
        """As it travels from a worker."""
        refusal = None if self.refusal is None else error_to_json(self.refusal)
        return {"capabilities": asdict(self.capabilities), "version": self.version, "refusal": refusal}

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Hello:
        """What a worker sent."""
        refusal = None if said["refusal"] is None else error_from_json(said["refusal"])
        return cls(capabilities_from_json(said["capabilities"]), said["version"], refusal)


def capabilities_from_json(said: Mapping[str, Any]) -> Capabilities:
    """Read capabilities from a JSON object; EngineError if it has an unknown one."""
    known = {field.name: field.default for field in fields(Capabilities)}
    for name, value in said.items():
        if name not in known:
            raise EngineError(
                f"the engine's capability {name!r:.60} is unknown",
                f"write only known ones in its `capabilities`: {', '.join(known)}",
            )
        listed = name in ("formats", "add_special", "parse_special", "skip_special")
        wanted = str if name == "formats" else bool
        values = value if listed and isinstance(value, list | tuple) else [value]
        if listed != isinstance(value, list | tuple) or not values or not all(isinstance(v, wanted) for v in values):
            meant = f"a list of {wanted.__name__}" if listed else "true or false"
            raise EngineError(
                f"the engine's capability {name!r} is {value!r:.60}", f"write {meant} for it in `capabilities`"
            )
        if len(values) > MAX_LISTED or any(isinstance(one, str) and len(one) > 4 * MAX_LISTED for one in values):
            raise EngineError(
                f"the engine's capability {name!r} lists {len(values)} items: {values!r:.60}", "list only known values"
            )
    told: dict[str, Any] = {"formats": ANY}
    told |= {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    return Capabilities(**told)


def error_to_json(error: TokparityError) -> dict[str, str]:
    """An error as it travels from a worker."""
    return {"type": type(error).__name__, "message": error.message, "hint": error.hint}


def error_from_json(said: Mapping[str, str]) -> TokparityError:
    """The error that a worker told of."""
    kind = next((kind for kind in _KINDS if kind.__name__ == said["type"]), EngineError)
    return kind(said["message"], said["hint"])
