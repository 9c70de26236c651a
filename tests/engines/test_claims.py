"""The conformance kit tests what an engine claims beside ids, and asks a renderer for no ids."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tokparity.cli import main

CHAT = f"exec:{sys.executable} {Path(__file__).parent / 'chat_adapter.py'}"
BASE = """
import codecs
class Mine:
    def __init__(self, path: str) -> None:
        self.kept = codecs.getincrementaldecoder("utf-8")("replace")
    def encode(self, text: str) -> list[int]:
        return list(text.encode())
    def decode(self, ids: list[int]) -> str:
        return bytes(i % 256 for i in ids).decode("utf-8", "replace")
"""
STREAM = BASE + "    def stream(self, ids: list[int], prefill: list[int]) -> list[str]:\n"
SPANS = (
    BASE + "    def spans(self, text: str, add_special: bool, parse_special: bool):\n        row = self.encode(text)\n"
)
DECODER = "        held = codecs.getincrementaldecoder('utf-8')('replace')\n        held.decode(bytes(prefill))\n"
HELD = DECODER + "        deltas = [held.decode(bytes([i])) for i in ids] + [held.decode(b'', True)]\n"
STREAMS, SAYS, PROMPTS = "streams what the same", "says which characters", "makes the prompt"


def lines(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, list[str]]:
    """The exit code, and what was printed."""
    code = main(["engine-test", *argv])
    return code, capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("body", "rule", "verdict", "told"),
    [
        (STREAM + HELD + "        return deltas", STREAMS, "ok", " streams"),
        (
            STREAM + HELD + "        return [delta for delta in deltas if delta]",
            STREAMS,
            "wrong",
            "31 deltas came for 31 ids; one for each id and one at the end are wanted",
        ),
        (
            STREAM + "        return [self.kept.decode(bytes([i])) for i in ids] + ['']",
            STREAMS,
            "wrong",
            "the deltas together are not all of what the ids decode to",
        ),
        (BASE, STREAMS, "left out", "it says that it does not stream"),
        (BASE, SAYS, "left out", "it says that it does not"),
        (BASE, PROMPTS, "left out", "it says that it does not"),
        (
            SPANS + "        ends = [len(text.encode()[:i + 1].decode('utf-8', 'ignore')) for i in range(len(row))]\n"
            "        return row, [(max(end - 1, 0), end) for end in ends]",
            SAYS,
            "ok",
            "4 texts",
        ),
        (
            SPANS + "        return row, [(i, i + 1) for i in range(len(row))]",
            SAYS,
            "wrong",
            "a span begins or ends outside of the text",
        ),
    ],
)  # fmt: skip
def test_what_a_class_claims_is_tested(
    body: str,
    rule: str,
    verdict: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A right one passes, and what is wrong with another is told; what a class does not claim is left out."""
    (tmp_path / "mine.py").write_text(body, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, said = lines(capsys, "./mine.py:Mine", "small-spm")
    (line,) = [line for line in said if rule in line]
    assert (True, True) == (line.startswith(verdict), told in line), line
    assert (1 if verdict == "wrong" else 0) == code, said


def test_a_renderer_is_asked_for_no_ids(capsys: pytest.CaptureFixture[str]) -> None:
    """It says that it renders, and answers no text: nothing is wrong with it."""
    code, said = lines(capsys, f"{CHAT} right")
    assert 0 == code, said
    assert [line for line in said if line.startswith("left out encodes texts: it makes prompts")]
    assert not [line for line in said if line.startswith("wrong")]
    assert [line for line in said if "gives the ids of" in line and line.startswith("left out")]


@pytest.mark.parametrize(("how", "rule"), [("number", PROMPTS), ("silent", "encodes a plain sentence")])
def test_a_renderer_that_is_wrong(how: str, rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its prompts are no texts; what answers nothing and does not claim to render breaks the rules on texts."""
    code, said = lines(capsys, f"{CHAT} {how}")
    assert 1 == code
    assert [line for line in said if line.startswith("wrong") and rule in line], said


def test_what_our_own_engines_stream_wrongly_is_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    """It is known of the library, and no fault of the adapter."""
    code, said = lines(capsys, "sentencepiece", "small-spm")
    (line,) = [line for line in said if STREAMS in line]
    assert (0, True) == (code, line.startswith("note")), line
