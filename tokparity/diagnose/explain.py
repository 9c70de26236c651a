"""From the observations of one aspect to explanations: verified, ambiguous, or honestly none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from tokparity.diagnose.evidence import Ask, Aspect, Base, Observation, sample, size
from tokparity.diagnose.partial import clusters, holds_in_part
from tokparity.diagnose.reduce import reduced
from tokparity.diagnose.search import LARGEST, Search
from tokparity.diagnose.separate import put, separating
from tokparity.diagnose.trials import Candidate, DecodeTrials, FailureTrials, IdTrials, Trials
from tokparity.finding import RuledOut, Status
from tokparity.quirk import Quirk
from tokparity.quirks import flip_all

MISMATCHES, CONTROLS = 100, 60
"""Size of the sample on which candidates are searched; what is found is then verified on everything."""

_ROUNDS = 6
_TOLD = 6  # refuted explanations that are told
_JUDGEABLE = 0.9  # share of the evidence on which the reference must be what the oracle is
_MOST = 40  # explanations that are verified
_RUN_BYTES = 2_000_000  # of texts on which an explanation is verified


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
    separating: bytes | None = None


@dataclass
class Investigation:
    """One engine and one aspect. `evidence` grows when the engine is asked; `refused` are fits that it refuted."""

    aspect: Aspect
    bases: Sequence[Base]
    quirks: Sequence[Quirk]
    evidence: list[Observation]
    ask: Ask | None
    over: Callable[[], bool]
    refused: list[RuledOut] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.trials: Trials = _trials(self.aspect, self.bases)

    def explanations(self) -> list[Explanation]:
        """All mismatches, each in one explanation or among the unexplained."""
        beyond = self._gate()
        judged = [o for o in self.evidence if o not in beyond]
        everything = [o for o in self.evidence if o.index is not None]
        if not any(o.index is not None for o in judged) or len(judged) < _JUDGEABLE * len(self.evidence):
            return [self._beyond(everything, beyond)] if everything else []
        self.evidence = judged
        found = self._investigate()
        beyond_members = [o for o in beyond if o.index is not None]
        return found + ([self._beyond(beyond_members, beyond)] if beyond_members else [])

    # --- can we judge at all?

    def _gate(self) -> set[Observation]:
        """The observations on which the unflipped reference is not what the oracle is."""
        unflipped = Candidate(0, (), self.bases[0].behaviour)
        beyond = set()
        for observation in _within(sorted(self.evidence, key=size)):
            if self.trials.answer(unflipped, observation) != observation.expected:
                beyond.add(observation)
        return beyond

    def _beyond(self, members: Sequence[Observation], beyond: Iterable[Observation]) -> Explanation:
        example = min(beyond, key=size)
        reason = (
            f"cannot be judged: the reference is not what the oracle is on {len(set(beyond))} of {len(self.evidence)} "
            f"cases, for one {example.case.text[:60]!r} (it gives "
            f"{_short(self.trials.answer(Candidate(0, (), self.bases[0].behaviour), example))}, "
            f"the oracle {_short(example.expected)})"
        )
        return Explanation(self.aspect, "unexplained", _members(members), reason=reason)

    # --- search, verify, ask, and again with what refuted

    def _investigate(self) -> list[Explanation]:
        chosen = sample(self.evidence, MISMATCHES, CONTROLS)
        for _ in range(_ROUNDS):
            search = self._search(chosen)
            fits = [self._whole_model(candidate) for candidate in _smallest(search)]
            survivors, refuting = self._verified(fits)
            if fits and not survivors:
                chosen = [*chosen, *refuting]
                continue
            if survivors and self.ask is not None and self.aspect != "failure" and not self.over():
                answers = put(self.aspect, self.bases, survivors, self.evidence, self.ask, self.trials)
                self.evidence += answers
                refuting = self._refuse(survivors, answers)
                if not survivors:
                    chosen = [*chosen, *refuting]
                    continue
            return self._whole(search, survivors) if survivors else self._in_part(search)
        return self._in_part(search)

    def _search(self, chosen: Sequence[Observation]) -> Search:
        self._chosen = chosen
        if self.aspect != "ids":  # decoding needs all pieces, and no algorithm is built for it
            return Search(self.bases, self.quirks, self.trials, chosen, self.over)
        small = reduced(self.bases, [observation.case.text for observation in chosen], self.quirks)
        seen = [small.observation(observation) for observation in chosen]
        return Search(small.bases, self.quirks, _trials(self.aspect, small.bases), seen, self.over)

    def _whole_model(self, candidate: Candidate) -> Candidate:
        """A candidate of the small model that was searched with, for the whole one."""
        return replace(candidate, behaviour=flip_all(candidate.quirks, self.bases[candidate.base].behaviour))

    def _verified(self, fits: Sequence[Candidate]) -> tuple[list[Candidate], list[Observation]]:
        """The fits that hold on all evidence and with the whole vocabulary; for each other what refutes it."""
        survivors, refuting = [], []
        for candidate in fits[:_MOST]:
            wrong = self._first_wrong(candidate)
            if wrong is None:
                survivors.append(candidate)
            elif wrong not in refuting:
                refuting.append(wrong)
        return survivors, refuting

    def _first_wrong(self, candidate: Candidate) -> Observation | None:
        for observation in self._run():
            if self.trials.answer(candidate, observation) != observation.actual:
                return observation
        return None

    def _run(self) -> list[Observation]:
        """The evidence on which explanations are verified, shortest first."""
        return _within(sorted(self.evidence, key=size))

    def _refuse(self, survivors: list[Candidate], answers: Sequence[Observation]) -> list[Observation]:
        """Take out the survivors that the engine's answers refute; what refuted them."""
        refuting: list[Observation] = []
        members = sum(o.index is not None for o in self.evidence)
        for candidate in list(survivors):
            for observation in answers:
                if self.trials.answer(candidate, observation) != observation.actual:
                    survivors.remove(candidate)
                    self.refused.append(RuledOut(candidate.names, members, members, observation.case.text))
                    refuting.append(observation)
                    break
        return refuting

    # --- what came of it

    def _whole(self, search: Search, survivors: list[Candidate]) -> list[Explanation]:
        """One explanation of everything."""
        first, *others = sorted(survivors, key=lambda candidate: candidate.names)
        run = self._run()
        text = None
        if others and self.aspect != "failure":
            text = separating(self.aspect, self.bases, survivors, self.evidence, self.trials)
        twins = [twin for candidate in survivors for twin in search.twins(candidate)]
        alternatives = dict.fromkeys([*(candidate.names for candidate in others), *twins])
        return [
            Explanation(
                aspect=self.aspect,
                # Alternatives that no text tells apart are told as well: on this model they are one behaviour.
                status="ambiguous" if text is not None else "verified",
                members=_members(self.evidence),
                quirks=first.names,
                alternatives=tuple(alternatives),
                controls=sum(o.is_control for o in run),
                verified=sum(o.index is not None for o in run),
                ruled_out=self._ruled_out(search, {first.names, *alternatives}),
                separating=text,
            )
        ]

    def _in_part(self, search: Search) -> list[Explanation]:
        """Clusters with causes of their own, if there are any, and what is left."""
        found: list[Explanation] = []
        left = [o for o in self.evidence if o.index is not None]
        nearest = self._nearest(search)
        run = self._run()
        controls = sum(o.is_control for o in run)
        part = self._holding_part(search, run)
        if part is not None and self._first_wrong(part) is None:
            return self._whole(search, [part])
        for quirks, members in clusters(part, run, self.bases, self.trials) if part else ():
            found.append(
                Explanation(
                    self.aspect, "verified", _members(members), quirks,
                    controls=controls, verified=len(members), ruled_out=self._ruled_out(search, {quirks}),
                )
            )  # fmt: skip
            taken = set(members)
            left = [o for o in left if o not in taken]
        if left:
            found.append(Explanation(self.aspect, "unexplained", _members(left), nearest=nearest))
        return found

    def _holding_part(self, search: Search, run: Sequence[Observation]) -> Candidate | None:
        """The largest part of a grown set that explains some mismatches and has nothing against it."""
        parts: dict[tuple[str, ...], Candidate] = {}
        for score in search.grown:
            base, quirks = score.candidate.base, score.candidate.quirks
            for count in range(len(quirks), 0, -1):
                for chosen in combinations(quirks, count):
                    part = Candidate(base, chosen, flip_all(chosen, self.bases[base].behaviour))
                    parts.setdefault(part.names, part)
        for part in sorted(parts.values(), key=lambda part: -len(part.names)):
            if self.over():
                return None
            if holds_in_part(part, run, self.trials):
                return part
        return None

    def _nearest(self, search: Search) -> str:
        """How far the best failed explanation came."""
        best = max([*search.grown[:1], *search.nearest[:1]], key=search.merit, default=None)
        if best is None:
            return ""
        candidate, run = self._whole_model(best.candidate), self._run()
        wrong = [o for o in run if self.trials.answer(candidate, o) != o.actual]
        mismatches, spoilt = sum(not o.is_control for o in run), sum(o.is_control for o in wrong)
        right = mismatches - (len(wrong) - spoilt)
        but = f", but spoils {spoilt} of {len(run) - mismatches} cases that are right" if spoilt else ""
        return f"{' + '.join(candidate.names)} explains {right} of {mismatches}{but}" if right else ""

    def _ruled_out(self, search: Search, kept: set[tuple[str, ...]]) -> tuple[RuledOut, ...]:
        """The best of what was refuted, each with a text on which it fails."""
        found = list(self.refused)
        for score in search.nearest:
            refuting = search.everything & ~score.right
            if score.candidate.names not in kept and refuting:
                first = self._chosen[(refuting & -refuting).bit_length() - 1]
                explains = (score.right & search.mismatches).bit_count()
                total = search.mismatches.bit_count()
                found.append(RuledOut(score.candidate.names, explains, total, first.case.text))
        return tuple(found[:_TOLD])


def _smallest(search: Search) -> list[Candidate]:
    for size_ in range(1, LARGEST + 1):
        fits = search.fits(size_)
        if fits:
            return fits
    return [score.candidate for score in search.grown if score.right == search.everything][:1]


def _trials(aspect: Aspect, bases: Sequence[Base]) -> Trials:
    if aspect == "ids":
        return IdTrials(bases)
    return DecodeTrials(bases) if aspect == "decode" else FailureTrials(bases)


def _members(found: Iterable[Observation]) -> tuple[int, ...]:
    return tuple(sorted(o.index for o in found if o.index is not None))


def _within(ordered: Sequence[Observation]) -> list[Observation]:
    """As many of them as take 2 MB of text together."""
    room, taken = _RUN_BYTES, []
    for observation in ordered:
        room -= len(observation.case.text)
        if room < 0:
            break
        taken.append(observation)
    return taken


def _short(answer: object) -> str:
    text = repr(list(answer) if isinstance(answer, tuple) else answer)
    return text if len(text) <= 80 else text[:77] + "..."
