"""`tokparity fuzz --generated-models N`: small random models before every engine that can be given them.

The reference on the blueprint's own meaning is the oracle. What disagrees is explained by the catalogue of quirks where
it can be, and otherwise listed with its shortest text and smallest model. What an engine is known to do grows from
model to model, so what is left unexplained is looked at again when all models are done; only then are examples made
smaller, one for each group that is told.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tokparity import generators
from tokparity.case import text_case
from tokparity.errors import TokparityError
from tokparity.finding import Control, Mismatch
from tokparity.fuzz.causes import Causes, controls, varied
from tokparity.fuzz.generated_models import ModelPanel, Models, Written
from tokparity.fuzz.groups import Example, Key, Outcome, key_of
from tokparity.fuzz.smallest import Smallest
from tokparity.fuzz.steered import Steered
from tokparity.fuzz.steering import Steering
from tokparity.fuzz.why import Why
from tokparity.generators.subject import Subject
from tokparity.generators.vocabularies import Blueprint, draw
from tokparity.outcome import Failure
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.judge import REFERENCE, Judge
from tokparity.session.recorder import Recorder, Unwritten

CASES = 2816
"""Texts for each model: the first five plans, in which each generator has its turn and each pair of flags as well."""

_LOOKED_AT = 160
"""Mismatches of an engine on one model whose cause is looked for; a further one counts where its kind mostly goes."""


_PARTICULAR = re.compile(r"""[:;'"(]|<0x""")
"""Where a reason begins to speak of one model, or of what to do."""


def blueprint_of(seed: int, number: int) -> Blueprint:
    """The number-th generated model of a seed."""
    return draw(random.Random(f"models:{seed}:{number}"))


@dataclass(frozen=True)
class _Open:
    """What an engine did on one model and nothing explains yet; `extra` counts by kind what was not looked at."""

    blueprint: Blueprint
    mismatches: Sequence[Mismatch]
    right: Sequence[Control]
    extra: Counter[str]


class ModelFuzz:
    """A run over generated models; `outcome` grows as it goes."""

    def __init__(self, models: Models, seed: int, cases: int, names: Sequence[str]) -> None:
        self.outcome = Outcome()
        self._models = models
        self._seed = seed
        self._cases = cases
        self._names = tuple(names) or generators.names()
        self._causes = Causes()
        self._open: list[_Open] = []

    def run(self, count: int, stop: Callable[[], bool]) -> Iterator[Outcome]:
        """Model after model; gives the outcome so far after each. A model that is not finished does not count."""
        for number in range(count):
            try:
                written = self._models.write(blueprint_of(self._seed, number))
            except TokparityError as error:
                self.outcome.refused["blueprint", error.message] += 1
                continue
            self._one(number, written, stop)
            self._models.forget([written])
            if stop():
                return
            yield self.outcome

    def look_again(self) -> None:
        """Explain what was left open by all that is known of the engines by now, and group it."""
        for left in self._open:
            tokenizer = Tokenizer(*left.blueprint.build())
            why = self._causes.study(tokenizer, left.mismatches, left.right, again=True)
            self._note(left, why, final=True)
        self._open.clear()
        self.outcome.open = 0

    def shrink(self, stop: Callable[[], bool]) -> Iterator[tuple[int, int]]:
        """Make the example of each group that is told smaller; gives how many of how many are done."""
        groups = self.outcome.shown()
        smallest = Smallest(self._models, stop)
        for done, group in enumerate(groups):
            if stop():
                return
            if not group.quirks:
                # What is not explained must not be made smaller until it is something that is known.
                known = (other.quirks for other in self.outcome.groups.values() if other.engine == group.engine)
                causes = tuple(dict.fromkeys([*group.smallest.causes, *filter(None, known)]))
                group.smallest = replace(group.smallest, causes=causes)
            group.smallest = smallest.of(group)
            yield done + 1, len(groups)

    def _one(self, number: int, written: Written, stop: Callable[[], bool]) -> None:
        """Put the texts of one model, and explain and note what disagrees."""
        vocabulary, behaviour = written.tokenizer.vocabulary, written.tokenizer.behaviour
        asked = self._openable(written)
        judge = Judge(f"generated {written.blueprint.algorithm}", REFERENCE, vocabulary.pieces)
        subject = Subject(vocabulary, behaviour)
        search = Steered(subject, REFERENCE, Steering(subject, self._names, self._seed + number), most=self._cases)
        recorder = Recorder(judge, asked, Unwritten())
        panel = ModelPanel(self._models, written, asked)
        found: defaultdict[str, list[Mismatch]] = defaultdict(list)
        right: defaultdict[str, list[Control]] = defaultdict(list)
        for batch in panel.results(search.batches(), stop):
            sightings = recorder.take(batch)
            search.learn(batch, sightings)
            for engine in asked:
                right[engine] += controls(judge.model, engine, batch, sightings)
            for mismatch in (judge.mismatch(batch, seen) for seen in sightings):
                origin = mismatch.case.origin._replace(model=f"models:{self._seed}:{number}/")
                found[mismatch.engine].append(replace(mismatch, case=replace(mismatch.case, origin=origin)))
        if stop():
            return
        self.outcome.models += 1
        self.outcome.cases += search.cases
        self.outcome.asked.update(asked)
        for engine, mismatches in found.items():
            chosen, others = varied(mismatches, _LOOKED_AT)
            why = self._causes.study(written.tokenizer, chosen, right[engine])
            seen = _Open(written.blueprint, chosen, right[engine], Counter(other.kind for other in others))
            self._note(seen, why, final=False)

    def _openable(self, written: Written) -> list[str]:
        """The engines that were given a file and open it; why the others do not is counted."""
        able = []
        probe = text_case(b"", add_special=False)
        for engine in self._models.names:
            if engine in written.refused:
                self.outcome.refused[engine, _general(written.refused[engine])] += 1
                continue
            results = self._models.ask([(written, probe)], engine)
            outcome = None if results is None else results.outcome(0)
            if isinstance(outcome, Failure):
                self.outcome.refused[engine, _general(outcome.message)] += 1
            elif outcome is not None:
                able.append(engine)
        return able

    def _note(self, seen: _Open, why: Why, final: bool) -> None:
        """Add what an engine did on one model to the groups; what is not explained only if this is `final`."""
        members: defaultdict[Key, list[Example]] = defaultdict(list)
        places: defaultdict[str, Counter[Key]] = defaultdict(Counter)
        extra: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        for mismatch in seen.mismatches:
            key = key_of(seen.blueprint.algorithm, why, mismatch)
            members[key].append(Example(mismatch, seen.blueprint, why.causes))
            places[mismatch.kind][key] += 1
        for name, count in seen.extra.items():
            # All kinds are among those looked at, for these are taken of each kind by turns.
            extra[places[name].most_common(1)[0][0]][name] += count
        left: list[Mismatch] = []
        left_extra: Counter[str] = Counter()
        for key, examples in members.items():
            if key[2] or final:
                self.outcome.add(key, examples, extra[key])
            else:
                left += [example.mismatch for example in examples]
                left_extra += extra[key]
        if left:
            self._open.append(replace(seen, mismatches=left, extra=left_extra))
            self.outcome.open += len(left) + left_extra.total()


def _general(message: str) -> str:
    """A reason without what is particular to one model, so that reasons can be counted."""
    return _PARTICULAR.split(message, maxsplit=1)[0].strip(" ,")
