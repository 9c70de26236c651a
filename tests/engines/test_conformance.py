"""The conformance kit passes engines that keep the rules, and names what others do wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tokparity.cli import main

BAD = f"exec:{sys.executable} {Path(__file__).parent / 'bad_adapter.py'}"


def _said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, list[str]]:
    code = main(["engine-test", *argv])
    return code, capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("engine", ["reference", "sentencepiece", "adapters_at_hand:plain", f"{BAD} no-hello"])
def test_engines_that_keep_the_rules(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is wrong with them, and each rule has its line."""
    code, lines = _said(capsys, engine, "small-spm")
    assert 0 == code, lines
    assert not [line for line in lines if line.startswith("wrong")]
    assert 16 <= len([line for line in lines if line.startswith("ok")])
    assert " ok, 0 wrong, " in lines[-1]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return [int(i) + count() for i in text.encode()]", "gives the same ids again"),
        ("return [7_000_000 for _ in text]", "gave id 7000000, but the model's ids go from 0 to"),
        ("return []", "encodes a plain sentence: gave no ids at all"),
        ("return [ord(c) for c in text][:1000 // len(text)]", "encodes the empty text: error: ZeroDivisionError"),
        ("return list(text.encode('ascii'))", "encodes accents, composed and combining: error: UnicodeEncodeError"),
        ("return [i + os.getpid() % 90 for i in text.encode()]", "a new process gives the same ids: answer 0 is ["),
    ],
)
def test_what_is_wrong_has_a_line(
    body: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rule that is broken, and how; the exit is 1."""
    source = f"import itertools, os\ncount = itertools.count().__next__\ndef encode(text):\n    {body}\n"
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, lines = _said(capsys, "./mine.py:encode", "small-spm")
    assert 1 == code
    assert [line for line in lines if line.startswith("wrong") and words in line], lines


def test_a_text_that_hangs_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing else is wrong with who answers all other texts, alone and in company."""
    source = (
        "import time\ndef encode(text):\n    time.sleep(60 * (len(text) > 50_000))\n    return list(text.encode())\n"
    )
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, lines = _said(capsys, "./mine.py:encode", "small-spm", "--timeout", "1")
    assert 1 == code
    (wrong,) = [line for line in lines if line.startswith("wrong")]
    assert "encodes a text of 100,000 characters: timeout" in wrong


def test_the_last_note_counts_equal_texts(capsys: pytest.CaptureFixture[str]) -> None:
    """What an author wants to know besides."""
    _, lines = _said(capsys, "adapters_at_hand:plain", "small-spm")
    assert [line for line in lines if line.startswith("note") and "gives the ids of sentencepiece for 1 of 11" in line]


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        ((), 2, "no engine; name one: ./file.py:name"),
        (("./none.py:x",), 2, "there is no file"),
        ((f"{BAD} opening", "small-spm"), 3, "it ended with exit code 4 before it answered: no such vocabulary"),
    ],
)
def test_what_cannot_be_tested(argv: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and no verdict."""
    assert code == main(["engine-test", *argv])
    assert words in capsys.readouterr().err
