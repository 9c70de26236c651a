"""What the terminal shows of a finding."""

from __future__ import annotations

from reports import mismatch
from tokparity.finding import Finding
from tokparity.outcome import Encoding, Failure
from tokparity.report.model import Header, Pair, Report
from tokparity.report.render.text import examples, side_by_side


def _shown(finding: Finding) -> list[str]:
    """The lines about a report's only finding."""
    pairs = (Pair(finding.model, finding.engine, finding.oracle, cases=1, mismatches=1),)
    report = Report(Header("", "", {}, {}, 0, (), ""), pairs, mismatches=(finding.smallest,), findings=(finding,))
    return [text.plain for text in examples(report, True)]


def test_an_answer_without_ids_is_no_empty_line() -> None:
    """It says that there are none."""
    shown = mismatch(b"\n", actual=Encoding(()))
    finding = Finding("f", shown.model, shown.engine, shown.oracle, "unexplained", shown, 1)
    (line,) = (line for line in _shown(finding) if line.lstrip().startswith(shown.engine))
    assert line.endswith("(no ids)")


def test_the_nearest_of_what_is_unexplained_is_told() -> None:
    """Whoever reads only the terminal learns which known behavior comes near."""
    shown = mismatch(b"\n")
    near = "omits_bos explains 37 of 41"
    finding = Finding("f", shown.model, shown.engine, shown.oracle, "unexplained", shown, 41, nearest=near)
    assert f"    nearest: {near}" in _shown(finding)


def test_where_the_oracle_gave_no_answer_nobody_is_right() -> None:
    """Neither is anybody wrong: a mark says that it is not known, and a line why."""
    outcomes = {"o": Failure("unavailable", "not installed"), "kitoken": Encoding((1158,))}
    told = [line.plain for line in side_by_side("o", outcomes, {}, ())]
    assert "? kitoken  [1158]" in told
    assert "? o, the oracle, gave no answer: nothing says which ids are right" == told[-1]
    right = {"o": Encoding((1158,)), "kitoken": Encoding((1158,))}
    assert "= kitoken  [1158]" in [line.plain for line in side_by_side("o", right, {}, ())]
