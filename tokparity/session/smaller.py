"""Shrinks the smallest mismatch of each kind, and of each cause, as far as there is time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from tokparity.case import AnyCase, Case
from tokparity.diagnose import Found
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import error_of
from tokparity.questions import Again, Render
from tokparity.session.asking import can_be_asked
from tokparity.session.clock import Clock
from tokparity.session.costs import Costs
from tokparity.session.panel import OpenPanel
from tokparity.session.prompt_causes import smaller as smaller_prompt
from tokparity.session.recorder import Recorder
from tokparity.session.same_cause import SameCause
from tokparity.session.shrink import is_small, shrunk

if TYPE_CHECKING:
    from tokparity.engines.results import Results
    from tokparity.formats import Source

_ATTEMPTS = 4000  # questions that are put to make one mismatch smaller
_PART = 0.25
"""Of the time that is left, for all kinds together."""


@dataclass
class Smaller:
    """Makes mismatches smaller with the engines' help; `unshrunk` are the kinds, by engine, that time cut short."""

    panel: OpenPanel
    recorder: Recorder
    clock: Clock
    unshrunk: set[tuple[str, str]] = field(default_factory=set)

    def all_kinds(self, costs: Costs) -> Iterator[tuple[int, int]]:
        """The smallest of each kind; each has its share of the time. Yields how many of how many are done."""
        groups = [group for group in self.recorder.groups.values() if not is_small(group.smallest)]
        end = self.clock.end_of(_PART)
        for done, group in enumerate(groups):
            stop = self.clock.until(end, len(groups) - done)
            if not stop():
                with costs.of("shrinking"):
                    self._shrunk(group.smallest, stop=stop)
            if stop():
                self.unshrunk.add((group.engine, group.kind))
            yield done + 1, len(groups)
        with costs.of("shrinking"):
            for engine, lost in self.recorder.lost.items():
                if can_be_asked(self.panel, engine):
                    self.recorder.lost[engine] = lost.smaller(partial(self._again, engine), self.clock.spent)

    def _again(self, engine: str, questions: Sequence[Again]) -> Results | None:
        """What an engine makes of texts that are encoded again."""
        cases: list[AnyCase] = [Case(question) for question in questions]
        batch = next(iter(self.panel.results([cases], self.clock.spent, (engine,))), None)
        return None if batch is None else batch.results.get(engine)

    def finding(self, one: Found, sources: Sequence[Source], why: str, others: Sequence[Finding] = ()) -> Found:
        """A finding that shows the smallest text that was found of just its cause, or says why it may not be.

        Where nothing explains it, its cause is whatever none of the `others`, which are explained, gives.
        """
        finding = one.finding
        if isinstance(finding.smallest.case.question, Render):
            return self._prompt(one, [other.quirks for other in others])
        if (finding.engine, finding.smallest.kind) in self.unshrunk:
            further = " any further" if finding.smallest.case.origin.shrunk else ""
            finding = replace(finding, unshrunk=f"not shrunk{further}: {why}")
            one = replace(one, finding=finding)
        # The smallest of a kind was made smaller already, but it may have another error than most.
        may_be_other = finding.quirks or others or error_of(finding.smallest.actual)
        if is_small(finding.smallest) or self.clock.spent() or not may_be_other:
            return one
        small = self._shrunk(finding.smallest, self._alike(finding, sources, others))
        if small is None:
            return one
        mismatch, index = small
        verified = finding.verified + 1 if finding.quirks else finding.verified
        smaller = replace(finding, smallest=mismatch, verified=verified, unshrunk="")
        return Found(smaller, tuple(sorted((*one.members, index))))

    def _prompt(self, one: Found, others: Sequence[Sequence[str]]) -> Found:
        """A finding about prompts with the smallest conversation of its cause, and in its context the template."""
        shown = one.finding.smallest
        if shown.difference.failure == "timeout" or self.clock.spent() or not can_be_asked(self.panel, shown.engine):
            return one
        question, template = smaller_prompt(shown, one.finding.quirks, self.panel, others)
        found = replace(one.finding, context=(*one.finding.context, ("smallest template that shows it", template)))
        judge, origin = self.recorder.judge, shown.case.origin.smaller()
        asked = [[Case(question, origin)]] if question != shown.case.question else []
        for batch in self.panel.results(asked, self.clock.spent, (shown.engine, shown.oracle)):
            for mismatch in judge.mismatches(batch, [shown.engine]):
                index = self.recorder.example(mismatch)
                return Found(replace(found, smallest=mismatch), tuple(sorted((*one.members, index))))
        return replace(one, finding=found)

    @staticmethod
    def _alike(finding: Finding, sources: Sequence[Source], others: Sequence[Finding]) -> Callable[[Mismatch], bool]:
        if finding.quirks:
            return SameCause.of(finding, sources)
        causes = [SameCause.of(other, sources) for other in others]
        return lambda mismatch: not any(cause.gives(mismatch) for cause in causes)

    def _shrunk(
        self,
        mismatch: Mismatch,
        alike: Callable[[Mismatch], bool] = lambda mismatch: True,
        stop: Callable[[], bool] | None = None,
    ) -> tuple[Mismatch, int] | None:
        """A smaller mismatch of the same kind that is `alike`, kept, with its index; None where there is none."""
        if not all(can_be_asked(self.panel, engine) for engine in (mismatch.engine, mismatch.oracle)):
            return None
        if mismatch.difference.failure == "timeout":
            return None  # each text that was tried in its place would hang as well
        small = shrunk(mismatch, self.panel, self.recorder.judge, stop or self.clock.spent, alike, _ATTEMPTS)
        if small.case.question == mismatch.case.question:
            return None
        return small, self.recorder.example(small)
