"""An answer that does not come again alone: the finding says what it depends on, and the command shows it again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.finding import Finding
from tokparity.report.file import read
from tokparity.report.render.causes import title, told
from tokparity.report.render.command import reproduce

pytestmark = pytest.mark.usefixtures("few_texts")

HEAD = """
import os
import random
from tokparity import Tokenizer
from tokparity.models import load, primary_source
TOKENIZER = Tokenizer.from_file(primary_source(load("small-bpe")).path)
seen = []
def right(text):
    return list(TOKENIZER.encode(text, add_special=False))
"""
AFTER_A_TAB = """
def encode(text):
    wrong = any("\\t" in other for other in seen) and "7" in text
    seen.append(text)
    return right(text)[::-1] + [1] * wrong if wrong else right(text)
"""
AFTER_ITSELF = """
def encode(text):
    wrong = bool(seen) and "7" in seen[-1] and "7" in text
    seen.append(text)
    return right(text)[::-1] + [1] * wrong if wrong else right(text)
"""
BEHIND_ANOTHER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1] / "character")!r})
from tokparity.engines.buffers import Ids
from unlisted_faults import Faithful
class Engine(Faithful):
    NAME = "batches"
    def encode(self, texts, add_special, parse_special):
        rows = [self.right(text, add_special, parse_special) for text in texts.to_list()]
        return Ids.from_list([row[::-1] if n and b"7" in text else row
                              for n, (row, text) in enumerate(zip(rows, texts.to_list()))])
"""
LEAKS = """
import codecs
from tokparity.reference.byte_alphabet import from_alphabet
class Engine:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    def encode(self, text):
        return right(text)
    def decode(self, ids):
        return TOKENIZER.decode(ids)
    def stream(self, ids):
        raw = [from_alphabet(piece.decode()) for piece in TOKENIZER.pieces(ids)]
        return [*map(self.decoder.decode, raw), ""]
"""
BY_CHANCE = """
def encode(text):
    ids = right(text)
    return ids[::-1] if "7" in text and random.SystemRandom().random() < 0.3 else ids
"""


def checked(body: str, tmp_path: Path, name: str = "encode") -> tuple[str, Finding]:
    """The command that the report prints for the one finding about an engine, and that finding."""
    engine = tmp_path / "engine.py"
    engine.write_text(HEAD + body)
    corpus = tmp_path / "texts.txt"
    lines = [f"line {i} of many" for i in range(60)] + ["a\ttab"] + [f"{i} 17 + {i}" for i in range(60)]
    corpus.write_text("\n".join(lines) + "\n")
    out = ["--corpus", str(corpus), "--cases", "0", "--out", str(tmp_path / "out")]
    assert 1 == main(["check", "small-bpe", "--engine", f"{engine}:{name}", *out])
    report = read(tmp_path / "out" / "report.jsonl")
    (finding,) = report.findings
    return reproduce(report, finding.smallest), finding


def test_state_is_shown_with_what_was_asked_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The text with the tab stands in the finding, and the command that puts both shows the difference."""
    command, finding = checked(AFTER_A_TAB, tmp_path)
    assert ("state", "Keeps state: what it was asked before changes its answer") == (
        finding.unrepeatable,
        title(finding),
    )
    assert [b"\t"] == [question.shown for question in finding.smallest.after]
    assert 'it gives this answer if it was asked, in the same process, "\\t"' in list(told(finding))
    assert "--after" in (tmp_path / "out" / "report.md").read_text()
    capsys.readouterr()
    assert 1 == main(shlex.split(command)[1:])
    without = [word for word in shlex.split(command)[1:] if "text" not in word and word != "--after"]
    assert 0 == main(without)


@pytest.mark.nightly
def test_a_stream_that_begins_with_the_rest_of_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One decoder for all streams: the finding has the stream that was asked before, and its command shows it."""
    engine, out = tmp_path / "engine.py", str(tmp_path / "out")
    engine.write_text(HEAD + LEAKS)
    assert 1 == main(["check", "small-bpe", "--engine", f"{engine}:Engine", "--ask", "stream", "--out", out])
    report = read(tmp_path / "out" / "report.jsonl")
    finding = next(one for one in report.findings if one.unrepeatable)
    assert "state" == finding.unrepeatable
    assert finding.smallest.after
    capsys.readouterr()
    assert 1 == main(shlex.split(reproduce(report, finding.smallest))[1:])


@pytest.mark.nightly
def test_an_answer_that_the_same_question_changes_is_no_chance(tmp_path: Path) -> None:
    """Put again and again it is answered otherwise from the second time on, in each process."""
    _, finding = checked(AFTER_ITSELF, tmp_path)
    assert "state" == finding.unrepeatable
    assert 1 == len(finding.smallest.after)


@pytest.mark.nightly
def test_chance_is_counted(tmp_path: Path) -> None:
    """Asked three hundred times, about a third of the answers are of the rarer kind."""
    _, finding = checked(BY_CHANCE, tmp_path)
    assert ("chance", "Answers by chance: the same question has several answers") == (
        finding.unrepeatable,
        title(finding),
    )
    (trait,) = finding.character
    told = re.fullmatch(r"answers by chance: put 300 times to a new process, .* another answer (\d+) times", trait.says)
    assert told is not None
    assert 50 < int(told[1]) < 140


ENDS_AT_TIMES = """
asked = 0
def encode(text):
    global asked
    asked += 1
    if asked == 50:
        os._exit(3)
    return right(text)
"""


def test_a_process_that_ends_after_a_while_is_no_chance(tmp_path: Path) -> None:
    """A new process answers each text, so that it is no text that ends it; how often it ends is counted."""
    _, finding = checked(ENDS_AT_TIMES, tmp_path)
    assert "state" == finding.unrepeatable
    told = "a new process, as of tokparity diff, answers it; put to it 300 times, the process ends"
    assert told in finding.character[0].says


@pytest.mark.nightly
def test_an_answer_that_depends_on_its_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Alone each text is right, behind another one in its request it is wrong; the command puts both in one."""
    command, finding = checked(BEHIND_ANOTHER, tmp_path, "Engine")
    assert ("request", "Other texts of the same request change its answer") == (finding.unrepeatable, title(finding))
    (trait,) = finding.character
    assert trait.of == trait.holds > 5
    assert finding.smallest.case.question == finding.smallest.beside[0]
    assert any(line.startswith("it gives this answer if the same request asks for ") for line in told(finding))
    capsys.readouterr()
    words = shlex.split(command)[1:]
    assert 1 == main(words)
    at = words.index("--beside")
    assert 0 == main([*words[:at], *words[at + 2 :]])
    assert 0 == main([*words[:at], "--after", *words[at + 1 :]])


def test_what_is_to_be_asked_beside_is_of_the_same_kind(capsys: pytest.CaptureFixture[str]) -> None:
    """One request has one setting of the flags."""
    assert 2 == main(["diff", "small-bpe", "--beside", '{"text": "a", "parse_special": true}', "a"])
    assert "has other flags than TEXT; put questions of one kind" in capsys.readouterr().err


def test_what_is_to_be_asked_before_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    """What is not a question is shown, with what to write."""
    assert 2 == main(["diff", "small-bpe", "--after", "[1]", "a"])
    assert '--after \'[1]\' is not a question; write {"text": "a"}, a JSON object' in capsys.readouterr().err
