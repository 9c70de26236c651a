"""Algorithms that work as they should, on a vocabulary that was read wrongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tokparity.behaviour import Behaviour, Segment
from tokparity.vocabulary import Vocabulary

Change = Callable[[Vocabulary], Vocabulary]
"""What the engine takes the vocabulary for."""


@dataclass(frozen=True)
class SeenAs:
    """What a field of Behaviour does with a vocabulary (segment, match_added), done with a changed one."""

    inner: Callable[..., Any]
    change: Change

    def __call__(self, vocabulary: Vocabulary, *rest: Any) -> Any:
        return self.inner(self.change(vocabulary), *rest)


def algorithm(segment: Segment) -> Segment:
    """The algorithm below whatever was put around it."""
    while isinstance(segment, SeenAs):
        segment = segment.inner
    return segment


def segments_as(change: Change, *algorithms: Segment) -> Callable[[Behaviour], object]:
    """A `derive` for the field segment: these algorithms see the changed vocabulary, others don't care."""

    def derive(behaviour: Behaviour) -> object:
        segment = behaviour.segment
        return SeenAs(segment, change) if algorithm(segment) in algorithms else segment

    return derive


def matches_as(change: Change) -> Callable[[Behaviour], object]:
    """A `derive` for the field match_added: added tokens are looked for as the changed vocabulary lists them."""
    return lambda behaviour: SeenAs(behaviour.match_added, change)
