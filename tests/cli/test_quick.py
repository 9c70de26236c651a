"""`tokparity check --quick`: what a verdict rests on is put, and nothing else; and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokparity.cli import main, report_files
from tokparity.report.file import read
from tokparity.sources import corpus

WORDS = ["check", "small-wordpiece", "--engine", "reference"]


def test_a_quick_check_puts_the_probe_set_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All probes are put, no random text and no corpus is, and standard output says how many texts these are."""
    assert 0 == main([*WORDS, "--quick", "--out", str(tmp_path / "out")])
    report = read(tmp_path / "out" / "report.jsonl")
    (put,) = report.puts
    assert put.is_probed
    assert put.texts == put.probes == put.of
    assert f"This was quick: {put.texts} texts." in capsys.readouterr().out


def test_a_quick_check_finds_a_known_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A fault of the catalogue is found and named by the probe set alone."""
    faulty = ["check", "small-wordpiece", "--engine", "reference+keeps_case", "--quick"]
    assert 1 == main([*faulty, "--out", str(tmp_path / "out")])
    assert "keeps_case" in capsys.readouterr().out


@pytest.mark.parametrize("more", [["--cases", "5"], ["--corpus", "prompts"], ["--seconds", "3"], ["--update"]])
def test_options_that_ask_for_more_are_refused(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """--quick has no use for an option that asks for more texts, and an accepted list needs the full check."""
    assert 2 == main([*WORDS, "--quick", *more])
    assert "--quick runs only the probe texts" in capsys.readouterr().err


def test_a_quick_check_reads_no_corpus_and_writes_no_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What takes long and no verdict needs is left out: the corpora, and the Parquet files, which are not promised."""
    monkeypatch.setattr(corpus, "load", lambda name: pytest.fail(f"the corpus {name} was read"))
    assert 0 == main([*WORDS, "--quick", "--out", str(tmp_path / "out")])
    assert set(report_files.FILES.split()) == {path.name for path in (tmp_path / "out").iterdir()}
    assert "parquet" not in capsys.readouterr().out
