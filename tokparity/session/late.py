"""What one engine takes too long over, as findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tokparity.finding import Finding
from tokparity.session.clock import Clock
from tokparity.session.fresh import Fresh
from tokparity.session.pace import Pace, Paces
from tokparity.session.panel import EnginePanel
from tokparity.session.slow import Growth, finding, slowest, smaller, told, told_of, worst
from tokparity.sources.source import CaseSource
from tokparity.sources.stress import Stress

_PART = 0.3
"""Of the time that is left when this begins."""


def late(
    panel: EnginePanel, paces: Paces, engines: Sequence[str], clock: Clock, model: str, oracle: str,
    sources: Sequence[CaseSource],
) -> Iterator[Finding]:  # fmt: skip
    """What each engine takes too long over."""
    stressed = [source for source in sources if isinstance(source, Stress)]
    for done, engine in enumerate(engines):
        if engine in paces.of and panel.can_be_asked(engine):
            stop = clock.share(_PART / (len(engines) - done))
            yield from Late(Fresh(panel.client(engine)), paces.of[engine], stop).findings(
                model, engine, oracle, stressed
            )


@dataclass(frozen=True)
class Late:
    """An engine, its pace, and when to stop looking."""

    fresh: Fresh
    pace: Pace
    stop: Callable[[], bool]

    def findings(self, model: str, engine: str, oracle: str, stressed: Sequence[Stress]) -> Iterator[Finding]:
        """One about the slowest text, and one for the sorts of runs over which time grows worse than n log n."""
        case = slowest(self.fresh, self.pace, self.stop)
        if case is not None:
            case = smaller(self.fresh, self.pace, case, self.stop)
            yield finding(self.fresh, self.pace, case, model, engine, oracle)
        for source in stressed:
            found = dict(self._growing(source, engine))
            if found:
                shown = min(found, key=lambda name: found[name].long.length)
                growth, others = found[shown], [name for name in found if name != shown]
                why = (
                    f"Time grows with the power {growth.power:.1f} of the length of a run of {shown}: "
                    f"{told(growth.short.seconds)} for {growth.short.length:,} characters, "
                    f"{told(growth.long.seconds)} for {growth.long.length:,}"
                )
                why += f"; so it does for runs of {', '.join(others)}" if others else ""
                yield told_of(growth.long.case, model, engine, oracle, why)

    def _growing(self, source: Stress, engine: str) -> Iterator[tuple[str, Growth]]:
        """For each sort of runs the worst growth that is there again when the texts are timed anew."""
        for (name, other), times in source.times.items():
            if other == engine and not self.stop() and worst(times) is not None:
                again = [replace(t, seconds=min(t.seconds, self.fresh.seconds([t.case]))) for t in times]
                growth = worst(again)
                if growth is not None:
                    yield name, growth
