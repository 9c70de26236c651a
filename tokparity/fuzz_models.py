"""`tokparity fuzz --generated-models N`: small random models before every engine that can be given them.

The reference on the blueprint's own meaning is the oracle. What disagrees is explained by the catalogue of quirks where
it can be, and otherwise listed with its shortest text and smallest model.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tokparity import generators
from tokparity.diff import kind
from tokparity.errors import TokparityError
from tokparity.finding import Control, Mismatch
from tokparity.fuzz_causes import Causes, Why, controls, varied
from tokparity.generated_models import ModelPanel, Models, Written
from tokparity.generators.subject import Subject
from tokparity.generators.vocabularies import Blueprint, draw
from tokparity.in_process import answers
from tokparity.judge import REFERENCE, Batch, Judge
from tokparity.outcome import Case, Failure
from tokparity.search import Search, shrunk
from tokparity.steering import Steering

CASES = 2816
"""Texts for each model: the first five plans, in which each generator has its turn and each pair of flags as well."""

_LOOKED_AT = 400
"""Mismatches of an engine on one model whose cause is looked for; a further one counts where its kind mostly goes."""

_CANDIDATES = 24
_MOST_CANDIDATES = 1200
_SHRUNK = 6
"""Texts of a group that are shrunk at most, each shorter than all before."""

Key = tuple[str, str, tuple[str, ...]]
"""(engine, aspect, causes); the aspect (algorithm, and ids or what else) only where nothing explains it."""

_Small = tuple[Mismatch, Blueprint]


@dataclass
class Group:
    """Disagreements of an engine with one cause: on how many models, how many texts, and the smallest of them."""

    engine: str
    aspect: str
    quirks: tuple[str, ...]
    smallest: Mismatch
    blueprint: Blueprint
    models: int = 0
    mismatches: int = 0
    shrunk: int = 0
    algorithms: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)


@dataclass
class Outcome:
    """What came of all models. `refused` counts (engine, why it was not asked)."""

    models: int = 0
    cases: int = 0
    groups: dict[Key, Group] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)


def blueprint_of(seed: int, number: int) -> Blueprint:
    """The number-th generated model of a seed."""
    return draw(random.Random(f"models:{seed}:{number}"))


@dataclass(frozen=True)
class _Met:
    """A model before its engines, and why one of them disagrees there."""

    written: Written
    panel: ModelPanel
    judge: Judge
    why: Why
    stop: Callable[[], bool]

    def key(self, mismatch: Mismatch) -> Key:
        """The group of a mismatch."""
        return _key(self.written, self.why, mismatch)


class ModelFuzz:
    """A run over generated models; `outcome` grows as it goes."""

    def __init__(self, models: Models, seed: int, cases: int, names: Sequence[str]) -> None:
        self.outcome = Outcome()
        self._models = models
        self._seed = seed
        self._cases = cases
        self._names = tuple(names) or generators.names()
        self._causes = Causes()

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
            self._models.forget([written])
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
        right: defaultdict[str, list[Control]] = defaultdict(list)
        for batch, mismatches in search.mismatches(panel, stop, self._cases):
            for engine in asked:
                right[engine] += controls(judge.model, engine, batch, mismatches)
            for mismatch in mismatches:
                origin = f"models:{self._seed}:{number}/{mismatch.case.origin}"
                found[mismatch.engine].append(replace(mismatch, case=replace(mismatch.case, origin=origin)))
        self.outcome.models += 1
        self.outcome.cases += search.cases
        for engine, mismatches in found.items():
            why = (
                Why(written.tokenizer, ())
                if stop()
                else self._causes.study(written.tokenizer, mismatches, right[engine])
            )
            self._note(_Met(written, panel, judge, why, stop), mismatches)

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

    def _note(self, met: _Met, mismatches: Sequence[Mismatch]) -> None:
        """Add the mismatches of an engine on one model to their groups; the smallest of a group are made smaller."""
        members: defaultdict[Key, list[Mismatch]] = defaultdict(list)
        places: defaultdict[str, Counter[Key]] = defaultdict(Counter)
        extra: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        chosen, others = varied(mismatches, _LOOKED_AT)
        for mismatch in chosen:
            key = met.key(mismatch)
            members[key].append(mismatch)
            places[kind(mismatch)][key] += 1
        for mismatch in others:
            extra[places[kind(mismatch)].most_common(1)[0][0]][kind(mismatch)] += 1
        for key, group in members.items():
            first = min(group, key=_size)
            known = self.outcome.groups.get(key)
            if known is None:
                known = self.outcome.groups[key] = Group(*key, *self._small(met, first, key))
            elif known.shrunk < _SHRUNK and _size(first) < _size(known.smallest):
                known.smallest, known.blueprint = self._small(met, first, key)
                known.shrunk += 1
            known.models += 1
            known.mismatches += len(group) + extra[key].total()
            known.algorithms[met.written.blueprint.algorithm] += 1
            known.kinds.update(map(kind, group))
            known.kinds.update(extra[key])

    def _small(self, met: _Met, first: Mismatch, key: Key) -> _Small:
        """A smallest text with the same cause, and a smallest model on which it shows it."""
        small = shrunk(first, met.panel, met.judge, met.stop, lambda mismatch: met.key(mismatch) == key)
        best = small, met.written.blueprint
        tried: set[Blueprint] = set()
        while not met.stop() and len(tried) < _MOST_CANDIDATES:
            found = next(self._smaller(best, key, met.why, tried), None)
            if found is None:
                break
            best = found
        return best

    def _smaller(self, best: _Small, key: Key, why: Why, tried: set[Blueprint]) -> Iterator[_Small]:
        """Smaller models that show the same, in order; candidates are put to the engine together."""
        mismatch, blueprint = best
        batch: list[Written] = []
        for candidate in blueprint.smaller():
            if candidate in tried:
                continue
            tried.add(candidate)
            try:
                written = self._models.write(candidate, [mismatch.engine])
            except (TokparityError, KeyError):
                continue  # it describes no model any more
            if mismatch.engine in written.refused:
                self._models.forget([written])
            else:
                batch.append(written)
            if len(batch) == _CANDIDATES:
                yield from self._showing(batch, key, why, mismatch)
                batch = []
        yield from self._showing(batch, key, why, mismatch)

    def _showing(self, batch: Sequence[Written], key: Key, known: Why, mismatch: Mismatch) -> Iterator[_Small]:
        results = self._models.ask([(written, mismatch.case) for written in batch], mismatch.engine)
        self._models.forget(batch)
        if results is None:
            return
        for index, written in enumerate(batch):
            expected = answers(written.tokenizer, [mismatch.case], skip_special=True)
            single = Batch([mismatch.case], {REFERENCE: expected, mismatch.engine: results.part(index)})
            judge = Judge(mismatch.model, REFERENCE, written.tokenizer.vocabulary.pieces)
            why = known.on(written.tokenizer)
            for found in judge.judge(single, [mismatch.engine]):
                if _key(written, why, found) == key and (key[2] or kind(found) == kind(mismatch)):
                    yield found, written.blueprint


def _key(written: Written, why: Why, mismatch: Mismatch) -> Key:
    """Which group a mismatch belongs to."""
    cause = why.cause(mismatch)
    if cause:
        return mismatch.engine, "", cause
    what = mismatch.first_difference.partition(":")[0]
    aspect = kind(mismatch) if what == "failure" else "ids" if what == "ids" else "decoded text"
    return mismatch.engine, f"{written.blueprint.algorithm}, {aspect}", ()


def _size(mismatch: Mismatch) -> tuple[int, bytes]:
    return len(mismatch.case.text), mismatch.case.text


def _general(message: str) -> str:
    """A reason without what is particular to one model, so that reasons can be counted."""
    return message.partition(":")[0].partition("'")[0].strip()[:90]
