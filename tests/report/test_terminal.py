"""What the terminal shows of a finding."""

from __future__ import annotations

from reports import mismatch
from tokparity.finding import Finding
from tokparity.outcome import Encoding
from tokparity.report.model import Header, Pair, Report
from tokparity.report.render.text import examples


def test_an_answer_without_ids_is_no_empty_line() -> None:
    """It says that there are none."""
    shown = mismatch(b"\n", actual=Encoding(()))
    finding = Finding("f", shown.model, shown.engine, shown.oracle, "unexplained", shown, 1)
    pairs = (Pair(shown.model, shown.engine, shown.oracle, cases=1, mismatches=1),)
    report = Report(Header("", "", {}, {}, 0, (), ""), pairs, mismatches=(shown,), findings=(finding,))
    (line,) = (text.plain for text in examples(report, True) if text.plain.lstrip().startswith(shown.engine))
    assert line.endswith("(no ids)")
