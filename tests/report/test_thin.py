"""A report on disk: of a known cause it has what people look at, and Parquet has all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas
import pytest

from reports import RIGHT, mismatch
from tokparity.case import text_case
from tokparity.cli import main, report_files
from tokparity.errors import UnwritableError
from tokparity.finding import Control, Finding, Mismatch
from tokparity.report import file
from tokparity.report.model import Report
from tokparity.report.render import parquet
from tokparity.report.thin import MOST, MOST_BYTES, thinned

pytestmark = pytest.mark.usefixtures("few_texts")

MANY = 500


def finding(name: str, smallest: Mismatch, known: str = "", accepted: bool = False) -> Finding:
    """One about all these mismatches."""
    found = Finding(name, smallest.model, smallest.engine, smallest.oracle, "verified", smallest, MANY)
    return replace(found, known=known, accepted=accepted)


@pytest.fixture(name="large")
def with_many(report: Report) -> Report:
    """Three findings of 500 mismatches each: one is known, one is accepted, one is new."""
    names = {"known": finding("k", mismatch(b"k"), "always so"), "new": finding("n", mismatch(b"n"))}
    names["accepted"] = finding("a", mismatch(b"a"), accepted=True)
    made = [mismatch(name[:1].encode() * (1 + i * 7 % MANY)) for i in range(MANY) for name in names]
    first = len(report.mismatches)
    of = {name: tuple(range(first + place, first + len(made), 3)) for place, name in enumerate(names)}
    return replace(
        report,
        mismatches=(*report.mismatches, *made),
        findings=(*report.findings, *names.values()),
        members={**report.members, **{(one.model, one.name): of[name] for name, one in names.items()}},
    )


def test_what_is_new_stays_whole_and_of_the_rest_stay_few(large: Report) -> None:
    """The smallest ones, and some of each size; no count changes."""
    thin = thinned(large)
    stored = Counter(thin.finding_names())
    assert (MANY, MOST, MOST) == (stored["n"], stored["k"], stored["a"])
    assert (large.findings, large.pairs) == (thin.findings, thin.pairs)
    for name, letter in (("k", "k"), ("a", "a")):
        sizes = sorted(thin.mismatches[i].case.question.size for i in thin.members["nai-t5", name])
        assert list(range(1, MOST // 2 + 1)) == sizes[: MOST // 2]
        assert sizes[-1] > MANY - MANY // (MOST // 2) - 1
        members = [thin.mismatches[i] for i in thin.members["nai-t5", name]]
        assert {letter.encode()} == {m.case.question.shown[:1] for m in members}
    assert thin == thinned(thin)


def test_every_other_mismatch_keeps_its_finding(large: Report) -> None:
    """Those of the findings that were there before, in their order."""
    before, after = (
        [(m, name) for m, name in zip(report.mismatches, report.finding_names(), strict=True) if len(name) > 1]
        for report in (large, thinned(large))
    )
    assert before == after


def test_right_cases_stay_where_somebody_will_look_for_a_cause(large: Report) -> None:
    """Few of an engine of which all is settled, and all of one that has something new."""
    cases = [text_case(b"r" * i) for i in range(100)]
    made = tuple(Control(case, "nai-t5", engine, RIGHT) for engine in ("tokenizers", "iree") for case in cases)
    stored = Counter(control.engine for control in thinned(replace(large, controls=made)).controls)
    assert {"tokenizers": 100, "iree": MOST} == stored


def test_long_texts_do_not_fill_it(report: Report) -> None:
    """As many as there is room for; of a single long one nothing is lost."""
    long = [mismatch(b"k" * (MOST_BYTES // 2 + i)) for i in range(10)]
    first = len(report.mismatches)
    name = finding("k", long[0], "always so")
    members = {**report.members, (name.model, name.name): tuple(range(first, first + 10))}
    made = replace(report, mismatches=(*report.mismatches, *long), findings=(*report.findings, name), members=members)
    assert (first,) == thinned(made).members[name.model, name.name]
    assert thinned(made).mismatches[first] == long[0]


def test_the_files_agree_and_parquet_has_all(large: Report, tmp_path: Path) -> None:
    """JSON Lines, CSV and the page have the same mismatches."""
    file.write(large, tmp_path / "report.jsonl")
    report_files.write(large, tmp_path, thin=True)
    stored = file.read(tmp_path / "report.jsonl")
    assert stored == thinned(large)
    assert len(stored.mismatches) == len(pandas.read_csv(tmp_path / "mismatches.csv"))
    assert len(large.mismatches) == len(pandas.read_parquet(tmp_path / "mismatches.parquet"))
    assert not (tmp_path / "report.jsonl.new").exists()


@pytest.mark.parametrize("pyarrow", [True, False])
def test_nothing_is_left_out_where_nothing_else_has_it(
    large: Report, tmp_path: Path, pyarrow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without Parquet, or where that is not to be written, report.jsonl has all."""
    monkeypatch.setattr(parquet, "is_installed", lambda: pyarrow)
    file.write(large, tmp_path / "report.jsonl")
    report_files.write(large, tmp_path, tables=not pyarrow, thin=True)
    assert len(large.mismatches) == len(file.read(tmp_path / "report.jsonl").mismatches)


def test_a_full_disk_loses_nothing(large: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole report stays, and the other files are written from it."""
    path = tmp_path / "report.jsonl"
    file.write(large, path)

    def full(report: Report, path: Path) -> None:
        path.touch()
        raise UnwritableError(f"cannot write {str(path)!r}: No space left on device", "")

    monkeypatch.setattr(file, "write", full)
    with pytest.raises(UnwritableError, match=r"No space left.*") as caught:
        report_files.write(large, tmp_path, thin=True)
    assert "is kept in" in caught.value.hint
    assert len(large.mismatches) == len(file.read(path).mismatches) == len(pandas.read_csv(tmp_path / "mismatches.csv"))
    assert not (tmp_path / "report.jsonl.new").exists()


@pytest.mark.parametrize("words", [(), pytest.param(("--keep", "3000"), marks=pytest.mark.nightly)])
def test_a_run_leaves_few_unless_more_is_asked_for(tmp_path: Path, words: tuple[str, ...]) -> None:
    """What llama.cpp is known for is counted all the same."""
    asked = ["--engine", "llama.cpp", "--corpus", "invalid_utf8", "--cases", "0", "--out", str(tmp_path)]
    assert 0 == main(["check", "small-spm", *asked, *words])
    report = file.read(tmp_path / "report.jsonl")
    stored, all_of_it = len(report.mismatches), len(pandas.read_parquet(tmp_path / "mismatches.parquet"))
    largest = max(len(members) for members in report.members.values())
    assert (stored == all_of_it, largest <= MOST) == ((True, False) if words else (False, True))
    assert max(finding.mismatches for finding in report.findings) > MOST
