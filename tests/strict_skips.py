"""The option --strict-skips: a skipped test fails unless its reason is one that is expected on this machine.

A test that is skipped proves nothing, and nobody reads the reasons of a green run. `nox -s tests` sets the option.
Reports are changed where the test runs, so it works the same with and without pytest-xdist.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

import pytest

from tests import json_libraries, shared_models


@dataclass(frozen=True)
class ExpectedSkip:
    """A reason (a regular expression for the whole of it) and whether what it says is so on this machine."""

    reason: str
    is_so: Callable[[re.Match[str]], bool]

    def covers(self, reason: str) -> bool:
        """Whether this is the reason, and it holds here."""
        found = re.fullmatch(self.reason, reason, re.DOTALL)
        return found is not None and self.is_so(found)


@cache
def _index_answers() -> bool:
    """Whether pip, as it is set up here, gets an answer from a package index; asked at the first such skip only."""
    asking = (sys.executable, "-m", "pip", "index", "versions", "pip", "--retries", "1", "--timeout", "15")
    return subprocess.run(asking, capture_output=True, check=False).returncode == 0


@cache
def _npm_answers() -> bool:
    """Whether npm, as it is set up here, gets an answer from a registry; asked at the first such skip only."""
    program = shutil.which("npm")
    asking = (str(program), "view", "npm", "version", "--fetch-retries=1", "--fetch-timeout=15000")
    return program is not None and subprocess.run(asking, capture_output=True, check=False).returncode == 0


EXPECTED = (
    # The published tokenizers belong to others and are too large for the repository.
    ExpectedSkip(rf"{shared_models.REASON}: .*", lambda _: not shared_models.folder().is_dir()),
    # What real engines of other authors gave belongs beside them.
    ExpectedSkip(r"the recordings of real engines are not there: .*", lambda _: not shared_models.RECORDED.is_dir()),
    # An environment of its own is made where something can be installed.
    ExpectedSkip(r"no package index here: .*", lambda _: not _index_answers()),
    ExpectedSkip(r"no installer here: uv", lambda _: shutil.which("uv") is None and find_spec("uv") is None),
    # Linux says how long a thread waits for a processor.
    ExpectedSkip(r"this system does not tell how long a thread waits .*", lambda _: sys.platform != "linux"),
    # The adapters in other languages are built where their compilers are.
    ExpectedSkip(
        r"no compiler here: (go|rustc|cargo|node|g\+\+|javac|swiftc)", lambda found: shutil.which(found[1]) is None
    ),
    # Some known models come from a registry whose client is not part of Python.
    ExpectedSkip(r"no registry client here: npm", lambda _: shutil.which("npm") is None),
    ExpectedSkip(r"no npm registry here: .*", lambda _: not _npm_answers()),
    # Runners of test vectors in C++ and Rust are built where the library is that they read JSON with.
    ExpectedSkip(
        r"no JSON library here: (nlohmann/json.hpp|serde_json|gson)", lambda found: not json_libraries.found(found[1])
    ),
)
"""All skips that CI lets pass. What `tokparity models pull` or an extra of the package brings is not among them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--strict-skips", action="store_true", help="fail where a skip is not an expected one")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test, or what it needs, was skipped. An expected failure (xfail) also counts as skipped, and is none."""
    report = yield
    if item.config.getoption("--strict-skips") and report.skipped and not hasattr(report, "wasxfail"):
        _judge(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A whole module was skipped."""
    report = yield
    if collector.config.getoption("--strict-skips") and report.skipped:
        _judge(report)
    return report


def _judge(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Make a failure of the report of a skip that nobody expects."""
    where, line, said = report.longrepr if isinstance(report.longrepr, tuple) else ("", 0, str(report.longrepr))
    reason = said.removeprefix("Skipped: ")
    if not any(expected.covers(reason) for expected in EXPECTED):
        report.outcome = "failed"
        report.longrepr = (
            f"{where}:{line}: skipped, and nobody expects it here: {reason!r}\n"
            "Make what the test needs available, or add the reason to EXPECTED in tests/strict_skips.py."
        )
