"""Finds the release since which an engine answers a question differently: by bisection, or by running all releases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, log2
from typing import TYPE_CHECKING, Literal

from tokparity import engines
from tokparity.case import AnyCase
from tokparity.engines.environment.build import UnreachableError
from tokparity.errors import EngineError, TokparityError
from tokparity.outcome import NOT_ASKED, Encoding, Failure, Outcome
from tokparity.session.seats import seat_one
from tokparity.session.tickets import submit

if TYPE_CHECKING:
    from tokparity.engines.engine_name import EngineName
    from tokparity.models import Model

Relation = Literal["equal", "other", "third behavior", "refuses", "not known"]


@dataclass(frozen=True)
class Probe:
    """The answer of a version; if the version cannot run, `outcome` is None and `why_not` says why."""

    version: str
    outcome: Outcome | None
    why_not: str = ""

    @property
    def behaviour(self) -> object:
        """What two versions that behave alike have in common: the ids, or the text, or that there is none."""
        if isinstance(self.outcome, Encoding):
            return self.outcome.ids
        return self.outcome.kind if isinstance(self.outcome, Failure) else self.outcome


Ask = Callable[[str], Probe]


def environments(versions: int) -> int:
    """How many versions a search over this many asks at most: the first one, and one for each halving."""
    return ceil(log2(versions)) + 1


@dataclass
class Search:
    """A search for the first of `versions` (the oldest first) that does not behave like the first one.

    `low` is the last version that is known to behave like it. `high` is the first known one that does not, or
    len(versions) if none is known. It needs that what has changed stays changed; `every` needs nothing.
    """

    versions: Sequence[str]
    ask: Ask
    probes: dict[int, Probe] = field(default_factory=dict)
    low: int = 0
    high: int = 0

    def steps(self) -> Iterator[Probe]:
        """Ask the first version, then the middle of what is left, each as it comes.

        EngineError where the first one cannot be asked. Versions that cannot be are passed over.
        """
        self.high = len(self.versions)
        yield self._first()
        while (middle := self._middle()) is not None:
            probe = self._probed(middle)
            yield probe
            if probe.outcome is None:
                continue
            if probe.behaviour == self.probes[0].behaviour:
                self.low = middle
            else:
                self.high = middle
        last = len(self.versions) - 1
        asked = sum(probe.outcome is not None for probe in self.probes.values())
        if last not in self.probes and asked < environments(len(self.versions)):
            yield self._probed(last)  # it may be as the first one again

    def every(self) -> Iterator[Probe]:
        """Ask all versions."""
        yield self._first()
        yield from (self._probed(i) for i in range(1, len(self.versions)))

    def relation(self, probe: Probe) -> Relation:
        """What a version is to the first one: `other` is the first other behavior that was met."""
        if probe.outcome is None:
            return "not known"
        if probe.behaviour == self.probes[0].behaviour:
            return "equal"
        if isinstance(probe.outcome, Failure):
            return "refuses"
        others = [found for found in self.probes.values() if found.outcome and not isinstance(found.outcome, Failure)]
        first = next(found for found in others if found.behaviour != self.probes[0].behaviour)
        return "other" if probe.behaviour == first.behaviour else "third behavior"

    @property
    def between(self) -> list[Probe]:
        """The versions between `low` and `high` that cannot be asked here."""
        return [self.probes[i] for i in range(self.low + 1, min(self.high, len(self.versions))) if i in self.probes]

    def _first(self) -> Probe:
        probe = self._probed(0)
        if probe.outcome is None:
            raise EngineError(probe.why_not, "name a GOOD version that can run here")
        return probe

    def _probed(self, i: int) -> Probe:
        self.probes[i] = self.ask(self.versions[i])
        return self.probes[i]

    def _middle(self) -> int | None:
        """The middle one of those of which nothing is known yet and which may be the answer."""
        left = [i for i in range(self.low + 1, self.high) if i not in self.probes]
        return left[len(left) // 2] if left else None


def runs(probes: Mapping[int, Probe]) -> list[list[Probe]]:
    """Versions one after the other that behave alike; what cannot be asked ends no run, and belongs to none."""
    found: list[list[Probe]] = []
    for _, probe in sorted(probes.items()):
        if probe.outcome is None:
            continue
        if found and found[-1][-1].behaviour == probe.behaviour:
            found[-1].append(probe)
        else:
            found.append([probe])
    return found


def asking(model: Model, engine: EngineName, case: AnyCase, timeout: float = 60.0) -> Ask:
    """What asks a version of an engine; UnreachableError where it must be installed and no index answers."""

    def ask(version: str) -> Probe:
        name = str(replace(engine, version=version))
        try:
            engines.get(name).version()  # which makes its environment
        except UnreachableError:
            raise
        except EngineError as error:
            return Probe(version, None, str(error))
        outcome = _outcome(model, name, case, timeout)
        if isinstance(outcome, Failure) and outcome.kind in NOT_ASKED:
            return Probe(version, None, outcome.message)
        return Probe(version, outcome)

    return ask


def _outcome(model: Model, engine: str, case: AnyCase, timeout: float) -> Outcome:
    """The engine's outcome; where it does not open the model, the error that it gives."""
    from tokparity.engines.process.client import Client

    seat = seat_one(model, engine)
    with Client(engine, seat.path, seat.options, timeout=timeout) as client:
        try:
            client.wait_ready()
            return submit(client, [case]).result().outcome(0)
        except TokparityError as error:
            return Failure("error", str(error))
