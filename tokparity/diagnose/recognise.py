"""Recognition: whether what is known of the engine already explains what it does, which takes no search."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tokparity.diagnose.attribution import attribute
from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.experiments import experiment
from tokparity.diagnose.hypothesis import Hypothesis
from tokparity.diagnose.problem import Problem
from tokparity.diagnose.sample import sample
from tokparity.diagnose.verify import VerificationSet, verification_set, verify
from tokparity.quirk import Quirk
from tokparity.quirks import clash


@dataclass(frozen=True)
class Recognised:
    """The known flips that hold (`whole`; None if none does), and what each of them explains.

    `left` are the mismatches that they do not explain; `evidence` has the engine's answers to what it was asked.
    """

    whole: Hypothesis | None
    parts: dict[Hypothesis, list[Observation]]
    left: Sequence[Observation]
    evidence: Evidence
    run_on: VerificationSet

    @property
    def is_everything(self) -> bool:
        """Whether every mismatch is explained."""
        return self.whole is not None and not self.left


def recognise(problem: Problem, evidence: Evidence, known: Collection[str]) -> Recognised:
    """Try what is known of the engine on what the oracle reads, and on what the engine read if that is another file.

    A flip that does what the engine does not is left out; where what remains explains everything, it is put to the
    engine with texts of which it says something.
    """
    members = evidence.members
    run_on = verification_set(problem, evidence)
    best = Recognised(None, {}, members, evidence, run_on)
    flips = [quirk for quirk in problem.quirks if quirk.name in known]
    for base in range(len(problem.bases)):
        found = _on(problem, evidence, base, flips)
        if len(found.left) < len(best.left):
            best = found
    if best.whole is None or best.left or problem.ask is None:
        return best
    asked = experiment(problem, evidence, [best.whole])
    holds = verify(problem, best.whole, VerificationSet([seen for seen in asked if not seen.beside])).holds
    grown = evidence.plus(asked)
    if not holds:
        return Recognised(None, {}, members, grown, verification_set(problem, grown))
    return Recognised(best.whole, best.parts, (), grown, verification_set(problem, grown))


def _on(problem: Problem, evidence: Evidence, base: int, flips: Sequence[Quirk]) -> Recognised:
    """What the known flips explain on one base."""
    run_on = verification_set(problem, evidence)
    whole = problem.hypothesis(base, _uncontradicted(problem, evidence, base, flips))
    changes = bool(whole.base or whole.quirks)
    if not changes or not all(problem.reproduces(whole, seen) for seen in run_on if seen.is_control):
        return Recognised(None, {}, evidence.members, evidence, run_on)
    parts = attribute(problem, whole, evidence.members)
    taken = {id(seen) for members in parts.values() for seen in members}
    left = [seen for seen in evidence.members if id(seen) not in taken]
    needed = {quirk.name for part in parts for quirk in part.quirks}
    kept = tuple(quirk for quirk in whole.quirks if quirk.name in needed)
    return Recognised(problem.hypothesis(base, kept), parts, left, evidence, run_on)


def _uncontradicted(problem: Problem, evidence: Evidence, base: int, flips: Sequence[Quirk]) -> tuple[Quirk, ...]:
    """The flips that change something about the evidence, without those that spoil what the engine got right.

    They are tried on a sample, and on the texts by which known deviations are recognised. Of two that exclude each
    other the one that reproduces more is taken.
    """
    marked = [seen for seen in evidence.members if seen.case.origin.source in ("known", "accepted")]
    tried = list(dict.fromkeys([*marked, *sample(evidence.observations, problem.limits)]))
    right = [seen for seen in tried if seen.is_control]
    wrong = [seen for seen in tried if not seen.is_control]
    alone = {quirk: problem.hypothesis(base, (quirk,)) for quirk in flips}
    touching = [quirk for quirk in flips if _touches(problem, alone[quirk], wrong)]
    given = {quirk: sum(problem.reproduces(alone[quirk], seen) for seen in wrong) for quirk in touching}
    kept: tuple[Quirk, ...] = ()
    for quirk in sorted(touching, key=lambda quirk: -given[quirk]):
        if any(clash(quirk, other) for other in kept):
            continue
        if all(problem.reproduces(alone[quirk], seen) for seen in right):
            kept = (*kept, quirk)
    return kept


def _touches(problem: Problem, alone: Hypothesis, wrong: Iterable[Observation]) -> bool:
    """Whether a flip changes anything about a mismatch."""
    unflipped = problem.hypothesis(alone.base)
    return any(problem.predict(alone, seen) not in (None, problem.predict(unflipped, seen)) for seen in wrong)
