"""The short form: an engine's fault at one text is that text's own failure, and a run that hangs ends."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hostile import faulty_engines, killer
from tests.rings import nightly_but
from tokparity.cli import main, running
from tokparity.report import file as report_file

SHORT = ("SIGSEGV", "SIGSTOP", "exits_with_0", "lies_about_lengths", "closes_its_pipes", "forks_and_dies", "leaves")


@pytest.mark.parametrize("kind", nightly_but(["SIGSEGV", "lies_about_lengths", "forks_and_dies"], SHORT))
def test_a_fault_is_that_of_its_text(kind: str) -> None:
    """It alone fails, all others are answered, no process is left; the long form has all kinds."""
    assert (kind, "") == faulty_engines.attack("short", sorted(faulty_engines.FAULTS).index(kind))


def test_one_hanging_text_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends within three time-outs more than without it, the text is named, and check's exit code is 1."""
    timeout = 4.0
    given = running.options_of
    monkeypatch.setattr(running, "options_of", lambda args: replace(given(args), timeout=timeout))
    texts = [f"text {i}" for i in range(200)]
    model = ["small-spm", "--engine", "fake_engines:OneHangs", "--cases", "0", "--corpus"]
    took, codes = {}, {}
    for name, guilty in (("without", "text"), ("with", "hangs here")):
        (tmp_path / f"{name}.txt").write_text("\n".join([*texts[:77], guilty, *texts[78:]]), encoding="utf-8")
        started = time.monotonic()
        codes[name] = main(["check", *model, str(tmp_path / f"{name}.txt"), "--out", str(tmp_path / name)])
        took[name] = time.monotonic() - started
    assert {"without": 0, "with": 1} == codes
    assert took["with"] < took["without"] + 3 * timeout
    report = report_file.read(tmp_path / "with" / "report.jsonl")
    assert "complete" == (report.footer.ended if report.footer else "")
    hung = [found.case.question.literal for found in report.mismatches if found.difference.failure == "timeout"]
    assert [json.dumps("hangs here")] == hung


@pytest.mark.nightly
def test_a_killed_search_goes_on(tmp_path: Path) -> None:
    """Killed at any moment: what was written is there, and the resumption adds up; the long form kills often."""
    killed = killer.kill(killer.COMMANDS["fuzz"], tmp_path, 3.0)
    assert "" == killer.what_broke(killed, None, tmp_path)
    if killed.after:
        assert "" == killer.gone_on(tmp_path)
