"""Several causes in one engine: which mismatches each of them explains, alone or together with the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokparity.diagnose.dossier import Dossier
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.partial import holds_in_part
from tokparity.diagnose.peel import Peeling, Step
from tokparity.diagnose.separate import put
from tokparity.diagnose.trials import Candidate
from tokparity.quirk import Quirk


@dataclass(frozen=True)
class Cause:
    """Flips that reproduce these mismatches, and sets of flips that do as well."""

    quirks: tuple[str, ...]
    alternatives: tuple[tuple[str, ...], ...]
    members: Sequence[Observation]


class Causes:
    """The causes that were `found`, what is `left`, and the number of `controls` that all of them leave alone."""

    def __init__(self, dossier: Dossier) -> None:
        self._dossier = dossier
        self._base = self._starts_from()
        peeling = Peeling(dossier, self._base)
        peeling.peel()
        self._steps = uncontradicted(peeling.steps, self._base, dossier)
        self.left = [o for o in dossier.evidence if o.index is not None]
        run = dossier.run()
        together = dossier.candidate(self._base, _quirks(self._steps))
        explained = {o for o in run if not o.is_control and dossier.trials.answer(together, o) == o.actual}
        self.controls = dossier.controls(run)
        self.found: list[Cause] = []
        for candidate, alternatives in self._alone():
            if holds_in_part(candidate, run, dossier.trials, fewest=1, excused=explained):
                self._take(candidate, alternatives)
        if self._steps:
            self._take(self._needed(together), ())

    def _starts_from(self) -> int:
        """Another source that the engine read, if that explains something and nothing speaks against it."""
        run = self._dossier.run()
        others = range(1, len(self._dossier.bases))
        holding = (i for i in others if holds_in_part(self._dossier.candidate(i, ()), run, self._dossier.trials))
        return next(holding, 0)

    def _alone(self) -> list[tuple[Candidate, tuple[tuple[str, ...], ...]]]:
        """Each cause by itself, with its alternatives."""
        candidate = self._dossier.candidate
        alone: list[tuple[Candidate, tuple[tuple[str, ...], ...]]] = []
        if self._base:
            alone.append((candidate(self._base, ()), ()))
        for base in sorted({0, self._base}):
            for step in self._steps:
                names = tuple(candidate(base, other).names for other in step.alternatives)
                alone.append((candidate(base, step.quirks), names))
        return alone

    def _take(self, candidate: Candidate, alternatives: tuple[tuple[str, ...], ...]) -> None:
        """What is left and reproduced by the candidate is explained."""
        answer = self._dossier.trials.answer
        members = [o for o in self.left if answer(candidate, o) == o.actual]
        if members:
            taken = set(members)
            self.left = [o for o in self.left if o not in taken]
            self.found.append(Cause(candidate.names, alternatives, members))

    def _needed(self, all_: Candidate) -> Candidate:
        """Of all flips together, those without which something that is left is not explained."""
        answer, candidate = self._dossier.trials.answer, self._dossier.candidate
        members = [o for o in self.left if answer(all_, o) == o.actual]
        steps = list(self._steps)
        for step in self._steps:
            fewer = candidate(self._base, _quirks(s for s in steps if s is not step))
            if all(answer(fewer, o) == o.actual for o in members):
                steps.remove(step)
        return candidate(self._base, _quirks(steps))


def uncontradicted(steps: Sequence[Step], base: int, dossier: Dossier) -> list[Step]:
    """The steps without those that spoil a text which the others get right, on all evidence and some texts more.

    A step was let pass where it did what the engine does not, for other causes were not known then. Now they are.
    """
    steps = list(steps)
    answer = dossier.trials.answer

    def all_but(step: Step | None) -> Candidate:
        return dossier.candidate(base, _quirks(s for s in steps if s is not step))

    if len(steps) > 1 and dossier.ask is not None and not dossier.budget.over():
        put(dossier, [all_but(None), *map(all_but, steps)])  # becomes evidence
    run = dossier.run()
    while steps:
        together = all_but(None)
        wrong = [o for o in run if answer(together, o) != o.actual]
        spoilt = {step: sum(answer(all_but(step), o) == o.actual for o in wrong) for step in steps}
        worst = max(steps, key=lambda step: spoilt[step])
        if not spoilt[worst]:
            break
        steps.remove(worst)
    return steps


def _quirks(steps: Iterable[Step]) -> tuple[Quirk, ...]:
    return tuple(quirk for step in steps for quirk in step.quirks)
