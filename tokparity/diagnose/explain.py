"""From the observations of one aspect to explanations: verified, ambiguous, or honestly none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tokparity.diagnose.causes import Causes
from tokparity.diagnose.dossier import Dossier
from tokparity.diagnose.evidence import Aspect, Observation, sample, size
from tokparity.diagnose.reduce import reduced
from tokparity.diagnose.search import LARGEST, Search
from tokparity.diagnose.separate import THOROUGH, put, separating
from tokparity.diagnose.trials import Candidate
from tokparity.finding import RuledOut, Status
from tokparity.questions import Question

MISMATCHES, CONTROLS = 100, 60
"""Size of the sample on which candidates are searched; what is found is then verified on everything."""

_ROUNDS = 6
_TOLD = 6  # refuted explanations that are told
_JUDGEABLE = 0.9  # share of the evidence on which the reference must be what the oracle is
_MOST = 40  # explanations that are verified
_ASKED_AGAIN = 20  # texts that nothing explains


@dataclass(frozen=True)
class Explanation:
    """What explains some of the mismatches, which `members` lists by index; `quirks` are empty where nothing does.

    It was run on `verified` of the members and left `controls` alone.
    """

    aspect: Aspect
    status: Status
    members: tuple[int, ...]
    quirks: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()
    controls: int = 0
    verified: int = 0
    nearest: str = ""
    reason: str = ""
    ruled_out: tuple[RuledOut, ...] = ()
    separating: Question | None = None


@dataclass
class Investigation:
    """One engine and one aspect. `refused` are fits that the engine's answers refuted.

    `second_best` are those of them that explain all but what need not be explained.
    """

    dossier: Dossier
    refused: list[RuledOut] = field(default_factory=list)
    second_best: list[Candidate] = field(default_factory=list)

    @property
    def _evidence(self) -> list[Observation]:
        return self.dossier.evidence

    def explanations(self) -> list[Explanation]:
        """All mismatches, each in one explanation or among the unexplained."""
        beyond = self._gate()
        judged = [o for o in self._evidence if o not in beyond]
        everything = [o for o in self._evidence if o.index is not None]
        if not any(o.index is not None for o in judged) or len(judged) < _JUDGEABLE * len(self._evidence):
            return [self._beyond(everything, beyond)] if everything else []
        beyond_members = [o for o in beyond if o.index is not None]
        left_out = [self._beyond(beyond_members, beyond)] if beyond_members else []
        self.dossier.evidence = judged
        return self._investigate() + left_out

    # --- can we judge at all?

    def _gate(self) -> set[Observation]:
        """The observations on which the unflipped reference is not what the oracle is."""
        unflipped, trials = self.dossier.unflipped, self.dossier.trials
        return {o for o in self.dossier.run() if trials.answer(unflipped, o) != o.expected}

    def _beyond(self, members: Sequence[Observation], beyond: Iterable[Observation]) -> Explanation:
        example = min(beyond, key=size)
        reason = (
            f"cannot be judged: the reference is not what the oracle is on {len(set(beyond))} of {len(self._evidence)} "
            f"cases, for one {example.case.question.shown[:60]!r} (it gives "
            f"{_short(self.dossier.trials.answer(self.dossier.unflipped, example))}, "
            f"the oracle {_short(example.expected)})"
        )
        return Explanation(self.dossier.aspect, "unexplained", members_of(members), reason=reason)

    # --- search, verify, ask, and again with what refuted

    def _investigate(self) -> list[Explanation]:
        dossier = self.dossier
        chosen = sample(self._evidence, MISMATCHES, CONTROLS)
        for _ in range(_ROUNDS):
            search = self._search(chosen)
            fits = [dossier.candidate(candidate.base, candidate.quirks) for candidate in _smallest(search)]
            survivors, refuting = self._verified(fits)
            if survivors and dossier.ask is not None and dossier.aspect != "failure" and not dossier.budget.over():
                refuting = self._refuse(survivors, put(dossier, survivors, THOROUGH))
            if survivors:
                return self._whole(search, survivors)
            if not fits or dossier.budget.over():
                break
            chosen = [*chosen, *refuting]
        run = [o for o in dossier.run() if not o.beside]
        survivors = [candidate for candidate in self.second_best if dossier.first_wrong(candidate, run) is None]
        return self._whole(search, survivors) if survivors else self._in_part(search)

    def _search(self, chosen: Sequence[Observation]) -> Search:
        dossier = self.dossier
        self._chosen = chosen
        if dossier.aspect != "ids":  # decoding needs all pieces, and no algorithm is built for it
            return Search(dossier.bases, dossier.quirks, dossier.trials, chosen, dossier.budget)
        small = reduced(dossier.bases, [observation.case.question.shown for observation in chosen], dossier.quirks)
        seen = [small.observation(observation) for observation in chosen]
        return Search(small.bases, dossier.quirks, dossier.new_trials(small.bases), seen, dossier.budget)

    def _verified(self, fits: Sequence[Candidate]) -> tuple[list[Candidate], list[Observation]]:
        """The fits that hold on all evidence and with the whole vocabulary; for each other what refutes it."""
        survivors, refuting = [], []
        run = self.dossier.run()
        for candidate in fits[:_MOST]:
            wrong = self.dossier.first_wrong(candidate, run)
            if wrong is None:
                survivors.append(candidate)
            elif wrong not in refuting:
                refuting.append(wrong)
        return survivors, refuting

    def _refuse(self, survivors: list[Candidate], answers: Sequence[Observation]) -> list[Observation]:
        """Take out the survivors that the engine's answers refute; what refuted them."""
        refuting: list[Observation] = []
        members = len(members_of(self._evidence))
        for candidate in list(survivors):
            wrong = self.dossier.first_wrong(candidate, answers)
            if wrong is not None:
                survivors.remove(candidate)
                self.second_best += [candidate] if wrong.beside else []
                self.refused.append(RuledOut(candidate.names, members, members, wrong.case.question))
                refuting.append(wrong)
        return refuting

    # --- what came of it

    def _whole(self, search: Search, survivors: list[Candidate]) -> list[Explanation]:
        """One explanation of everything."""
        first, *others = sorted(survivors, key=lambda candidate: candidate.names)
        run = self.dossier.run()
        text = separating(self.dossier, survivors) if others and self.dossier.aspect != "failure" else None
        twins = [twin for candidate in survivors for twin in search.twins(candidate)]
        alternatives = dict.fromkeys([*(candidate.names for candidate in others), *twins])
        return [
            Explanation(
                aspect=self.dossier.aspect,
                # Alternatives that no text tells apart are told as well: on this model they are one behaviour.
                status="ambiguous" if text is not None else "verified",
                members=members_of(self._evidence),
                quirks=first.names,
                alternatives=tuple(alternatives),
                controls=self.dossier.controls(run),
                verified=len(members_of(run)),
                ruled_out=self._ruled_out(search, {first.names, *alternatives}),
                separating=text,
            )
        ]

    def _in_part(self, search: Search) -> list[Explanation]:
        """Each cause with what it explains, and what is left."""
        aspect = self.dossier.aspect
        causes = Causes(self.dossier)
        found = [
            Explanation(
                aspect, "verified", members_of(cause.members), cause.quirks, cause.alternatives,
                controls=causes.controls, verified=len(members_of(cause.members)),
                ruled_out=self._ruled_out(search, {cause.quirks, *cause.alternatives}),
            )
            for cause in causes.found
        ]  # fmt: skip
        if causes.left:
            left = members_of(causes.left)
            nearest, reason = self._nearest(search), self._unsteady(causes.left)
            found.append(Explanation(aspect, "unexplained", left, nearest=nearest, reason=reason))
        return found

    def _unsteady(self, left: Sequence[Observation]) -> str:
        """Whether it is no wonder that nothing explains these."""
        again = sorted(left, key=size)[:_ASKED_AGAIN]
        other = self.dossier.unsteady(again)
        if not other:
            return ""
        text = repr(other[0].case.question.shown[:60])
        return (
            f"The engine does not repeat itself: asked again for {len(again)} of these texts, it gives another answer "
            f"to {len(other)}, the shortest {text}"
        )

    def _nearest(self, search: Search) -> str:
        """How far the best failed explanation came."""
        best = max(search.nearest[:1], key=search.merit, default=None)
        if best is None:
            return ""
        candidate, run = self.dossier.candidate(best.candidate.base, best.candidate.quirks), self.dossier.run()
        wrong = [o for o in run if self.dossier.trials.answer(candidate, o) != o.actual]
        mismatches, spoilt = sum(not o.is_control for o in run), sum(o.is_control for o in wrong)
        right = mismatches - (len(wrong) - spoilt)
        but = f", but spoils {spoilt} of {len(run) - mismatches} cases that are right" if spoilt else ""
        return f"{' + '.join(candidate.names)} explains {right} of {mismatches}{but}" if right else ""

    def _ruled_out(self, search: Search, kept: set[tuple[str, ...]]) -> tuple[RuledOut, ...]:
        """The best of what was refuted, each with a text on which it fails."""
        found = [refused for refused in self.refused if refused.quirks not in kept]
        for score in search.nearest:
            refuting = search.everything & ~score.right
            if score.candidate.names not in kept and refuting:
                first = self._chosen[(refuting & -refuting).bit_length() - 1]
                explains = (score.right & search.mismatches).bit_count()
                total = search.mismatches.bit_count()
                found.append(RuledOut(score.candidate.names, explains, total, first.case.question))
        return tuple(found[:_TOLD])


def _smallest(search: Search) -> list[Candidate]:
    for size_ in range(1, LARGEST + 1):
        fits = search.fits(size_)
        if fits:
            return fits
    return []


def members_of(found: Iterable[Observation]) -> tuple[int, ...]:
    """The places of the mismatches among these."""
    return tuple(sorted(o.index for o in found if o.index is not None))


def _short(answer: object) -> str:
    text = repr(list(answer) if isinstance(answer, tuple) else answer)
    return text if len(text) <= 80 else text[:77] + "..."
