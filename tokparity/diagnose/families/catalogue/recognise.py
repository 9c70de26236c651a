"""Recognition: whether known deviations of the engine explain its mismatches, without a search."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, compress

from tokparity.diagnose.evidence import Evidence, Observation
from tokparity.diagnose.families.catalogue.attack import Attack, attack
from tokparity.diagnose.families.catalogue.attribution import attribute, with_what_controls_need
from tokparity.diagnose.families.catalogue.candidate import Candidate, Predictor, flipped
from tokparity.diagnose.families.catalogue.experiments import experiment
from tokparity.diagnose.families.catalogue.problem import Problem
from tokparity.diagnose.families.catalogue.sample import sample
from tokparity.diagnose.families.catalogue.verify import VerificationSet, verification_set, verify
from tokparity.diagnose.hypothesis import foretells
from tokparity.quirk import Quirk
from tokparity.quirks import clash


@dataclass(frozen=True)
class Recognised:
    """The known quirks that hold (`whole`; None if none does), and what each of them explains.

    `left` are the mismatches that they do not explain; `evidence` has the engine's answers to what it was asked.
    """

    whole: Candidate | None
    parts: dict[Candidate, list[Observation]]
    left: Sequence[Observation]
    evidence: Evidence
    run_on: VerificationSet
    attack: Attack = field(default_factory=Attack)

    def left_open(self, problem: Problem, known: Collection[str], left: Iterable[Observation]) -> list[Observation]:
        """The mismatches in `left` that a known quirk reproduces by itself, although something contradicts it.

        Only a search can say what they are: known in another shape, or new.
        """
        flips = [quirk for quirk in problem.quirks if quirk.name in known]
        if not flips:
            return []
        members = list(left)
        runs, seen = problem.reduced_to(members)
        alone = [flipped(runs, base, (quirk,)) for base in range(len(runs.bases)) for quirk in flips]
        given = [any(foretells(flip, small) for flip in alone) for small in seen]
        return list(compress(members, given))

    @property
    def is_everything(self) -> bool:
        """Whether every mismatch is explained."""
        return self.whole is not None and not self.left


def recognise(problem: Problem, evidence: Evidence, known: Collection[str]) -> Recognised:
    """Try the known deviations of the engine on the oracle's file, and on the engine's if that is another.

    A quirk that does what the engine does not is left out. If the rest explains everything, it is tested on the engine
    with texts that it changes, where the limits allow any.
    """
    flips = [quirk for quirk in problem.quirks if quirk.name in known]
    best = _recognised(problem, evidence, flips)
    tried: list[Candidate | None] = [None]
    attacks = problem.ask is not None and problem.limits.quick_attack > 0
    while best.whole is not None and not best.left and attacks:
        asked = experiment(problem, evidence, [best.whole])
        attacked = attack(problem, evidence.plus(asked), [best.whole], problem.limits.quick_attack)
        evidence = evidence.plus([*asked, *attacked.answers])
        judged = VerificationSet([seen for seen in (*asked, *attacked.answers) if not seen.beside])
        if verify(problem, best.whole, judged).holds:
            return replace(best, evidence=evidence, run_on=verification_set(problem, evidence), attack=attacked)
        # What was asked may show more of what is known of the engine, or contradict some of it.
        tried.append(best.whole)
        best = _recognised(problem, evidence, flips)
        if best.whole in tried:
            return Recognised(None, {}, evidence.members, evidence, verification_set(problem, evidence))
    return best


def _recognised(problem: Problem, evidence: Evidence, flips: Sequence[Quirk]) -> Recognised:
    """What the known flips explain, on the base on which they explain most."""
    best = Recognised(None, {}, evidence.members, evidence, verification_set(problem, evidence))
    for base in range(len(problem.bases)):
        found = _on(problem, evidence, base, flips)
        if len(found.left) < len(best.left):
            best = found
    return best


def _on(problem: Problem, evidence: Evidence, base: int, flips: Sequence[Quirk]) -> Recognised:
    """What the known flips explain on one base."""
    found = _with_flips(problem, evidence, base, _uncontradicted(problem, evidence, base, flips))
    if found.whole is None or not found.left:
        return found
    more = _with_what_shows_beside(problem, evidence, found.whole, found.left, flips)
    better = _with_flips(problem, evidence, base, more)
    return better if len(better.left) < len(found.left) else found


def _with_flips(problem: Problem, evidence: Evidence, base: int, quirks: tuple[Quirk, ...]) -> Recognised:
    """What flips of one base explain together, without those that make them wrong about a control."""
    run_on = verification_set(problem, evidence)
    whole = problem.hypothesis(base, quirks)
    controls = [seen for seen in run_on if not seen.wrong]
    while (wrong := next((seen for seen in controls if not foretells(whole, seen)), None)) and whole.quirks:
        whole = _without_blamed(problem, whole, wrong)
    if wrong or not (whole.base or whole.quirks):
        return Recognised(None, {}, evidence.members, evidence, run_on)
    parts = with_what_controls_need(problem, whole, attribute(problem, whole, evidence.members), run_on.given_controls)
    taken = {id(seen) for members in parts.values() for seen in members}
    left = [seen for seen in evidence.members if id(seen) not in taken]
    return Recognised(_needed(problem, whole, parts, run_on), parts, left, evidence, run_on)


def _with_what_shows_beside(
    problem: Problem, evidence: Evidence, whole: Candidate, left: Sequence[Observation], flips: Sequence[Quirk]
) -> tuple[Quirk, ...]:
    """The flips with those that change nothing by themselves, and beside them give what was left: each that gives most.

    As taking one space away, where only an unknown token that is hidden leaves two of them.
    """
    some = left[: problem.limits.sample_mismatches]
    tried = list(dict.fromkeys([*some, *sample(evidence.observations, problem.limits)]))
    runs, tried = problem.reduced_to(tried)
    kept = whole.quirks

    def given(quirks: tuple[Quirk, ...]) -> set[int]:
        hypothesis = flipped(runs, whole.base, quirks)
        return {at for at, seen in enumerate(tried) if foretells(hypothesis, seen)}

    now = given(kept)
    while len(now) < len(tried):
        able = [quirk for quirk in flips if not any(quirk is other or clash(quirk, other) for other in kept)]
        more = max(((quirk, given((*kept, quirk))) for quirk in able), key=lambda one: len(one[1]), default=None)
        if more is None or not more[1] > now:
            break
        kept, now = (*kept, more[0]), more[1]
    return kept


def _without_blamed(problem: Problem, whole: Candidate, control: Observation) -> Candidate:
    """The hypothesis without a flip that makes it wrong about a control; without all where no single one does."""
    for quirk in whole.quirks:
        fewer = problem.hypothesis(whole.base, tuple(other for other in whole.quirks if other is not quirk))
        if foretells(fewer, control):
            return fewer
    return problem.hypothesis(whole.base)


def _needed(problem: Problem, whole: Candidate, parts: Iterable[Candidate], run_on: VerificationSet) -> Candidate:
    """The flips that a part needs, or without which something else is not reproduced any more."""
    named = {quirk.name for part in parts for quirk in part.quirks}
    right = [seen for seen in run_on if foretells(whole, seen)]
    for quirk in whole.quirks:
        fewer = problem.hypothesis(whole.base, tuple(other for other in whole.quirks if other is not quirk))
        if quirk.name not in named and all(foretells(fewer, seen) for seen in right):
            whole = fewer
    return whole


def _uncontradicted(problem: Problem, evidence: Evidence, base: int, flips: Sequence[Quirk]) -> tuple[Quirk, ...]:
    """The flips that change something about the evidence, without those that spoil what the engine got right.

    They are tried on a sample, and on the texts by which known deviations are recognized. Of two that exclude each
    other the one that reproduces more is taken.
    """
    marked = [seen for seen in evidence.members if seen.case.origin.source in ("known", "accepted")]
    tried = list(dict.fromkeys([*marked, *sample(evidence.observations, problem.limits)]))
    runs, tried = problem.reduced_to(tried)
    right = [seen for seen in tried if not seen.wrong]
    wrong = [seen for seen in tried if seen.wrong]
    alone = {quirk: flipped(runs, base, (quirk,)) for quirk in flips}
    touching = [quirk for quirk in flips if _touches(runs, alone[quirk], wrong)]
    given = {quirk: sum(foretells(alone[quirk], seen) for seen in wrong) for quirk in touching}
    kept: tuple[Quirk, ...] = ()
    spoiling: list[Quirk] = []
    for quirk in sorted(touching, key=lambda quirk: -given[quirk]):
        if any(clash(quirk, other) for other in kept):
            continue
        if all(foretells(alone[quirk], seen) for seen in right):
            kept = (*kept, quirk)
        elif given[quirk]:
            spoiling.append(quirk)
    for quirk in spoiling:
        kept = _with_its_mate(runs, base, kept, quirk, flips, right)
    return kept


def _with_its_mate(
    runs: Predictor,
    base: int,
    kept: tuple[Quirk, ...],
    quirk: Quirk,
    flips: Sequence[Quirk],
    right: Sequence[Observation],
) -> tuple[Quirk, ...]:
    """The flips with one that alone spoils what the engine got right, and with another that undoes that, if one does.

    As a space that is kept before the first word, and one that is taken away before a full stop.
    """
    for mate in (quirk, *flips):
        together = tuple(dict.fromkeys((*kept, quirk, mate)))
        if any(clash(one, other) for one, other in combinations(together, 2)):
            continue
        hypothesis = flipped(runs, base, together)
        if all(foretells(hypothesis, seen) for seen in right):
            return together
    return kept


def _touches(runs: Predictor, alone: Candidate, wrong: Iterable[Observation]) -> bool:
    """Whether a flip changes anything about a mismatch."""
    unflipped = flipped(runs, alone.base)
    return any(alone.predict(seen) not in (None, unflipped.predict(seen)) for seen in wrong)
