"""`tokparity fuzz --generated-models N`: small random models before every engine that can be given them.

The reference on the blueprint's own meaning is the oracle. What disagrees is explained by the catalog of quirks where
it can be, and otherwise listed with its shortest text and smallest model. What is known of an engine grows from model
to model. So unexplained texts are diagnosed again when all models are done. Only then are examples shrunk, one for
each reported group.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tokparity import generators
from tokparity.case import text_case
from tokparity.diagnose import Base
from tokparity.errors import TokparityError
from tokparity.finding import Control, Mismatch
from tokparity.fuzz.generated_models import ModelPanel, Models, Written
from tokparity.fuzz.groups import Example, Key, Total, key_of
from tokparity.fuzz.priors import Explained, Priors
from tokparity.fuzz.smallest import Smallest
from tokparity.fuzz.steered import Steered
from tokparity.fuzz.steering import Steering
from tokparity.generators.blueprint import Blueprint
from tokparity.generators.subject import Subject
from tokparity.generators.vocabularies import draw
from tokparity.outcome import Failure
from tokparity.session.evidence import Keep
from tokparity.session.judge import REFERENCE, Judge
from tokparity.session.recorder import Recorder
from tokparity.session.writer import Unwritten

CASES = 2816
"""Texts for each model: the first five plans, in which each generator has its turn and each pair of flags as well."""

KEEP = Keep(controls=400, controls_per_batch=16)
"""What is kept of an engine on one model; a cause must leave alone all cases that are kept on which it was right."""

_PARTICULAR = re.compile(r"""[:;'"(]|<0x""")
"""Where a reason begins to speak of one model, or of what to do."""


def blueprint_of(seed: int, number: int) -> Blueprint:
    """The number-th generated model of a seed."""
    return draw(random.Random(f"models:{seed}:{number}"))


@dataclass(frozen=True)
class _Diagnosed:
    """What an engine did on one model: its mismatches with what explains them, and cases on which it was right.

    `counts` counts all mismatches by kind, also those that were not kept.
    """

    blueprint: Blueprint
    mismatches: Sequence[Mismatch]
    controls: Sequence[Control]
    counts: Counter[str]
    explained: Explained


class ModelFuzz:
    """A run over generated models; `total` grows as it goes."""

    def __init__(self, models: Models, seed: int, cases: int, names: Sequence[str]) -> None:
        self.total = Total()
        self._models = models
        self._seed = seed
        self._cases = cases
        self._names = tuple(names) or generators.names()
        self._priors = Priors()
        self._open: list[_Diagnosed] = []

    def run(self, count: int, stop: Callable[[], bool]) -> Iterator[Total]:
        """Model after model; gives the total so far after each. A model that is not finished does not count."""
        for number in range(count):
            try:
                written = self._models.write(blueprint_of(self._seed, number))
            except TokparityError as error:
                self.total.refused["blueprint", error.message] += 1
                continue
            self._one(number, written, stop)
            self._models.forget([written])
            if stop():
                return
            yield self.total

    def look_again(self) -> None:
        """Explain what was left open by all that is known of the engines by now, and group it."""
        for seen in self._open:
            base = Base(*seen.blueprint.build())
            explained = self._priors.explain(base, seen.mismatches, seen.controls, seen.explained)
            self._note(replace(seen, explained=explained))
        self._open.clear()
        self.total.open = 0

    def shrink(self, stop: Callable[[], bool]) -> Iterator[tuple[int, int]]:
        """Shrink the example of each reported group; return how many of how many are done."""
        groups = self.total.shown()
        smallest = Smallest(self._models, stop)
        for done, group in enumerate(groups):
            if stop():
                return
            if not group.quirks:
                # What is not explained must not be made smaller until it is something that is known.
                known = (other.quirks for other in self.total.groups.values() if other.engine == group.engine)
                explained = tuple(dict.fromkeys([*group.smallest.explained, *filter(None, known)]))
                group.smallest = replace(group.smallest, explained=explained)
            group.smallest = smallest.of(group)
            yield done + 1, len(groups)

    def _one(self, number: int, written: Written, stop: Callable[[], bool]) -> None:
        """Put the texts of one model, and explain and note what disagrees."""
        vocabulary, behaviour = written.tokenizer.vocabulary, written.tokenizer.behaviour
        asked = self._openable(written)
        judge = Judge(f"generated {written.blueprint.algorithm}", REFERENCE, vocabulary.pieces)
        subject = Subject(vocabulary, behaviour)
        search = Steered(subject, REFERENCE, Steering(subject, self._names, self._seed + number), most=self._cases)
        recorder = Recorder(judge, asked, Unwritten(), KEEP)
        for batch in ModelPanel(self._models, written, asked).results(search.batches(), stop):
            search.learn(batch, recorder.take(batch))
        if stop():
            return
        self.total.models += 1
        self.total.cases += search.cases
        self.total.asked.update(asked)
        for engine in recorder.differing():
            self._explain(f"models:{self._seed}:{number}/", written, recorder, engine)

    def _explain(self, origin: str, written: Written, recorder: Recorder, engine: str) -> None:
        """Explain what one engine did, and note it, or look at it again when more is known where something is left."""
        evidence = recorder.evidence[engine]
        smallest = [group.smallest for group in recorder.groups.values() if group.engine == engine]
        mismatches = [_on_model(origin, m) for m in dict.fromkeys([*smallest, *evidence.mismatches])]
        base = Base(written.tokenizer.vocabulary, written.tokenizer.behaviour)
        explained = self._priors.explain(base, mismatches, evidence.controls)
        seen = _Diagnosed(written.blueprint, mismatches, evidence.controls, evidence.counts, explained)
        if explained.is_everything:
            self._note(seen)
        else:
            self._open.append(seen)
            self.total.open += len(explained.left(mismatches))

    def _openable(self, written: Written) -> list[str]:
        """The engines that were given a file and open it; why the others do not is counted."""
        able = []
        probe = text_case(b"", add_special=False)
        for engine in self._models.names:
            if engine in written.refused:
                self.total.refused[engine, _general(written.refused[engine])] += 1
                continue
            results = self._models.ask([(written, probe)], engine)
            outcome = None if results is None else results.outcome(0)
            if isinstance(outcome, Failure):
                self.total.refused[engine, _general(outcome.message)] += 1
            elif outcome is not None:
                able.append(engine)
        return able

    def _note(self, seen: _Diagnosed) -> None:
        """Add what an engine did on one model to the groups, and count what was not kept."""
        members: defaultdict[Key, list[Example]] = defaultdict(list)
        unkept = Counter(seen.counts)
        for mismatch, cause in zip(seen.mismatches, seen.explained.causes, strict=True):
            key = key_of(seen.blueprint.algorithm, cause, mismatch)
            members[key].append(Example(mismatch, seen.blueprint, seen.explained.sets))
            unkept[mismatch.kind] -= 1
        for key, examples in members.items():
            self.total.add(key, examples)
        for kind, number in (+unkept).items():
            self.total.unexamined[seen.mismatches[0].engine, kind] += number


def _on_model(origin: str, mismatch: Mismatch) -> Mismatch:
    """The mismatch with the generated model in its origin."""
    case = mismatch.case
    return replace(mismatch, case=replace(case, origin=case.origin._replace(model=origin)))


def _general(message: str) -> str:
    """A reason without what is particular to one model, so that reasons can be counted."""
    return _PARTICULAR.split(message, maxsplit=1)[0].strip(" ,")
