"""A plugin for pytest: `@pytest.mark.parity`, `parity`, `reference_tokenizer`, `tokparity_vector`.

docs/pytest.md is its page. Nothing heavy is imported before a test asks for one of the fixtures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tokparity import Tokenizer
    from tokparity.api.given import Given
    from tokparity.vectors.model import Vectors

_MARKER = "parity(model, engines=None): a model (a name, a path, or files by format) and the engines to check it with"
_COUNT = 500  # texts, where a test names none
_OPTION = "--tokparity-vectors"
_RESULT = "tokparity_result"
_VECTORS: pytest.StashKey[Vectors] = pytest.StashKey()


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
        from tokparity import assert_parity

        chosen = self.texts() if texts is None else texts
        assert_parity(mine, self.reference, chosen, add_special=add_special, parse_special=parse_special)

    def texts(self, count: int = _COUNT, seed: int = 0) -> list[str]:
        """Texts made to break this model's tokenizers; the same seed makes the same texts."""
        from tokparity.strategies import some_texts

        return some_texts(self.reference.source.vocabulary, self.reference.source.behaviour, count, seed)

    def check(self, cases: int = _COUNT, corpora: Sequence[str] = ("prompts",), seed: int = 0) -> None:
        """Run the model on the marker's engines, or on all; fail for a finding that is neither known nor accepted."""
        __tracebackhide__ = True
        from tokparity import check

        found = check(self.model, self.engines, corpora=corpora, cases=cases, seed=seed)
        if found.exit_code:
            pytest.fail(f"tokparity check: {found.sentence}", pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --tokparity-vectors."""
    told = "test vectors of a model: each case becomes a test that takes the fixture `tokparity_vector`"
    parser.getgroup("tokparity").addoption(_OPTION, metavar="FILE", help=told)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `tokparity_vector` runs once for each case of the file."""
    if "tokparity_vector" in metafunc.fixturenames and metafunc.config.getoption(_OPTION):
        cases = [case for part in _vectors(metafunc.config).parts for case in part.cases]
        metafunc.parametrize("tokparity_vector", cases, ids=[case.id for case in cases], indirect=True)


@pytest.fixture
def tokparity_vector(request: pytest.FixtureRequest) -> Callable[[object], None]:
    """A case of --tokparity-vectors. Call it with an engine: `encode(text, add_special, parse_special)` gives ids."""
    case = getattr(request, "param", None)
    if case is None:
        pytest.skip(f"{_OPTION} was not given")

    def check(engine: object) -> None:
        __tracebackhide__ = True
        from tokparity.vectors.asking import answer, can_be_asked, why_wrong
        from tokparity.vectors.results import result_line

        if not can_be_asked(case, engine):
            pytest.skip(f"the engine cannot be asked: {case.question.KIND}")
        given = answer(case, engine)
        request.node.user_properties.append((_RESULT, result_line(case, given)))
        if why := why_wrong(case, given):
            pytest.fail(why, pytrace=False)

    return check


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the faults that the failing cases of --tokparity-vectors show."""
    if not config.getoption(_OPTION):
        return
    reports = [report for some in terminalreporter.stats.values() for report in some]
    lines = [line for one in reports for name, line in getattr(one, "user_properties", ()) if name == _RESULT]
    from tokparity.vectors.asking import summary
    from tokparity.vectors.results import answers_in

    for sentence in summary(_vectors(config), answers_in(lines, _vectors(config))):
        terminalreporter.write_line(sentence)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker with pytest."""
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture
def parity(request: pytest.FixtureRequest) -> Parity:
    """The model of the test's marker: `parity(mine)`, `parity.reference`, `parity.texts()`, `parity.check()`."""
    from tokparity import Tokenizer

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


def _vectors(config: pytest.Config) -> Vectors:
    """What the file of --tokparity-vectors holds; an error of the command line where it cannot be read."""
    from tokparity.errors import TokparityError
    from tokparity.vectors.file import read

    if _VECTORS not in config.stash:
        try:
            config.stash[_VECTORS] = read(Path(config.getoption(_OPTION)))
        except TokparityError as error:
            raise pytest.UsageError(str(error)) from error
    return config.stash[_VECTORS]
