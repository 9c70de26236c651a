"""Three runs of one engine, two versions among them: something is new, something changed, something is gone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reports import RIGHT, mismatch
from tokparity.finding import Finding
from tokparity.outcome import Encoding
from tokparity.report.file import write
from tokparity.report.model import Footer, Header, Pair, Report

STRIPS, COLLAPSES, FOLDS = "strips_text", "collapses_spaces", "folds_case"
RUNS = (
    ("2026-01-05T10:00:00+01:00", "tokenizers@0.19.1", {STRIPS: 3, COLLAPSES: 5}),
    ("2026-02-05T10:00:00+00:00", "tokenizers@0.21.0", {STRIPS: 4, COLLAPSES: 5}),
    ("2026-03-05T10:00:00+00:00", "tokenizers@0.21.0", {STRIPS: 4, FOLDS: 2}),
)
"""When each began, the engine, and how many cases each cause has."""


def finding(engine: str, quirk: str, cases: int, accepted: bool = False) -> Finding:
    """One finding, whose smallest text is given other ids by the newer version where spaces collapse."""
    wrong = Encoding((9,)) if quirk == COLLAPSES and "0.21" in engine else Encoding((8,))
    smallest = mismatch(quirk.encode(), "nai-t5", engine, RIGHT, wrong)
    return Finding(f"{engine}-{quirk}", "nai-t5", engine, "sentencepiece", "verified", smallest, cases, 20, (quirk,),
                   accepted=accepted, reason="so" if accepted else "", verified=cases)  # fmt: skip


def run(number: int) -> Report:
    """One of the three."""
    started, engine, causes = RUNS[number]
    return Report(
        Header("0.1.0", "15.0.0", {engine: "1"}, {"nai-t5": {"a.model": "0" * 64}}, 0, ("tokparity", "run"), started),
        (
            Pair("nai-t5", "sentencepiece", "sentencepiece", "sentencepiece 0.2.1", cases=100, equal=100),
            Pair("nai-t5", engine, "sentencepiece", engine.replace("@", " "), cases=100, equal=90, mismatches=10),
        ),
        (mismatch(b"a", "nai-t5", engine),),
        tuple(finding(engine, quirk, cases, quirk == STRIPS) for quirk, cases in causes.items()),
        footer=Footer("complete", 1.0),
    )


def three_runs(folder: Path) -> Path:
    """A folder with a folder for each run."""
    for number in range(3):
        stored(run(number), folder / f"run-{number}")
    return folder


def stored(report: Report, folder: Path) -> Path:
    """The folder with this report in it."""
    folder.mkdir(parents=True)
    write(report, folder / "report.jsonl")
    return folder


def truncated(report: Report) -> Report:
    """The report of a run that was cut short before it found anything."""
    return replace(report, footer=None, findings=(), header=replace(report.header, started="2026-04-01T00:00:00Z"))
