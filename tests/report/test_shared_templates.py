"""Chat templates in a report: written once, read back everywhere, and damaged ones are refused in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokparity.case import Case, Origin
from tokparity.difference import Difference
from tokparity.errors import FormatError
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Rendering
from tokparity.questions import Render
from tokparity.questions.render import Conversation, Template
from tokparity.report.file import ReportWriter, read, read_without_mismatches
from tokparity.report.model import Footer, Header

HEADER = Header("0.1.0", "15.0", {"e": "1"}, {"m": {"f": "00"}}, 7, ("tokparity", "run"), "now", {})
TEMPLATE = Template('{"kind": "render", "template": "x"}\x00\r', "f")
QUESTIONS = [
    Render(TEMPLATE, Conversation(({"role": "user", "content": "a" * n},), extra={"kind": "render", "template": "x"}))
    for n in (1, 2)
]
MISMATCHES = tuple(
    Mismatch(
        Case(question, Origin("generator", "conversations", 1)), "m", "e", "reference",
        Rendering("<s>a", "", (1, 2)), Rendering(None, "no"), Difference("render-fails"),
    )
    for question in QUESTIONS
)  # fmt: skip


def written(path: Path) -> Path:
    """A report with two mismatches and a control of one template."""
    writer = ReportWriter(path, HEADER)
    for mismatch in MISMATCHES:
        writer.mismatch(mismatch)
    writer.control(Control(Case(QUESTIONS[0]), "m", "e", Rendering("x")))
    writer.close(Footer("complete", 1.0))
    return path


def test_what_is_written_once_comes_back_everywhere(tmp_path: Path) -> None:
    """Also where mismatches are not read, and where a user's variables look like a question."""
    path = written(tmp_path / "r.jsonl")

    assert 1 == path.read_bytes().count(b"\\u0000")
    assert MISMATCHES == read(path).mismatches
    assert [QUESTIONS[0]] == [control.case.question for control in read_without_mismatches(path)[0].controls]


@pytest.mark.parametrize("sha256", ["0", ["0"], None])
def test_a_template_that_is_missing_is_told(sha256: object, tmp_path: Path) -> None:
    """A report comes from outside."""
    records = [json.loads(line) for line in written(tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    for record in records:
        if record["type"] == "template":
            record["sha256"] = sha256
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")

    with pytest.raises(FormatError):
        read(tmp_path / "r.jsonl")


def test_a_report_that_is_nested_too_deeply_is_told(tmp_path: Path) -> None:
    """Templates are looked for everywhere."""
    path = written(tmp_path / "r.jsonl")
    deep = '{"type": "note", "note": ' + "[" * 900 + "]" * 900 + "}\n"
    path.write_text(path.read_text(encoding="utf-8") + deep, encoding="utf-8")

    with pytest.raises(FormatError):
        read(path)
