"""What the terminal shows of a finding."""

from __future__ import annotations

import io
from dataclasses import replace

from reports import mismatch
from tokparity.finding import Finding
from tokparity.outcome import Encoding, Failure
from tokparity.report.model import Header, Pair, Report
from tokparity.report.render.causes import unsettled
from tokparity.report.render.inert import console
from tokparity.report.render.text import examples, matrix, side_by_side


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


def _printed(report: Report, width: int) -> list[str]:
    file = io.StringIO()
    console(file=file, width=width, color_system=None).print(matrix(report))
    return file.getvalue().splitlines()


def test_the_matrix_fits_eighty_columns() -> None:
    """Engines that do not fit beside each other are continued below, and no name is broken."""
    engines = [f"an-engine-with-a-name-{n}" for n in range(7)]
    pairs = tuple(Pair("m", engine, "an-engine-with-a-name-0", cases=9, mismatches=2) for engine in engines)
    lines = _printed(Report(Header("", "", {}, {}, 0, (), ""), pairs), 80)
    assert engines == [word for line in lines for word in line.split() if word in engines]
    assert [] == [line for line in lines if len(line) > 80]


def test_only_what_is_new_has_the_color_of_what_is_new() -> None:
    """A difference that is known of the engine or accepted is settled; one that nobody explained is not."""
    shown = mismatch(b"\n")
    finding = Finding("f", shown.model, shown.engine, shown.oracle, "unexplained", shown, 1)
    pair = Pair(finding.model, finding.engine, finding.oracle, cases=1, mismatches=1)
    report = Report(Header("", "", {}, {}, 0, (), ""), (pair,), mismatches=(shown,), findings=(finding,))
    assert {(pair.model, pair.engine)} == unsettled(report) == unsettled(replace(report, findings=()))
    assert set() == unsettled(replace(report, findings=(replace(finding, known="it always did"),)))


def test_what_was_only_counted_has_one_footnote() -> None:
    """A sign stands beside the number of each finding, and what it means once below all."""
    shown = mismatch(b"\n")
    finding = Finding("f", shown.model, shown.engine, shown.oracle, "unexplained", shown, 2, unexamined=7)
    pairs = (Pair(finding.model, finding.engine, finding.oracle, cases=9, mismatches=9),)
    twice = (finding, replace(finding, name="g"))
    report = Report(Header("", "", {}, {}, 0, (), ""), pairs, mismatches=(shown,), findings=twice)
    told = [text.plain for text in examples(report, True)]
    assert 2 == sum("2+ cases)" in line for line in told)
    assert 1 == sum("only counted" in line for line in told)
