"""The option --strict-skips: an unexpected skip is a failure, an expected one is not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import shared_models, strict_skips

ROOT = Path(__file__).parents[1]

SKIPS = """
    import pytest

    def test_that_runs():
        pass

    def test_that_skips_itself():
        pytest.skip("no network")

    @pytest.mark.skipif(True, reason="not on this system")
    def test_that_is_marked():
        pass

    @pytest.mark.xfail(reason="known", strict=True)
    def test_that_is_expected_to_fail():
        assert False
"""
NEEDS_MODELS = f"""
    import pytest

    def test_that_needs_models():
        pytest.skip("{shared_models.REASON}: /nowhere")
"""
SKIPPED_MODULE = """
    import pytest

    pytest.importorskip("no_such_library_as_this")
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder of tests in which the option is known, and in which the published tokenizers are missing."""
    monkeypatch.setenv(shared_models.VARIABLE, str(pytester.path / "missing"))
    monkeypatch.syspath_prepend(str(ROOT))
    pytester.makeconftest('pytest_plugins = ["tests.strict_skips"]')
    return pytester


@pytest.mark.parametrize("processes", ["0", "1"])
def test_an_unexpected_skip_fails(suite: pytest.Pytester, processes: str) -> None:
    """By a mark or in the test itself, with and without pytest-xdist; an expected failure stays one."""
    suite.makepyfile(SKIPS)
    result = suite.runpytest("--strict-skips", "-n", processes)
    # A mark skips before the test begins, which pytest counts as an error.
    result.assert_outcomes(passed=1, failed=1, errors=1, xfailed=1)
    result.stdout.fnmatch_lines(["*skipped, and nobody expects it here: 'no network'*"])
    result.stdout.fnmatch_lines(["*skipped, and nobody expects it here: 'not on this system'*"])


def test_without_the_option_skips_are_skips(suite: pytest.Pytester) -> None:
    """Who runs a part of the tests at home is not bothered."""
    suite.makepyfile(SKIPS)
    suite.runpytest("-n", "0").assert_outcomes(passed=1, skipped=2, xfailed=1)


def test_an_expected_skip_passes_where_its_reason_holds(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The published tokenizers may be missing; where they are there, the same reason is a failure."""
    suite.makepyfile(NEEDS_MODELS)
    suite.runpytest("--strict-skips", "-n", "0").assert_outcomes(skipped=1)
    monkeypatch.setenv(shared_models.VARIABLE, str(suite.path))
    suite.runpytest("--strict-skips", "-n", "0").assert_outcomes(failed=1)


@pytest.mark.parametrize("answers", [True, False])
def test_a_reason_must_hold_on_this_machine(answers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the index answers and the tool is there, nobody may say that it is not."""
    monkeypatch.setattr(strict_skips, "_index_answers", lambda: answers)
    monkeypatch.setattr(shutil, "which", lambda tool: tool if answers else None)
    monkeypatch.setattr(strict_skips, "find_spec", lambda name: name if answers else None)
    reasons = ("no package index here: cut\nshort", "no installer here: uv", "no compiler here: go")
    covered = [any(expected.covers(reason) for expected in strict_skips.EXPECTED) for reason in reasons]
    assert [not answers] * 3 == covered


def test_a_skipped_module_fails(suite: pytest.Pytester) -> None:
    """A library that is missing takes a whole module with it, which nobody would notice."""
    suite.makepyfile(SKIPPED_MODULE)
    result = suite.runpytest("--strict-skips", "-n", "0")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*nobody expects it here: *no_such_library_as_this*"])
