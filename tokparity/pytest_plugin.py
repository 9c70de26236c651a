"""A plugin for pytest, loaded by its entry point: `@pytest.mark.parity`, `parity` and `reference_tokenizer`.

docs/pytest.md is its page. Nothing heavy is imported before a test asks for one of the fixtures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tokparity.api import Tokenizer
    from tokparity.api.given import Given

_MARKER = "parity(model, engines=None): a model (a name, a path, or files by format) and the engines to check it with"
_COUNT = 500  # texts, where a test names none


@dataclass(frozen=True)
class Parity:
    """What a test marked with `parity` is about: the model, its reference tokenizer, the engines."""

    model: Given
    engines: tuple[str, ...]
    reference: Tokenizer = field(repr=False)

    def __call__(
        self,
        mine: Callable[[str], Sequence[int]],
        texts: Iterable[str | bytes] | None = None,
        *,
        add_special: bool = True,
        parse_special: bool = False,
    ) -> None:
        """Fail if `mine` gives other ids than the reference on some text; without texts, on some made for the model."""
        __tracebackhide__ = True
        from tokparity.api import assert_parity

        chosen = self.texts() if texts is None else texts
        assert_parity(mine, self.reference, chosen, add_special=add_special, parse_special=parse_special)

    def texts(self, count: int = _COUNT, seed: int = 0) -> list[str]:
        """Texts made to break tokenizers, for this model; the same seed makes the same ones."""
        from tokparity.strategies import some_texts

        return some_texts(self.reference.source.vocabulary, self.reference.source.behaviour, count, seed)

    def check(self, cases: int = _COUNT, corpora: Sequence[str] = ("prompts",), seed: int = 0) -> None:
        """Put the model before the marker's engines, or all; fail for what is neither known nor accepted."""
        __tracebackhide__ = True
        from tokparity.api import check

        found = check(self.model, self.engines, corpora=corpora, cases=cases, seed=seed)
        if found.exit_code:
            pytest.fail(f"tokparity check: {found.sentence}", pytrace=False)


def pytest_configure(config: pytest.Config) -> None:
    """Tell pytest of the marker."""
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture
def parity(request: pytest.FixtureRequest) -> Parity:
    """The model of the test's marker: `parity(mine)`, `parity.reference`, `parity.texts()`, `parity.check()`."""
    from tokparity.api import Tokenizer

    model, engines = _marked(request)
    return Parity(model, engines, Tokenizer.from_model(model))


@pytest.fixture
def reference_tokenizer(parity: Parity) -> Tokenizer:
    """The reference tokenizer of the model of the test's marker."""
    return parity.reference


def _marked(request: pytest.FixtureRequest) -> tuple[Given, tuple[str, ...]]:
    """What the nearest marker says; an error of the test's set-up where there is none, or it says something else."""
    marker = request.node.get_closest_marker("parity")
    if marker is None:
        raise pytest.UsageError('the test needs @pytest.mark.parity(model="...")')
    given = dict(zip(("model", "engines"), marker.args, strict=False)) | marker.kwargs
    if "model" not in given or given.keys() - {"model", "engines"} or len(marker.args) > 2:
        found = f"{marker.args}, {marker.kwargs}"
        raise pytest.UsageError(f'{found}: write @pytest.mark.parity(model="...", engines=[...])')
    engines = given.get("engines") or ()
    if isinstance(engines, str):
        raise pytest.UsageError(f"engines is {engines!r}; write a list: engines=[{engines!r}]")
    return given["model"], tuple(engines)
