"""Disagreements on generated models, put together by engine and cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tokparity.finding import Mismatch
from tokparity.fuzz.priors import Names
from tokparity.generators.blueprint import Blueprint

Key = tuple[str, str, Names]
"""(engine, aspect, quirks); the aspect (algorithm, and ids or what else) only where nothing explains it."""

_MANY_PIECES = 100
"""A model with more pieces (a byte table) is shown only where no smaller one shows the same."""


@dataclass(frozen=True)
class Example:
    """A mismatch, the model on which it was seen, and the sets of quirks that explain the engine there."""

    mismatch: Mismatch
    blueprint: Blueprint
    explained: tuple[Names, ...]

    @property
    def size(self) -> tuple[bool, int, bytes]:
        """What is shown is the smallest by this."""
        text = self.mismatch.case.question.shown
        return len(self.blueprint.entries) > _MANY_PIECES, len(text), text


@dataclass
class Group:
    """Disagreements of an engine with one cause: on how many models, how many texts, and the smallest of them."""

    engine: str
    aspect: str
    quirks: Names
    smallest: Example
    models: int = 0
    mismatches: int = 0
    algorithms: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def key(self) -> Key:
        """What its members have in common."""
        return self.engine, self.aspect, self.quirks

    def add(self, examples: list[Example]) -> None:
        """Members from one more model."""
        self.smallest = min(self.smallest, *examples, key=lambda example: example.size)
        self.models += 1
        self.mismatches += len(examples)
        self.algorithms[examples[0].blueprint.algorithm] += 1
        self.kinds.update(example.mismatch.kind for example in examples)


@dataclass
class Total:
    """The result for all models. `refused` counts (engine, reason), `open` the texts to diagnose again.

    `unexamined` counts by (engine, kind) the mismatches that were not kept; nobody can say to which group they belong.
    """

    models: int = 0
    cases: int = 0
    open: int = 0
    groups: dict[Key, Group] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    unexamined: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, key: Key, examples: list[Example]) -> None:
        """Add the mismatches of one more model to a group."""
        if key not in self.groups:
            self.groups[key] = Group(*key, examples[0])
        self.groups[key].add(examples)

    def shown(self) -> list[Group]:
        """What is listed one by one: unexplained ones first, then by engine and how many models they touch."""
        combined = {group.key for group in self.combined()}
        groups = [group for group in self.groups.values() if group.key not in combined]
        return sorted(groups, key=lambda g: (bool(g.quirks), g.engine, -g.models, g.aspect, g.quirks))

    def combined(self) -> Iterator[Group]:
        """The explained groups whose quirks each have a group of their own: they say nothing new."""
        alone = {(engine, *quirks) for engine, _, quirks in self.groups if len(quirks) == 1}
        for group in sorted(self.groups.values(), key=lambda g: (g.engine, -g.models, g.quirks)):
            if len(group.quirks) > 1 and all((group.engine, name) in alone for name in group.quirks):
                yield group


def key_of(algorithm: str, cause: Names, mismatch: Mismatch) -> Key:
    """Which group a mismatch with this cause belongs to; the cause is empty where nothing explains it."""
    if cause:
        return mismatch.engine, "", cause
    what = mismatch.difference.aspect
    aspect = mismatch.kind if what == "failure" else "ids" if what == "ids" else "decoded text"
    return mismatch.engine, f"{algorithm}, {aspect}", ()
