"""Hypothesis strategies made of the generators, for anybody's tests: texts for a model, and whole small models.

from tokparity import strategies

@given(strategies.texts(vocabulary, behaviour))
def test_mine(text: bytes) -> None: ...
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from tokparity import generators
from tokparity.behaviour import Behaviour
from tokparity.errors import MissingDependencyError
from tokparity.generators.subject import Subject
from tokparity.generators.vocabularies import Blueprint, draw
from tokparity.vocabulary import Vocabulary

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_INDICES = 1 << 30


def texts(vocabulary: Vocabulary, behaviour: Behaviour, names: Sequence[str] = ()) -> SearchStrategy[bytes]:
    """Texts for a model, from all generators or from those named; not all of them are UTF-8."""
    st = _strategies()
    subject = Subject(vocabulary, behaviour)
    draws = [generators.get(name).prepare(subject) for name in names or generators.names()]

    def text(draw_: generators.Draw, rng: random.Random, index: int) -> bytes:
        return draw_(rng, index)

    found: SearchStrategy[bytes] = st.builds(
        text, st.sampled_from(draws), st.randoms(use_true_random=False), st.integers(0, _INDICES)
    )
    return found


def blueprints() -> SearchStrategy[Blueprint]:
    """Small random models as blueprints, which can be made smaller piece by piece."""
    st = _strategies()
    found: SearchStrategy[Blueprint] = st.builds(draw, st.randoms(use_true_random=False))
    return found


def models() -> SearchStrategy[tuple[Vocabulary, Behaviour]]:
    """Small random models."""
    return blueprints().map(Blueprint.build)


def _strategies() -> ModuleType:
    try:
        from hypothesis import strategies
    except ImportError as error:
        raise MissingDependencyError(
            f"strategies need Hypothesis: {error}", "install it: pip install 'tokparity[strategies]'"
        ) from error
    return strategies
