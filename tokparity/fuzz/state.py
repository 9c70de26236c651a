"""Where a run of fuzz stands, as it lies in its folder between two commands: checked before anything is believed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tokparity.errors import FormatError, UsageError
from tokparity.finding import Mismatch
from tokparity.report.record import from_record
from tokparity.report.tally import Tally

_MOST = 1 << 53
"""No count is larger: JSON as others read it has no larger ones."""
_BYTES = 64 << 20
_ORIGIN = 1000
"""Characters of the origin of a text that was grown as often as may be."""
AGAIN = "start again without --resume"


@dataclass(frozen=True)
class SteeringState:
    """The stored state of `steering.Steering`."""

    next: Mapping[str, int]
    gains: Mapping[str, float]
    pool: tuple[str, ...]
    pooled: int
    planned: int


@dataclass(frozen=True)
class CoverageState:
    """See `coverage.Coverage`."""

    pieces: tuple[int, ...]
    joints: tuple[int, ...]
    alternatives: tuple[tuple[int, int], ...]
    keys: tuple[str, ...]
    fallbacks: tuple[str, ...]


@dataclass(frozen=True)
class Search:
    """See `steered.Steered`."""

    cases: int
    rows: int
    steering: SteeringState
    coverage: CoverageState


@dataclass(frozen=True)
class State:
    """All of it; `words` name the model, `engines` were named, `counts` are the mismatches by "engine kind".

    `put` names those cases of the probe set that were put.
    """

    search: Search
    tallies: Mapping[str, Tally]
    counts: Mapping[str, int]
    put: tuple[str, ...]
    words: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    seed: int = 0

    def check(self, engines: Collection[str], known: Collection[Mismatch], model: str) -> None:
        """FormatError where counts or mismatches are of other engines than those of the run, or of another model."""
        counted = {key for key in self.counts if not any(key.startswith(f"{engine} ") for engine in engines)}
        if others := ({*self.tallies} | {mismatch.engine for mismatch in known}) - {*engines} | counted:
            raise FormatError(f"the stored run has counts of {min(others)!r:.100}, which is not an engine of it", AGAIN)
        for engine, tally in self.tallies.items():
            if tally.found != sum(many for key, many in self.counts.items() if key.rpartition(" ")[0] == engine):
                raise FormatError(f"the counts of {engine!r:.100} in the stored run do not add up", AGAIN)
        if others := {mismatch.model for mismatch in known} - {model}:
            raise FormatError(f"the stored run is about {min(others)!r:.100}, not about {model!r:.100}", AGAIN)


def read(path: Path) -> State:
    """What an earlier run left to go on with; UsageError where there is none, FormatError where it is damaged."""
    try:
        with path.open("rb") as file:
            data = file.read(_BYTES + 1)
    except OSError as error:
        message = f"cannot go on with {str(path.parent)!r}: {path.name}: {error.strerror}"
        raise UsageError(message, "name the folder that `tokparity fuzz --out` wrote") from error
    try:
        stored = json.loads(data) if len(data) <= _BYTES else None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{str(path)!r} is damaged: {error}", AGAIN) from error
    if not isinstance(stored, dict) or not {field.name for field in fields(State)} <= stored.keys():
        raise FormatError(f"{str(path)!r} is not the stored state of `tokparity fuzz`", AGAIN)
    try:
        state = from_record(State, stored)
    except FormatError as error:
        raise FormatError(f"{str(path)!r} is damaged: {error.message}", AGAIN) from error
    if wrong := next(_wrong(state), ""):
        raise FormatError(f"{str(path)!r} is damaged: {wrong}", AGAIN)
    return state


def _wrong(state: State) -> Iterator[str]:
    """What no run can have written."""
    search, steering = state.search, state.search.steering
    counts = {"cases": search.cases, "rows": search.rows, "pooled": steering.pooled, "planned": steering.planned}
    counts |= {f"next of {name}": value for name, value in steering.next.items()} | dict(state.counts)
    for engine, tally in state.tallies.items():
        counts |= {f"{name} of {engine}": value for name, value in asdict(tally).items()}
    yield from (f"{name!r:.60} is {value!r:.40}" for name, value in counts.items() if not 0 <= value < _MOST)
    gains = steering.gains.items()
    yield from (f"the gain of {name!r:.40} is {gain!r:.40}" for name, gain in gains if not 0 <= gain <= 1)
    yield from (
        f"the recipe {origin!r:.60} of a text is longer than any that fuzz writes"
        for origin in steering.pool
        if len(origin) > _ORIGIN
    )
    for engine, tally in state.tallies.items():
        if tally.equal < 0 or tally.compared < 0:
            yield f"the counts of {engine!r:.60} do not add up: {tally}"
