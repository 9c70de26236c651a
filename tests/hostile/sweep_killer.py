"""`kill -9` at any moment of a sweep: no finished unit is lost or changed, and going on counts every line."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

from tests.hostile import killer
from tokparity import models
from tokparity.generators.subject import Subject
from tokparity.report import file as report_file
from tokparity.session.one_model import needed_cases
from tokparity.session.seats import seat

LINES = 6000
WORDS = ("sweep", *killer.MODEL, "--text", "t.txt", "--shard", "8KB", "--workers", "1", "--out", "out")
_DONE = 1200
"""Seconds within which the rest is done."""


@cache
def all_cases() -> int:
    """How many cases each engine is asked: the lines, and the probe set, which is put when the parts are merged."""
    model = models.load(killer.MODEL[0])
    seating = seat(model, [killer.MODEL[2]])
    subject = Subject(seating.source.vocabulary, seating.source.behaviour)
    return LINES + len(needed_cases(model, subject, seating.shown))


def attack(seed: str, folder: Path) -> tuple[str, str]:
    """(command and moment, what broke) for one kill."""
    seconds = Random(f"sweep:{seed}").uniform(0.5, 20)
    (folder / "t.txt").write_text("".join(f"line {i} of a text\n" for i in range(LINES)), encoding="utf-8")
    killed = killer.kill(WORDS, folder, seconds)
    return f"sweep after {seconds:.1f} s", f"{killed.left} processes were left" if killed.left else gone_on(folder)


def gone_on(folder: Path) -> str:
    """Empty if the killed sweep can be gone on with: finished units stay as they are, and the report adds up."""
    finished = _units(folder)
    words = ("sweep", "--resume", "out") if (folder / "out" / "sweep.json").exists() else WORDS
    command = [sys.executable, "-m", "tokparity", *words]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_DONE, check=False)
    except subprocess.TimeoutExpired:
        return f"`{' '.join(words)}` has no end within {_DONE} s"
    if done.returncode not in (0, 1):
        return f"`{' '.join(words)}` ends with {done.returncode}: {done.stderr[-200:]!r}"
    now = _units(folder)
    if changed := [path.name for path in finished if now.get(path) != finished[path]]:
        return f"finished units were lost or done again: {', '.join(changed)}"
    report = report_file.read(folder / "out" / "report.jsonl")
    cases = {pair.engine: pair.cases for pair in report.pairs}
    return "" if cases and set(cases.values()) == {all_cases()} else f"of {all_cases()} cases were counted: {cases}"


def _units(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (folder / "out" / "units").glob("*.parquet")}
