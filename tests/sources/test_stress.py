"""Very long texts: what is put, what is not put any more, and what is said of an engine that does not bear them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.finding import Finding
from tokparity.report.file import read
from tokparity.report.model import Report
from tokparity.report.render.command import reproduce
from tokparity.report.render.visible import spelled
from tokparity.session import slowness
from tokparity.session.judge import Batch, Sighting
from tokparity.sources import stress
from tokparity.sources.stress import LENGTHS, UNITS, Stress

HEAD = """
import os, time
from tokparity import Tokenizer
from tokparity.models import load, primary_source
TOKENIZER = Tokenizer.from_file(primary_source(load("small-bpe")).path)
def right(text):
    return list(TOKENIZER.encode(text, add_special=False))
"""
OVERFLOWS = """
def encode(text):
    if text.isalpha() and len(text) > 2345:
        os.abort()
    return right(text)
"""
SQUARE = """
def encode(text):
    time.sleep(2e-8 * text.count("1") ** 2)
    return right(text)
"""


def test_every_kind_at_every_length() -> None:
    """Each by itself, the short ones first, and of just so many characters."""
    texts = [batch[0].question.shown.decode() for batch in Stress().batches()]
    assert [length for length in LENGTHS for _ in UNITS] == list(map(len, texts))
    assert len(texts) == len(set(texts)) == Stress().count


def test_no_longer_text_of_a_kind_that_an_engine_failed_on() -> None:
    """Of the others all are put."""
    source, first = Stress(), next(iter(UNITS))
    batches = source.batches()
    (case,) = next(batches)
    source.learn(Batch([case], {}), [Sighting(0, "e", "o", "failure-crash-11")])
    rest = [batch[0] for batch in batches]
    assert source.count - len(LENGTHS) == len(rest)
    assert case.origin not in {other.origin for other in rest}, first


def found(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Report, Finding]:
    """The report on an engine, and its one finding."""
    engine = tmp_path / "engine.py"
    engine.write_text(HEAD + body)
    monkeypatch.setattr(stress, "LENGTHS", (1000, 4000))
    monkeypatch.setattr(stress, "UNITS", dict(islice(UNITS.items(), 5)))
    words = ["--engine", f"{engine}:encode", "--corpus", "prompts", "--cases", "0", "--stress"]
    assert 0 == main(["run", "small-bpe", *words, "--out", str(tmp_path / "out")])
    report = read(tmp_path / "out" / "report.jsonl")
    (finding,) = report.findings
    return report, finding


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell runs the command")
def test_a_crash_is_shown_a_little_above_its_edge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that dies of more than 2,345 letters; the command that puts them again is short."""
    report, finding = found(OVERFLOWS, tmp_path, monkeypatch)
    assert ("crash", b"a" * (2346 + 46)) == (finding.smallest.difference.failure, finding.smallest.case.question.shown)
    assert '"a" x 2,392' == spelled(finding.smallest.case.question, 100)
    command = reproduce(report, finding.smallest)
    assert len(command) < 250 + 2 * len(shlex.quote(finding.engine))
    shell = command.replace("python3", sys.executable).replace("tokparity diff", f"{sys.executable} -m tokparity diff")
    assert 1 == subprocess.run(shell, shell=True, check=False, capture_output=True).returncode


def test_time_that_grows_with_the_square_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of a second for four thousand digits, where ordinary text takes a millisecond."""
    monkeypatch.setattr(slowness, "_GROWING_AT_LEAST", 0.2)
    _, finding = found(SQUARE, tmp_path, monkeypatch)
    assert "slow" == finding.smallest.difference.failure
    assert re.search(r"time grows as n\^[12]\.\d|where ordinary text", finding.smallest.actual.message)  # type: ignore[union-attr]
    assert finding.smallest.case.question.shown.count(b"1") > 400
