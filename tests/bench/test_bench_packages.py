"""bench packages: each file has a row, a kept row is not measured again, and what can't be read is no green."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks import packages
from benchmarks.packages import Row, kept_rows
from tokparity.cli import main as command

GOOD = Row("small-bpe", 5, "tokenizers", 100, 0, "right")


@pytest.mark.nightly
def test_a_file_is_compared_and_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference equals the oracle on all texts, in another process; what came of the GGUF stands beside."""
    monkeypatch.setattr(packages, "converted", lambda word, path: f"refused: {word}")
    out = tmp_path / "rows.jsonl"
    assert 0 == command(["bench", "packages", "small-wordpiece", "--cases", "5", "--out", str(out)])
    (row,) = kept_rows(out)
    assert ("small-wordpiece", "tokenizers", 0) == (row.name, row.oracle, row.differ)
    told = f"| small-wordpiece | tokenizers | {row.texts:,} | 0 | refused: small-wordpiece |"
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("code", "said", "expected"),
    [
        (0, "Your file is right: all is equal", "right"),
        (1, "Your GGUF is wrong: pre", "exit code 1: Your GGUF is wrong: pre"),
    ],
)
def test_what_check_says_of_a_gguf_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, said: str, expected: str
) -> None:
    """Right is only what the verdict calls right."""
    path = tmp_path / "a.gguf"

    def answered(*words: str) -> tuple[int, str]:
        path.touch()
        return (code, said) if words[0] == "check" else (0, "")

    monkeypatch.setattr(packages, "command", answered)
    assert expected == packages.converted("a", path)


def test_a_refusal_is_told_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no file was written, the words of the error are the row's."""
    monkeypatch.setattr(packages, "command", lambda *words: (2, "tokparity: error: gguf cannot express NFKC"))
    assert "refused: gguf cannot express NFKC" == packages.converted("a", tmp_path / "a.gguf")


def test_what_has_a_row_is_not_measured_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An interrupted call goes on; a row of other texts does not count."""
    out = tmp_path / "rows.jsonl"
    out.write_text(json.dumps(asdict(GOOD)) + "\n")
    assert 0 == command(["bench", "packages", "small-bpe", "--cases", "5", "--out", str(out)])
    assert "| small-bpe | tokenizers | 100 | 0 | right |" in capsys.readouterr().out
    assert [GOOD] == kept_rows(out)


def test_what_cannot_be_read_is_no_green(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The row says why, the exit code is 1, and the next call tries again."""
    out = tmp_path / "rows.jsonl"
    assert 1 == command(["bench", "packages", str(tmp_path / "away.json"), "--out", str(out)])
    assert "not run: " in capsys.readouterr().out
    assert [] == kept_rows(out)


def test_a_pattern_stays_in_its_cell() -> None:
    """A refusal may hold the bars of a pattern."""
    assert r"| a |  | 0 | 0 | refused: 's\|'t |" == list(packages.table([Row("a", 5, gguf="refused: 's|'t")]))[-1]


def test_a_row_is_good_only_where_nothing_differs() -> None:
    """A difference, a wrong GGUF and an engine that is away are not."""
    assert GOOD.good
    assert Row("a", 5, gguf="refused: gguf cannot express NFKC").good
    assert not Row("a", 5, differ=1, gguf="right").good
    assert not Row("a", 5, gguf="exit code 1: Your GGUF is wrong").good
    assert not Row("a", 5, gguf="right", why="tokenizers: not installed").good
