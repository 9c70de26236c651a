"""Hypothesis strategies made of the generators, for anybody's tests: texts for a model, and whole small models.

from tokparity import strategies

@given(strategies.texts_for("tokenizer.json"))
def test_mine(text: str) -> None: ...
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from tokparity import formats, generators
from tokparity.behaviour import Behaviour
from tokparity.errors import MissingDependencyError
from tokparity.generators.blueprint import Blueprint
from tokparity.generators.subject import Subject
from tokparity.generators.vocabularies import draw
from tokparity.sources.random_texts import random_cases
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


def texts_for(path: str | os.PathLike[str], names: Sequence[str] = ()) -> SearchStrategy[str]:
    """Texts for the tokenizer in a file of any format, or in a directory, as str: what is not UTF-8 becomes U+FFFD.

    @given(strategies.texts_for("tokenizer.json"))
    def test_mine(text: str) -> None: ...
    """
    source = formats.read(os.fspath(path))
    return texts(source.vocabulary, source.behaviour, names).map(_as_str)


def some_texts(vocabulary: Vocabulary, behaviour: Behaviour, count: int, seed: int = 0) -> list[str]:
    """`count` texts for a model, from all generators, without Hypothesis; the same seed makes the same texts."""
    cases = random_cases((), seed, count, generators.prepared(vocabulary, behaviour))
    return [_as_str(case.question.text) for case in cases]


def _as_str(text: bytes) -> str:
    return text.decode("utf-8", "replace")


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
