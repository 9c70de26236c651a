"""What is stored of an engine's answers for its diagnosis, and how many of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokparity.finding import Control, Mismatch
from tokparity.outcome import Failure
from tokparity.questions import Again, Render, Spans, Stream
from tokparity.session.again import controls
from tokparity.session.judge import Batch, Judge

if TYPE_CHECKING:
    from tokparity.report.model import Report


_APART = (Stream.KIND, Spans.KIND, Render.KIND)
"""Kinds of question that are explained by themselves."""


@dataclass(frozen=True)
class Keep:
    """How much of what is found is kept in full; all of it is counted."""

    mismatches: int = 1000
    """Mismatches of one kind, of one engine and model, that the report holds."""
    bytes: int = 1 << 24
    """What these may take in the report."""
    evidence_bytes: int = 8_000_000
    """What all that is kept of an engine may take, but for the first of each kind."""
    controls: int = 200
    """Agreeing cases that are kept of each engine."""
    controls_per_batch: int = 30
    control_bytes: int = 2000
    """The longest question of a control."""

    def raised(self, mismatches: int | None) -> Keep:
        """This many mismatches of a kind are kept, where it says how many; what they may take grows with them."""
        if mismatches is None:
            return self
        times = max(mismatches / self.mismatches, 1)
        room = {name: int(times * getattr(self, name)) for name in ("bytes", "evidence_bytes")}
        return replace(self, mismatches=mismatches, **room)


@dataclass
class Kept:
    """What is kept of one engine for its diagnosis: mismatches with their index in the report, and controls.

    `counts` counts all mismatches by kind. What the report holds is what is kept here, and what is looked at.
    """

    mismatches: list[Mismatch] = field(default_factory=list)
    indices: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    controls: list[Control] = field(default_factory=list)
    bytes: int = 0
    offered: int = 0

    def by_kind(self) -> Mapping[str, Kept]:
        """What is about each kind of question that is explained by itself, by its word; "" has all else."""
        words = [word for word in _APART if any(k.startswith(f"{word}-") for k in self.counts)]
        return {word: self._of(word) for word in ("", *words)}

    def _of(self, word: str) -> Kept:
        """What is about one of these kinds, or about none."""

        def is_mine(kind: str) -> bool:
            return kind == word if word else kind not in _APART

        chosen = [i for i, m in enumerate(self.mismatches) if is_mine(m.case.question.KIND)]
        controls = [control for control in self.controls if is_mine(control.case.question.KIND)]
        counts = Counter({kind: n for kind, n in self.counts.items() if is_mine(kind.partition("-")[0])})
        mismatches, indices = [self.mismatches[i] for i in chosen], [self.indices[i] for i in chosen]
        return Kept(mismatches, indices, counts, controls)

    def offer(self, control: Control, most: int, rng: random.Random) -> None:
        """Keep at most this many controls: a fair sample of all that were offered."""
        self.offered += 1
        if len(self.controls) < most:
            self.controls.append(control)
        elif (place := rng.randrange(self.offered)) < most:
            self.controls[place] = control


def sampled(
    judge: Judge, batch: Batch, engine: str, wrong: Collection[int], keep: Keep, rng: random.Random
) -> Iterator[Control]:
    """Some of the cases of a batch on which an engine, which is `wrong` on others, agrees with who judged it."""
    if engine == judge.oracle and not isinstance(batch.cases[0].question, Stream | Spans | Render):
        return
    right: Sequence[int] = range(len(batch.cases))
    if wrong:
        right = [i for i in right if i not in wrong]
    for index in rng.sample(right, min(keep.controls_per_batch, len(right))):
        case = batch.cases[index]
        if isinstance(case.question, Again):
            yield from controls(batch, engine, index, judge.model)
        elif case.question.size <= keep.control_bytes and judge.expected(batch, index) is not None:
            actual = batch.results[engine].outcome(index)
            if not isinstance(actual, Failure) and not getattr(actual, "law", ""):
                yield Control(case, judge.model, engine, actual)


def evidence_of(report: Report, model: str, engine: str) -> Kept:
    """A stored report's evidence about one engine, as a recorder stored it."""
    indices = [i for i, m in enumerate(report.mismatches) if (m.model, m.engine) == (model, engine)]
    mismatches = [report.mismatches[i] for i in indices]
    controls = [c for c in report.controls if (c.model, c.engine) == (model, engine)]
    counts = counts_of(report, model, engine) or _stored(mismatches)
    return Kept(mismatches, indices, Counter(counts), controls=controls)


def counts_of(report: Report, model: str, engine: str) -> Mapping[str, int]:
    """All mismatches of an engine by kind, as the run counted them; empty where it did not come to write them."""
    return next((pair.kinds for pair in report.pairs if (pair.model, pair.engine) == (model, engine)), {})


def _stored(mismatches: Sequence[Mismatch]) -> Counter[str]:
    return Counter(mismatch.kind for mismatch in mismatches if not mismatch.case.origin.shrunk)
