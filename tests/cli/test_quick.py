"""`tokparity check --quick`: what a verdict rests on is put, and nothing else; and that is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tokparity import formats, models
from tokparity.cli import main, report_files
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.models.record import AcceptedFinding
from tokparity.report.file import read
from tokparity.session.seats import left_out
from tokparity.sources import corpora, corpus

pytestmark = pytest.mark.usefixtures("few_texts")

WORDS = ["check", "small-wordpiece", "--engine", "reference"]


def test_a_quick_check_puts_the_probe_set_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All probes are put, no random text and no corpus is, and standard output says how many texts these are."""
    assert 0 == main([*WORDS, "--quick", "--out", str(tmp_path / "out")])
    report = read(tmp_path / "out" / "report.jsonl")
    (put,) = report.puts
    assert put.is_probed
    assert put.texts == put.probes == put.of
    assert f"This was quick: {put.texts} texts and rows of ids." in capsys.readouterr().out


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
    corpora.samples.cache_clear()
    monkeypatch.setattr(corpus, "load", lambda name: pytest.fail(f"the corpus {name} was read"))
    assert 0 == main([*WORDS, "--quick", "--out", str(tmp_path / "out")])
    assert set(report_files.FILES.split()) == {path.name for path in (tmp_path / "out").iterdir()}
    assert "parquet" not in capsys.readouterr().out


def test_a_quick_check_leaves_out_what_runs_another_engine() -> None:
    """transformers runs tokenizers, so only a full check asks both; not where it judges, is accepted or is listed."""
    model = models.load("small-bpe")
    assert ["transformers"] == left_out(model)
    assert [] == left_out(replace(model, oracle="transformers"))
    assert [] == left_out(replace(model, accepted=(AcceptedFinding(engine="transformers", reason="known"),)))
    assert [] == left_out(replace(model, engines=("tokenizers", "transformers")))


def test_a_quick_check_says_what_is_wrong_in_a_file_before_it_runs_engines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The wrong key is the first line; the verdict follows with the texts."""
    right, wrong = tmp_path / "right.gguf", tmp_path / "wrong.gguf"
    formats.write(formats.read(models.load("small-spm").sources["sentencepiece"]), "gguf", right)
    rewrite(right, {"tokenizer.ggml.add_space_prefix": False}, wrong)
    out = str(tmp_path / "out")
    assert 1 == main(["check", str(wrong), "--against", "small-spm", "--engine", "llama.cpp", "--quick", "--out", out])
    said = capsys.readouterr()
    key = "tokenizer.ggml.add_space_prefix is false, should be true"
    assert f"tokparity: wrong: {key}; now the engines" == said.err.splitlines()[0]
    assert f"Your GGUF is wrong: {key}" in said.out
