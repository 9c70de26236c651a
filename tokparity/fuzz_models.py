"""`tokparity fuzz --generated-models N`: small random models before every engine that can be given them.

The reference on the blueprint's own meaning is the oracle. What disagrees is explained by the catalogue of quirks where
it can be, and otherwise listed with its shortest text and smallest model.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tokparity import generators, quirks
from tokparity.diagnose import Base, diagnose
from tokparity.diff import kind
from tokparity.errors import TokparityError
from tokparity.finding import Control, Mismatch
from tokparity.generated_models import ModelPanel, Models, Written
from tokparity.generators.subject import Subject
from tokparity.generators.vocabularies import Blueprint, draw
from tokparity.in_process import answers
from tokparity.judge import REFERENCE, Batch, Judge
from tokparity.outcome import Case, Encoding, Failure
from tokparity.search import Search, shrunk
from tokparity.steering import Steering

CASES = 4096
"""Texts for each model: four batches, one with each pair of flags but one."""

_KEPT = 40
"""Mismatches of an engine on one model that an explanation must give."""

_CONTROLS = 60
_DIAGNOSIS_SECONDS = 4.0
_DIAGNOSES = 3
"""How often a kind of disagreement is searched for an explanation before it counts as unexplained at once."""

_CANDIDATES = 24
_MOST_CANDIDATES = 1200


@dataclass
class Group:
    """Disagreements of one kind: on how many models, how many texts, explained by what, and the smallest of them."""

    algorithm: str
    engine: str
    kind: str
    quirks: tuple[str, ...]
    smallest: Mismatch
    blueprint: Blueprint
    models: int = 0
    mismatches: int = 0


@dataclass
class Outcome:
    """What came of all models. `refused` counts (engine, why it was not asked)."""

    models: int = 0
    cases: int = 0
    groups: dict[tuple[str, str, str, tuple[str, ...]], Group] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)


def blueprint_of(seed: int, number: int) -> Blueprint:
    """The number-th generated model of a seed."""
    return draw(random.Random(f"models:{seed}:{number}"))


class ModelFuzz:
    """A run over generated models; `outcome` grows as it goes."""

    def __init__(self, models: Models, seed: int, cases: int, names: Sequence[str]) -> None:
        self.outcome = Outcome()
        self._models = models
        self._seed = seed
        self._cases = cases
        self._names = tuple(names) or generators.names()
        self._known: defaultdict[tuple[str, str], list[tuple[str, ...]]] = defaultdict(list)
        self._tried: Counter[tuple[str, str, str]] = Counter()

    def run(self, count: int, stop: Callable[[], bool]) -> Iterator[Outcome]:
        """Model after model; gives the outcome so far after each."""
        for number in range(count):
            if stop():
                return
            try:
                written = self._models.write(blueprint_of(self._seed, number))
            except TokparityError as error:
                self.outcome.refused["blueprint", error.message] += 1
                continue
            self._one(number, written, stop)
            yield self.outcome

    def _one(self, number: int, written: Written, stop: Callable[[], bool]) -> None:
        """Put the texts of one model, and explain and note what disagrees."""
        vocabulary, behaviour = written.tokenizer.vocabulary, written.tokenizer.behaviour
        algorithm = written.blueprint.algorithm
        asked = self._openable(written)
        judge = Judge(f"generated {algorithm}", REFERENCE, vocabulary.pieces)
        subject = Subject(vocabulary, behaviour)
        search = Search(subject, judge, asked, Steering(subject, self._names, self._seed + number))
        panel = ModelPanel(self._models, written, asked)
        found: defaultdict[str, list[Mismatch]] = defaultdict(list)
        cases: list[Case] = []
        for plan, mismatches in search.mismatches(panel, stop, self._cases):
            cases += plan.cases
            for mismatch in mismatches:
                origin = f"models:{self._seed}:{number}/{mismatch.case.origin}"
                found[mismatch.engine].append(replace(mismatch, case=replace(mismatch.case, origin=origin)))
        self.outcome.models += 1
        self.outcome.cases += search.cases
        for engine, mismatches in found.items():
            explained = {} if stop() else self._explained(written, engine, mismatches, cases)
            self._note(written, panel, judge, engine, mismatches, explained, stop)

    def _openable(self, written: Written) -> list[str]:
        """The engines that were given a file and open it; why the others do not is counted."""
        able = []
        probe = Case(b"", add_special=False)
        for engine in self._models.names:
            if engine in written.refused:
                self.outcome.refused[engine, _general(written.refused[engine])] += 1
                continue
            results = self._models.ask([(written, probe)], engine)
            outcome = None if results is None else results.outcome(0)
            if isinstance(outcome, Failure):
                self.outcome.refused[engine, _general(outcome.message)] += 1
            elif outcome is not None:
                self.outcome.asked[engine] += 1
                able.append(engine)
        return able

    def _explained(
        self, written: Written, engine: str, mismatches: Sequence[Mismatch], cases: Sequence[Case]
    ) -> dict[int, tuple[str, ...]]:
        """Index of a mismatch to the quirks that explain it; what is missing is unexplained."""
        tokenizer = written.tokenizer
        algorithm = written.blueprint.algorithm
        kept = sorted(mismatches, key=lambda m: (len(m.case.text), m.case.text))[:_KEPT]
        kinds = {kind(mismatch) for mismatch in kept}
        if all(self._tried[algorithm, engine, name] >= _DIAGNOSES for name in kinds):
            return {}
        wrong = {mismatch.case.text for mismatch in mismatches}
        controls = [
            Control(case, mismatches[0].model, engine, outcome)
            for case in [case for case in cases if case.text not in wrong][: 20 * _CONTROLS : 20]
            if isinstance(outcome := answers(tokenizer, [case]).outcome(0), Encoding)
        ]
        base = Base(tokenizer.vocabulary, tokenizer.behaviour)
        found = diagnose([base], kept, controls, quirks.all_quirks(), seconds=_DIAGNOSIS_SECONDS)
        by_case: dict[Case, tuple[str, ...]] = {}
        for explanation in found:
            for member in explanation.members:
                if explanation.quirks:
                    by_case[kept[member].case] = explanation.quirks
        self._tried.update((algorithm, engine, kind(m)) for m in kept if m.case not in by_case)
        reasons = {kind(m): by_case[m.case] for m in kept if m.case in by_case}
        # What was not looked at has the explanation of its kind, if that kind has one.
        return {i: reasons[kind(m)] for i, m in enumerate(mismatches) if kind(m) in reasons}

    def _note(
        self,
        written: Written,
        panel: ModelPanel,
        judge: Judge,
        engine: str,
        mismatches: Sequence[Mismatch],
        explained: dict[int, tuple[str, ...]],
        stop: Callable[[], bool],
    ) -> None:
        """Add the mismatches of an engine on one model to their groups; the first of a group is made small."""
        members: defaultdict[tuple[str, tuple[str, ...]], list[Mismatch]] = defaultdict(list)
        for index, mismatch in enumerate(mismatches):
            members[kind(mismatch), explained.get(index, ())].append(mismatch)
        for (name, reason), group in members.items():
            key = written.blueprint.algorithm, engine, name, reason
            if key not in self.outcome.groups:
                first = min(group, key=lambda m: (len(m.case.text), m.case.text))
                small = shrunk(first, panel, judge, stop)
                blueprint = written.blueprint if reason else self._smaller(written.blueprint, small, stop)
                self.outcome.groups[key] = Group(*key, small, blueprint)
            self.outcome.groups[key].models += 1
            self.outcome.groups[key].mismatches += len(group)

    def _smaller(self, blueprint: Blueprint, mismatch: Mismatch, stop: Callable[[], bool]) -> Blueprint:
        """A smallest model on which the text still shows a disagreement of the same kind."""
        tried: set[Blueprint] = set()
        while not stop() and len(tried) < _MOST_CANDIDATES:
            found = next(self._same(blueprint, mismatch, tried), None)
            if found is None:
                break
            blueprint = found
        return blueprint

    def _same(self, blueprint: Blueprint, mismatch: Mismatch, tried: set[Blueprint]) -> Iterator[Blueprint]:
        """Smaller blueprints that show the same, in order; candidates are put to the engine together."""
        batch: list[Written] = []
        for candidate in blueprint.smaller():
            if candidate in tried:
                continue
            tried.add(candidate)
            try:
                written = self._models.write(candidate, [mismatch.engine])
            except (TokparityError, KeyError):
                continue  # it describes no model any more
            if mismatch.engine not in written.refused:
                batch.append(written)
            if len(batch) == _CANDIDATES:
                yield from self._showing(batch, mismatch)
                batch = []
        yield from self._showing(batch, mismatch)

    def _showing(self, batch: Sequence[Written], mismatch: Mismatch) -> Iterator[Blueprint]:
        results = self._models.ask([(written, mismatch.case) for written in batch], mismatch.engine)
        if results is None:
            return
        for index, written in enumerate(batch):
            expected = answers(written.tokenizer, [mismatch.case])
            single = Batch([mismatch.case], {REFERENCE: expected, mismatch.engine: results.part(index)})
            judge = Judge(mismatch.model, REFERENCE, written.tokenizer.vocabulary.pieces)
            if any(kind(found) == kind(mismatch) for found in judge.judge(single, [mismatch.engine])):
                yield written.blueprint


def _general(message: str) -> str:
    """A reason without what is particular to one model, so that reasons can be counted."""
    return message.partition(":")[0].partition("'")[0].strip()[:90]
