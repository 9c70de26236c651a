"""Causes found one after the other, where no few flips explain everything at once.

A text in which several causes meet is explained by nothing but all of them; but nearly every cause has a short text of
its own. So mismatches are shrunk, with the engine's help, as long as what is known so far does not explain them. What
explains the short text is added to what is known, if nothing that the engine did speaks against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product

from tokparity.diagnose.dossier import Dossier
from tokparity.diagnose.evidence import Observation, first_of_each_kind, size
from tokparity.diagnose.partial import holds_in_part
from tokparity.diagnose.reduce import reduced
from tokparity.diagnose.separate import put
from tokparity.diagnose.trials import Candidate, Trials
from tokparity.quirk import Quirk
from tokparity.quirks import clash, flip_all
from tokparity.shrink import shrink_text

_ROUNDS = 6
_TARGETS = 10  # mismatches that are shrunk in a round, one of each kind
_LONGEST = 2000  # bytes; a longer text is not shrunk
_ATTEMPTS = 600  # texts put to the engine while one is shrunk
_NEIGHBOURS = 30  # of these, kept as evidence: so many that are right and so many that are not
_RUN_BYTES = 200_000  # of texts on which a step is tried
_FITS = 8  # explanations of a step that are compared


@dataclass(frozen=True)
class Step:
    """Flips that were added at a time, and others that would have done as well."""

    quirks: tuple[Quirk, ...]
    alternatives: tuple[tuple[Quirk, ...], ...] = ()


@dataclass(frozen=True)
class Small:
    """A model reduced to the texts that are looked at: its unflipped candidate, and observations in its ids."""

    unflipped: Candidate
    trials: Trials
    target: Observation
    local: Sequence[Observation]

    def candidate(self, quirks: tuple[Quirk, ...]) -> Candidate:
        """These flips of the small model."""
        return replace(self.unflipped, quirks=quirks, behaviour=flip_all(quirks, self.unflipped.behaviour))


class Peeling:
    """One engine, one aspect, one base; `steps` are the causes found."""

    def __init__(self, dossier: Dossier, base: int) -> None:
        self._dossier = dossier
        self._base = base
        self._tried: set[bytes] = set()
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
                self._tried.add(target.case.text)
                have = self.have
                if self._dossier.trials.answer(have, target) != target.actual:
                    short, neighbours = self._shrunk(target, have)
                    step = self._step(short, neighbours, have)
                    if step is not None:
                        self.steps.append(step)

    def _targets(self) -> list[Observation]:
        """The shortest text of each kind that is not explained yet and was not tried."""
        have, trials = self.have, self._dossier.trials
        members = (o for o in self._dossier.run(_RUN_BYTES) if o.index is not None and o.case.text not in self._tried)
        left = [o for o in members if trials.answer(have, o) != o.actual]
        return first_of_each_kind(left)[:_TARGETS]

    # --- a short text

    def _shrunk(self, seed: Observation, have: Candidate) -> tuple[Observation, list[Observation]]:
        """A shortest text of the same kind that is not explained, and what the engine gave to texts near it."""
        dossier = self._dossier
        if dossier.ask is None or len(seed.case.text) > _LONGEST:
            return seed, []
        seen: dict[bytes, Observation] = {seed.case.text: seed}

        def check(texts: Sequence[bytes]) -> list[bool]:
            unasked = [dossier.unasked(replace(seed.case, text=text, origin="diagnosis")) for text in texts]
            known = [o for o in unasked if o is not None]
            answered = dict(zip((o.case.text for o in known), dossier.put(known), strict=True))
            seen.update({text: o for text, o in answered.items() if o is not None})
            return [self._unexplained(answered.get(text), seed.kind, have) for text in texts]

        text = shrink_text(seed.case.text, check, _ATTEMPTS)
        near = sorted(seen.values(), key=size)
        right, wrong = ([o for o in near if o.is_control is whether] for whether in (True, False))
        return seen[text], [*right[:_NEIGHBOURS], *wrong[:_NEIGHBOURS]]

    def _unexplained(self, seen: Observation | None, kind: str, have: Candidate) -> bool:
        if seen is None or seen.is_control or seen.kind != kind:
            return False
        return self._dossier.trials.answer(have, seen) != seen.actual

    # --- what explains it

    def _step(self, target: Observation, neighbours: Sequence[Observation], have: Candidate) -> Step | None:
        """The flips that explain the target, and of those that do, the ones that explain most of everything."""
        dossier = self._dossier
        small = self._small(target, [target, *neighbours])
        fits: dict[tuple[str, ...], Candidate] = {}
        for quirks in self._explaining(small, have.quirks):
            whole = dossier.candidate(self._base, (*have.quirks, *quirks))
            fits[whole.names] = whole
            if len(fits) == _FITS:
                break
        run = dossier.run(_RUN_BYTES)
        holding = [fit for fit in fits.values() if holds_in_part(fit, run, dossier.trials)]
        if holding and dossier.ask is not None and not dossier.budget.over():
            answers = put(dossier, holding)
            holding = [fit for fit in holding if holds_in_part(fit, answers, dossier.trials, fewest=0)]
        if not holding:
            return None
        right = {fit.names: self._right(fit, run) for fit in holding}
        best = max(holding, key=lambda fit: len(right[fit.names]))
        same = [fit for fit in holding if fit is not best and right[fit.names] == right[best.names]]
        known = len(have.quirks)
        return Step(best.quirks[known:], tuple(fit.quirks[known:] for fit in same))

    def _right(self, fit: Candidate, run: Sequence[Observation]) -> set[int]:
        return {i for i, o in enumerate(run) if self._dossier.trials.answer(fit, o) == o.actual}

    def _small(self, target: Observation, local: Sequence[Observation]) -> Small:
        """The model for a few texts; decoding is not reduced, for no algorithm is built for it."""
        dossier, base = self._dossier, self._base
        if dossier.aspect != "ids":
            return Small(dossier.candidate(base, ()), dossier.trials, target, local)
        small = reduced(dossier.bases, [o.case.text for o in local], dossier.quirks)
        unflipped = Candidate(base, (), small.bases[base].behaviour)
        renamed = [small.observation(o) for o in local]
        return Small(unflipped, dossier.new_trials(small.bases), small.observation(target), renamed)

    def _explaining(self, small: Small, have: tuple[Quirk, ...]) -> Iterator[tuple[Quirk, ...]]:
        """One flip more, or if that does not do two, that explain the target and do nothing wrong near it."""
        quirks = [q for q in self._dossier.quirks if q not in have and not any(clash(q, other) for other in have)]
        before = small.trials.answer(small.candidate(have), small.target)
        touching: list[Quirk] = []
        found = False
        for quirk in quirks:
            candidate = small.candidate((*have, quirk))
            answer = small.trials.answer(candidate, small.target)
            if answer != before:
                touching.append(quirk)
            if answer == small.target.actual and holds_in_part(candidate, small.local, small.trials, fewest=1):
                found = True
                yield (quirk,)
        if found:
            return
        others = [quirk for quirk in quirks if quirk not in touching]
        for one, other in chain(combinations(touching, 2), product(touching, others)):
            if self._dossier.budget.over():
                return
            candidate = small.candidate((*have, one, other))
            right = not clash(one, other) and small.trials.answer(candidate, small.target) == small.target.actual
            if right and holds_in_part(candidate, small.local, small.trials, fewest=1):
                yield one, other
