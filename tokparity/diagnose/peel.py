"""Causes found one after the other, where no few flips explain everything at once.

A text in which several causes meet is explained by nothing but all of them; but nearly every cause has a short text of
its own. So mismatches are shrunk, with the engine's help, as long as what is known so far does not explain them. What
explains the short text is added to what is known, if nothing that the engine did speaks against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, product

from tokparity.case import AnyCase, Case, Origin
from tokparity.diagnose.dossier import Dossier
from tokparity.diagnose.evidence import Answer, Observation, first_of_each_kind, size
from tokparity.diagnose.partial import holds_in_part
from tokparity.diagnose.reduce import reduced
from tokparity.diagnose.separate import put
from tokparity.diagnose.trials import Candidate, Trials
from tokparity.questions import Question
from tokparity.quirk import Quirk
from tokparity.quirks import clash, flip_all

_ROUNDS = 6
_TARGETS = 10  # mismatches that are shrunk in a round, one of each kind
_TRIES = 3  # mismatches of a kind that are tried in vain
_LONGEST = 2000  # bytes; a longer text is not shrunk
_ATTEMPTS = 600  # texts put to the engine while one is shrunk
_NEIGHBOURS = 30  # of these, kept as evidence: so many that are right and so many that are not
_RUN_BYTES = 200_000  # of texts on which a step is tried
_FITS = 8  # explanations of a step that are compared
_HALVES = 3  # flips that are half an explanation, to which the other half is looked for
_ODD = 5  # texts that tell what the other half is


@dataclass(frozen=True)
class Step:
    """Flips that were added at a time, and others that would have done as well."""

    quirks: tuple[Quirk, ...]
    alternatives: tuple[tuple[Quirk, ...], ...] = ()


@dataclass(frozen=True)
class Small:
    """A model reduced to the texts that are looked at, and observations in its ids: `targets` are to be explained."""

    unflipped: Candidate
    trials: Trials
    targets: Sequence[Observation]
    near: Sequence[Observation]

    def answers(self, quirks: tuple[Quirk, ...]) -> list[Answer | None]:
        """What these flips give on the targets."""
        return [self.trials.answer(self._candidate(quirks), target) for target in self.targets]

    def explains(self, quirks: tuple[Quirk, ...]) -> bool:
        """Whether they reproduce all targets and do nothing wrong near them."""
        if any(answer != target.actual for answer, target in zip(self.answers(quirks), self.targets, strict=True)):
            return False
        return holds_in_part(self._candidate(quirks), [*self.targets, *self.near], self.trials, fewest=1)

    def _candidate(self, quirks: tuple[Quirk, ...]) -> Candidate:
        return replace(self.unflipped, quirks=quirks, behaviour=flip_all(quirks, self.unflipped.behaviour))


class Peeling:
    """One engine, one aspect, one base; `steps` are the causes found."""

    def __init__(self, dossier: Dossier, base: int) -> None:
        self._dossier = dossier
        self._base = base
        self._tried: set[Question] = set()
        self._given_up: Counter[str] = Counter()
        self._in_vain: set[tuple[AnyCase, Candidate]] = set()
        self.steps: list[Step] = []

    @property
    def have(self) -> Candidate:
        """All that is known so far."""
        return self._dossier.candidate(self._base, tuple(quirk for step in self.steps for quirk in step.quirks))

    def peel(self) -> None:
        """Find causes until nothing is left, or nothing more is found, or the budget is spent."""
        for _ in range(_ROUNDS):
            targets = self._targets()
            if not targets:
                return
            for target in targets:
                if self._dossier.budget.over():
                    return
                self._tried.add(target.case.question)
                if self._dossier.trials.answer(self.have, target) != target.actual and not self._explain(target):
                    self._given_up[target.kind] += 1

    def _explain(self, target: Observation) -> bool:
        """Add what explains the target to what is known; whether anything does."""
        have = self.have
        short, near = self._shrunk(target, have)
        if (short.case, have) in self._in_vain:
            return False
        step = self._step(short, near, have.quirks)
        if step is None:
            self._in_vain.add((short.case, have))
            return False
        self.steps.append(step)
        return True

    def _targets(self) -> list[Observation]:
        """The shortest text of each kind that is not explained yet and was not tried."""
        have, trials = self.have, self._dossier.trials
        members = [o for o in self._dossier.run(_RUN_BYTES) if o.index is not None and self._is_open(o)]
        left = [o for o in members if trials.answer(have, o) != o.actual]
        return first_of_each_kind(left)[:_TARGETS]

    def _is_open(self, observation: Observation) -> bool:
        return observation.case.question not in self._tried and self._given_up[observation.kind] < _TRIES

    # --- a short text

    def _shrunk(self, seed: Observation, have: Candidate) -> tuple[Observation, list[Observation]]:
        """A shortest text of the same kind that is not explained, and what the engine gave to texts near it."""
        dossier = self._dossier
        if dossier.ask is None or seed.case.question.size > _LONGEST:
            return seed, []
        seen: dict[Question, Observation] = {seed.case.question: seed}

        def check(questions: Sequence[Question]) -> list[bool]:
            unasked = [dossier.unasked(Case(question, Origin("diagnosis"))) for question in questions]
            known = [o for o in unasked if o is not None]
            answered = dict(zip((o.case.question for o in known), dossier.put(known), strict=True))
            seen.update({question: o for question, o in answered.items() if o is not None})
            return [self._unexplained(answered.get(question), seed.kind, have) for question in questions]

        smallest = seed.case.question.fewer(check, _ATTEMPTS)
        near = sorted(seen.values(), key=size)
        right, wrong = ([o for o in near if o.is_control is whether] for whether in (True, False))
        return seen[smallest], [*right[:_NEIGHBOURS], *wrong[:_NEIGHBOURS]]

    def _unexplained(self, seen: Observation | None, kind: str, have: Candidate) -> bool:
        if seen is None or seen.is_control or seen.kind != kind:
            return False
        return self._dossier.trials.answer(have, seen) != seen.actual

    # --- what explains it

    def _step(self, target: Observation, near: Sequence[Observation], have: tuple[Quirk, ...]) -> Step | None:
        """One flip more, or if that does not do two, that explain the target; None where nothing does."""
        small = self._small([target], near)
        free = [q for q in self._dossier.quirks if q not in have and not any(clash(q, other) for other in have)]
        single = [(quirk,) for quirk in free if small.explains((*have, quirk))]
        step = self._best(target, have, single)
        if step is not None:
            return step
        for (quirk,) in single[:_HALVES]:
            # It explains this text, but elsewhere there is more to it.
            seen = self._small([target, *self._odd((*have, quirk))], near)
            both = [(quirk, q) for q in free if q != quirk and seen.explains((*have, quirk, q))]
            step = self._best(target, have, both)
            if step is not None:
                return step
        return None if single else self._best(target, have, list(self._pairs(small, have, free)))

    def _pairs(self, small: Small, have: tuple[Quirk, ...], free: Sequence[Quirk]) -> Iterator[tuple[Quirk, ...]]:
        """Two flips, of which at least one changes something alone."""
        before = small.answers(have)
        touching = [quirk for quirk in free if small.answers((*have, quirk)) != before]
        others = [quirk for quirk in free if quirk not in touching]
        for pair in chain(combinations(touching, 2), product(touching, others)):
            if self._dossier.budget.over():
                return
            if not clash(*pair) and small.explains((*have, *pair)):
                yield pair

    def _best(self, target: Observation, have: tuple[Quirk, ...], fits: Sequence[tuple[Quirk, ...]]) -> Step | None:
        """Of the flips that explain a target, those that nothing speaks against and that explain most of everything."""
        dossier = self._dossier
        run = dossier.run(_RUN_BYTES)
        whole = (dossier.candidate(self._base, (*have, *quirks)) for quirks in fits)
        # What was found with a small model is tried with the whole one.
        fitting = (fit for fit in whole if dossier.trials.answer(fit, target) == target.actual)
        candidates = list(islice(fitting, _FITS))
        holding = [fit for fit in candidates if holds_in_part(fit, run, dossier.trials)]
        if holding and dossier.ask is not None and not dossier.budget.over():
            answers = put(dossier, holding)
            holding = [f for f in holding if holds_in_part(f, answers, dossier.trials, fewest=0, per_odd=1)]
        if len(holding) < 2:
            return Step(holding[0].quirks[len(have) :]) if holding else None
        right = {fit.names: {o for o in run if dossier.trials.answer(fit, o) == o.actual} for fit in holding}
        best = max(holding, key=lambda fit: len(right[fit.names]))
        same = [fit for fit in holding if fit is not best and right[fit.names] == right[best.names]]
        return Step(best.quirks[len(have) :], tuple(fit.quirks[len(have) :] for fit in same))

    def _odd(self, quirks: tuple[Quirk, ...]) -> list[Observation]:
        """The shortest mismatches that these flips change in another way than the engine."""
        candidate, trials = self._dossier.candidate(self._base, quirks), self._dossier.trials
        changed = (
            o for o in self._dossier.run(_RUN_BYTES) if trials.answer(candidate, o) not in (o.expected, o.actual)
        )
        return list(islice(changed, _ODD))

    def _small(self, targets: Sequence[Observation], near: Sequence[Observation]) -> Small:
        """The model for a few texts; decoding is not reduced, for no algorithm is built for it."""
        dossier, base = self._dossier, self._base
        if dossier.aspect != "ids":
            return Small(dossier.candidate(base, ()), dossier.trials, targets, near)
        small = reduced(dossier.bases, [o.case.question.shown for o in (*targets, *near)], dossier.quirks)
        unflipped = Candidate(base, (), small.bases[base].behaviour)
        renamed = [[small.observation(o) for o in some] for some in (targets, near)]
        return Small(unflipped, dossier.new_trials(small.bases), *renamed)
