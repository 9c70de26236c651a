"""The phase that puts each smallest text to a fresh process, alone, before anything is made of it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tokparity.case import AnyCase
from tokparity.diagnose import Found
from tokparity.finding import Finding, Mismatch
from tokparity.questions import Question
from tokparity.session.clock import Clock
from tokparity.session.evidence import Evidence
from tokparity.session.fresh import Fresh, same
from tokparity.session.panel import EnginePanel
from tokparity.session.recorder import Recorder
from tokparity.session.repeat import Unrepeated, examined, repeats

_PARTS = 0.15, 0.45
"""Of the time that is left when this begins: for asking again, and for that and for what is to be said of it."""

_KEPT_BYTES = 32_000_000
_SAMPLED, _LUCK = 30, 0.1
_MOST = 150
"""Mismatches of one engine that are put again, where one of them did not come again."""


@dataclass
class History:
    """The latest questions that were put, as far as they take no more than a certain room."""

    _batches: deque[Sequence[AnyCase]] = field(default_factory=deque)
    _bytes: int = 0

    def add(self, cases: Sequence[AnyCase]) -> None:
        """Take note of a batch."""
        self._batches.append(cases)
        self._bytes += _size(cases)
        while self._bytes > _KEPT_BYTES and len(self._batches) > 1:
            self._bytes -= _size(self._batches.popleft())

    def before(self, question: Question) -> Sequence[Question]:
        """All questions that were put before this one was; all, where it was not put or that is forgotten."""
        found: list[Question] = []
        for batch in self._batches:
            for case in batch:
                if case.question == question:
                    return found
                found.append(case.question)
        return found


def _size(cases: Sequence[AnyCase]) -> int:
    return sum(200 + case.question.size for case in cases)


def unrepeated(panel: EnginePanel, recorder: Recorder, history: History, clock: Clock) -> Iterator[Found]:
    """For each engine what does not come again; it is taken out of the evidence."""
    engines = [engine for engine in recorder.differing() if panel.can_be_asked(engine)]
    for engine in engines:
        smallest = [group.smallest for group in recorder.groups.values() if group.engine == engine]
        some, stop = (clock.share(part / len(engines)) for part in _PARTS)
        fresh, evidence = Fresh(panel.client(engine)), recorder.evidence[engine]
        found = without_unrepeated(fresh, evidence, smallest, history, some, stop, recorder.shown)
        if found is not None:
            yield found


def without_unrepeated(
    fresh: Fresh, evidence: Evidence, smallest: Sequence[Mismatch], history: History, some: Callable[[], bool],
    stop: Callable[[], bool], keep: Callable[[Mismatch], int],
) -> Found | None:  # fmt: skip
    """What does not come again in a fresh process, as one finding, and taken out of the evidence; None if all does.

    `smallest` is that of each kind; all are asked again as far as `some` time allows. `keep` writes the mismatch that
    shows it and gives its index.
    """
    asked = [mismatch for mismatch in smallest if "timeout" not in mismatch.kind]
    if stop() or all(stop() or repeats(fresh, mismatch) for mismatch in asked):
        return None
    lost = _lost(fresh, evidence, some)
    if not lost:
        return None
    found = examined(fresh, [evidence.mismatches[i] for i in lost], history.before, stop)
    if found.sort == "chance" and _all_by_luck(fresh, evidence, lost, stop):
        lost = list(range(len(evidence.mismatches)))
    members = (*(evidence.indices[i] for i in lost), keep(found.shown))
    taken, more = _taken_out(evidence, lost)
    return Found(_finding(found, taken, more), tuple(sorted(members)))


def _lost(fresh: Fresh, evidence: Evidence, stop: Callable[[], bool]) -> list[int]:
    """The places of the mismatches that do not come again; of those that there is no time to ask, as most of their kind
    do."""
    lost: list[int] = []
    asked, gone = Counter[str](), Counter[str]()
    for place, mismatch in enumerate(evidence.mismatches):
        if (place < _MOST and not stop()) or not asked[mismatch.kind]:
            again = same(fresh.alone(mismatch.case), mismatch.actual)
            asked[mismatch.kind] += 1
            gone[mismatch.kind] += not again
        else:
            again = 2 * gone[mismatch.kind] <= asked[mismatch.kind]
        if not again:
            lost.append(place)
    return lost


def _all_by_luck(fresh: Fresh, evidence: Evidence, lost: Sequence[int], stop: Callable[[], bool]) -> bool:
    """Whether those that did come again did so by luck: some of them, asked a few times more, do not."""
    gone = set(lost)
    again = [m for i, m in enumerate(evidence.mismatches) if i not in gone]
    some = [m for m in again[:: max(len(again) // _SAMPLED, 1)] if not stop()]
    other = sum(not (repeats(fresh, m) and repeats(fresh, m)) for m in some)
    return bool(some) and other >= _LUCK * len(some)


def _taken_out(evidence: Evidence, lost: Sequence[int]) -> tuple[int, int]:
    """How many mismatches were taken out of the evidence, and how many more of kinds that are gone were not kept."""
    places = set(lost)
    gone = Counter(m.kind for i, m in enumerate(evidence.mismatches) if i in places and not m.case.origin.shrunk)
    kept = [(m, evidence.indices[i]) for i, m in enumerate(evidence.mismatches) if i not in places]
    evidence.mismatches[:], evidence.indices[:] = [m for m, _ in kept], [index for _, index in kept]
    left = {m.kind for m in evidence.mismatches}
    more = sum(evidence.counts[kind] - count for kind, count in gone.items() if kind not in left)
    for kind in [kind for kind in gone if kind not in left]:
        del evidence.counts[kind]
    evidence.counts -= Counter({kind: count for kind, count in gone.items() if kind in left})
    return gone.total(), more


def _finding(found: Unrepeated, count: int, more: int) -> Finding:
    shown = found.shown
    return Finding(
        f"{shown.engine}-{found.sort}", shown.model, shown.engine, shown.oracle, "unexplained", shown, count,
        why_unexplained=found.why, sort=found.sort, unexamined=more,
    )  # fmt: skip
