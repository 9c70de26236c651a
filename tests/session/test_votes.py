"""Who is right: engines are counted, dependent ones once, and the one that is alone is named."""

from __future__ import annotations

import csv
from functools import partial
from pathlib import Path

import pytest

from tokparity.case import text_case
from tokparity.cli import main
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch, Vote
from tokparity.models import load, primary_source
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.report.file import read
from tokparity.report.render.markup import cell
from tokparity.report.votes import told
from tokparity.session.panel import Seat
from tokparity.session.seats import Seating
from tokparity.session.votes import Voices

pytestmark = pytest.mark.usefixtures("few_texts")

VERSIONS = {
    "tokenizers": "tokenizers 0.23.3",
    "tokenizers@0.19.1": "tokenizers 0.19.1 (Python 3.11.7)",
    "transformers": "transformers 5.1.0, tokenizers 0.23.3",
    "llama.cpp": "llama-cpp-python 0.3.36",
    "sentencepiece": "sentencepiece 0.2.3",
    "reference": "tokparity 0.1.0",
    "exec:./a": "unversioned",
    "exec:./b": "unversioned",
    "replay:a.parquet": "sentencepiece 0.2.1, recorded 2026-11-22T10:00:00+0000 by tokparity 0.1.0 (Unicode 16.0.0)",
    "replay:b.parquet": "mytok 1.0, recorded 2026-11-22T10:00:00+0000 by tokparity 0.1.0 (Unicode 16.0.0)",
}


@pytest.mark.parametrize(
    ("engines", "exported", "expected"),
    [
        (("tokenizers", "tokenizers@0.19.1", "transformers"), (), 1),
        (("tokenizers", "llama.cpp", "sentencepiece", "reference"), (), 4),
        (("tokenizers", "llama.cpp", "sentencepiece"), ("llama.cpp", "sentencepiece"), 2),
        (("transformers", "llama.cpp", "tokenizers"), ("transformers", "llama.cpp"), 1),
        (("exec:./a", "exec:./b"), (), 2),
        (("replay:a.parquet", "replay:b.parquet", "sentencepiece"), (), 2),
    ],
)
def test_who_is_independent(engines: tuple[str, ...], exported: tuple[str, ...], expected: int) -> None:
    """A library in common, or an export of the same file, makes two engines one voice."""

    def seat(engine: str) -> Seat:
        return Seat(engine, "", exported=engine in exported)

    seating = Seating(engines, engines, seat, partial(primary_source, load("small-bpe")))
    voices = Voices.of(seating, {engine: VERSIONS[engine] for engine in engines})
    assert expected == voices.count(engines)
    assert 1 == voices.count(engines[:1])


def _finding(votes: tuple[Vote, ...], actual: Outcome) -> Finding:
    mismatch = Mismatch(text_case(b"a"), "m", "e", "o", Encoding((1,)), actual, Difference("ids"))
    return Finding("f", "m", "e", "o", "verified", mismatch, 1, votes=votes)


ONE, TWO = Encoding((1,)), Encoding((2,))


@pytest.mark.parametrize(
    ("votes", "actual", "expected"),
    [
        ((), TWO, ""),
        ((Vote(("o", "reference"), 2, ONE), Vote(("e",), 1, TWO)), TWO, ""),
        ((Vote(("o", "a"), 2, ONE), Vote(("e",), 1, TWO)), TWO, "e is alone with its answer; o, a agree on another"),
        ((Vote(("e", "a"), 2, TWO), Vote(("o",), 1, ONE)), TWO, "o is alone with its answer; e, a agree on another"),
        (
            (Vote(("o", "a", "b"), 2, ONE), Vote(("e", "c"), 1, TWO)),
            TWO,
            "e, c, which depend on each other, are alone with their answer; "
            "o, a, b (2 of them independent) agree on another",
        ),
        ((Vote(("o", "a"), 2, ONE), Vote(("e", "c"), 2, TWO)), TWO, "The engines are divided: o, a; e, c"),
        (
            (Vote(("o", "a", "b"), 3, ONE),),
            Failure("crash", "died"),
            "All that answer give one answer: o, a, b; e gives none",
        ),
    ],
)
def test_what_is_told(votes: tuple[Vote, ...], actual: Outcome, expected: str) -> None:
    """In a sentence."""
    assert expected == told(_finding(votes, actual))


def test_a_run_tells_how_engines_vote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the report, on the terminal, and in each of its files."""
    engines = ("tokenizers", "llama.cpp", "reference+omits_bos", "reference+greedy_longest_match")
    words = [word for engine in engines for word in ("--engine", engine)]
    main(["run", "small-spm", *words, "--corpus", "prompts", "--cases", "20", "--out", str(tmp_path)])
    report = read(tmp_path / "report.jsonl")
    found = next(finding for finding in report.findings if finding.quirks == ("greedy_longest_match",))
    assert 2 <= len(found.votes)
    assert any("sentencepiece" in vote.engines for vote in found.votes)
    sentence = told(found)
    out = capsys.readouterr().out
    assert f"    {sentence}" in out
    assert cell(sentence) in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert sentence in (tmp_path / "index.html").read_text(encoding="utf-8")
    with (tmp_path / "findings.csv").open(encoding="utf-8") as file:
        assert sentence in [row["votes"] for row in csv.DictReader(file)]


def test_votes_that_say_nothing_are_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One engine beside its judges: every finding says that it is alone, and no line is left empty for it."""
    (tmp_path / "mine.py").write_text(
        "from tokparity import Tokenizer\nfrom tokparity.models import load, primary_source\n"
        "RIGHT = Tokenizer.from_file(primary_source(load('small-spm')).path)\n"
        "def encode(text):\n    return RIGHT.encode(text, add_special=False)[::-1]\n"
    )
    words = ("--engine", f"{tmp_path / 'mine.py'}:encode", "--corpus", "prompts", "--cases", "20")
    main(["run", "small-spm", *words, "--out", str(tmp_path / "out")])
    found = read(tmp_path / "out" / "report.jsonl").findings[0]
    assert (True, "") == (bool(found.votes), told(found))
    assert "    " not in capsys.readouterr().out.splitlines()
    lines = (tmp_path / "out" / "report.md").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line == "." or line.endswith(": .")]
