"""A server that goes away: what is put is held, the rest is not asked, and nothing is found of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from servers_at_hand import SHAPES, Answers, ids_of, served

from tokparity.case import text_case
from tokparity.cli import main
from tokparity.engines import endpoint
from tokparity.models import load, primary_source
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.file import read
from tokparity.session import outage
from tokparity.session.panel import EnginePanel, Seat

MODEL = str(load("small-spm").sources["sentencepiece"])
LLAMA = SHAPES["llama.cpp's server b8681"]
CASES = [text_case(b"text %d" % number) for number in range(60)]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody waits long between attempts."""
    monkeypatch.setattr(endpoint, "_PAUSE", 0.001)
    monkeypatch.setattr(outage, "_PAUSE", 0.01)
    monkeypatch.chdir(tmp_path)


def real() -> Answers:
    """A server with small-spm open: the ids of the reference."""
    source = primary_source(load("small-spm"))
    tokenizer = Tokenizer(source.vocabulary, source.behaviour)

    def tokenize(said: dict[str, object]) -> tuple[int, object]:
        text = str(said["content"]).encode()
        return 200, {"tokens": tokenizer.encode(text, bool(said["add_special"]), bool(said["parse_special"]))}

    def detokenize(said: dict[str, object]) -> tuple[int, object]:
        return 200, {"content": tokenizer.decode(list(said["tokens"]), False).decode("utf-8", "replace")}  # type: ignore[call-overload]

    return {**LLAMA, "/tokenize": tokenize, "/detokenize": detokenize}


def away_for(looks: int, after: int) -> Callable[[list[str]], bool]:
    """Down from so many tokenized texts on, until it was looked for so many times."""

    def is_down(asked: list[str]) -> bool:
        return asked.count("/tokenize") > after and asked.count("/props") <= 1 + looks

    return is_down


def test_what_is_put_is_held_until_the_server_is_back() -> None:
    """Each text has its answer, as if the server had never been away."""
    with served(LLAMA, away_for(3, after=20)) as (url, _), EnginePanel([Seat(url, MODEL)], 20.0) as panel:
        (batch,) = panel.results([CASES], lambda: False)
        results = batch.results[url]
        assert () == results.failures
        assert [[1, *ids_of(f"text {number}")] for number in range(60)] == results.ids.to_list()


def test_a_server_that_stays_away_is_not_asked_any_more() -> None:
    """After the time that is allowed it is lost, and the batch has no answers of it."""
    with (
        served(LLAMA, away_for(10**9, after=20)) as (url, _),
        EnginePanel([Seat(url, MODEL)], 20.0, wait=0.05) as panel,
    ):
        batches = list(panel.results([CASES, CASES], lambda: False))
        assert [{}, {}] == [batch.results for batch in batches]
        assert "no longer answers" in panel.unavailable[url]
        assert "it was asked again for 0.05 s, and the rest was not asked" in panel.unavailable[url]


def test_a_run_that_is_to_end_does_not_wait_for_a_server() -> None:
    """A signal ends what is held at once."""
    told = []
    with (
        served(LLAMA, away_for(10**9, after=0)) as (url, _),
        EnginePanel([Seat(url, MODEL)], 20.0, lambda: bool(told)) as panel,
    ):
        told.append("stop")
        assert [] == list(panel.results([CASES], lambda: False))


def test_a_text_at_which_a_server_hangs_up_is_to_blame() -> None:
    """Where the server still says what it is, one text is the failure, and the others are answered."""
    bad = {**LLAMA, "/tokenize": lambda said: b"" if said["content"] == "text 7" else LLAMA["/tokenize"](said)}
    with served(bad) as (url, _), EnginePanel([Seat(url, MODEL)], 20.0) as panel:
        (batch,) = panel.results([CASES], lambda: False)
        assert [(7, "error")] == [(place, failure.kind) for place, failure in batch.results[url].failures]


@pytest.mark.parametrize("command", ["check", "fuzz"])
def test_an_outage_is_no_finding(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends with 3, says that the rest was not asked, and keeps what was compared before."""
    more = ["--corpus", "prompts"] if command == "check" else []
    with served(real(), away_for(10**9, after=700)) as (url, _):
        words = [command, "small-spm", "--engine", url, "--cases", "400", "--wait", "0.1", "--out", "out", *more]
        code = main(words)
    said = capsys.readouterr()
    report = read(Path("out/report.jsonl"))
    pair = next(pair for pair in report.pairs if pair.engine == url)
    assert 3 == code, said.out
    assert "the rest was not asked" in said.out + said.err
    assert said.out.startswith(f"No verdict: {url} could not be run on small-spm (the server at")
    assert "All engines agree" not in said.out
    assert 0 == pair.failures
    assert () == tuple(finding for finding in report.findings if finding.engine == url and "failure" in finding.kind)
    assert pair.compared > 0
    assert "then unavailable" in said.out
    assert "2 engines" in said.err
    assert "1 engine unavailable" in said.err
    assert json.loads(Path("out/report.jsonl").read_text("utf-8").splitlines()[0])


def test_a_server_with_another_model_is_told_after_ten_texts(capsys: pytest.CaptureFixture[str]) -> None:
    """Its own name for the model, the known vocabulary that fits, exit 3, and nothing is found of it."""
    props = {"/props": lambda said: (200, {"build_info": "b1", "model_alias": "small-spm-v1"})}
    with served({**real(), **props}) as (url, _):
        code = main(["check", "small-bpe", "--engine", url, "--cases", "20", "--corpus", "prompts", "--out", "out"])
    said = capsys.readouterr()
    assert 3 == code
    assert "the server's ids do not belong to this model" in said.err
    assert "with small-spm-v1" in said.err
    assert "they are those of small-spm" in said.err
    assert f"No verdict: {url} could not be run on small-bpe (engine '{url}': the server's ids do not" in said.out
    assert "nothing was compared" not in said.out
    report = read(Path("out/report.jsonl"))
    assert [0] == [pair.cases for pair in report.pairs if pair.engine == url]
    assert () == tuple(finding for finding in report.findings if finding.engine == url)


def test_a_server_with_the_model_is_not_turned_away() -> None:
    """The ids of the model belong to it, with the beginning of the text before them or not."""
    with served(real()) as (url, _):
        words = ["check", "small-spm", "--engine", url, "--cases", "20", "--corpus", "prompts", "--out", "out"]
        assert 0 == main(words)
