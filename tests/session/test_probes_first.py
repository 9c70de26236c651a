"""The probe set is put first and whole, whatever the time is, and a report says how far putting came."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_run import HEADER, SPACES, Quiet, model

from tokparity.report.extent import Put, put_of
from tokparity.report.file import ReportWriter, read
from tokparity.report.model import Report
from tokparity.report.verdict import verdict
from tokparity.session.one_model import Options
from tokparity.session.run import run

pytestmark = pytest.mark.usefixtures("few_texts")


def report_of(folder: Path, **options: object) -> Report:
    """A run of the fakes with these options."""
    asked = {"engines": (SPACES,), "corpora": ("whitespace",), "cases": 0, **options}
    settings = Options(**asked)  # type: ignore[arg-type]
    path = folder / "report.jsonl"
    run([model()], settings, ReportWriter(path, HEADER), Quiet())
    return read(path)


def test_probes_are_put_whole_when_time_is_up_at_once(tmp_path: Path) -> None:
    """No time at all is time enough for what a verdict rests on; what shows there is found."""
    report = report_of(tmp_path, seconds=1e-6, cases=5000)
    put = put_of(report.puts, "fake")
    assert put is not None
    assert put.is_probed
    assert not put.is_all
    assert put.of is not None
    assert 300 < put.texts < put.of
    assert any(pair.engine == SPACES and pair.decoding for pair in report.pairs)


def test_a_run_to_the_end_put_all(tmp_path: Path) -> None:
    """Where nothing was cut short as many were put as there were."""
    put = put_of(report_of(tmp_path).puts, "fake")
    assert put is not None
    assert put.is_all
    assert put.of == put.texts


@pytest.mark.nightly
def test_a_model_that_another_stands_for_is_put_one_of_four_texts(tmp_path: Path) -> None:
    """The probe set is put whole all the same, and what was put is all that there is to put."""
    whole, thinned = (
        put_of(report_of(tmp_path, cases=800, thinned=frozenset(names)).puts, "fake") for names in ((), ("fake",))
    )
    assert whole is not None
    assert thinned is not None
    assert thinned.is_all
    assert thinned.of == thinned.texts
    assert 600 < whole.texts - thinned.texts
    assert 300 < thinned.texts


def test_no_text_is_put_where_none_is_asked_for(tmp_path: Path) -> None:
    """Without random texts and corpora nothing is put, and nothing is said to be equal."""
    settings = Options(engines=(SPACES,), corpora=None, cases=0, probes=False)
    path = tmp_path / "report.jsonl"
    run([model()], settings, ReportWriter(path, HEADER), Quiet())
    assert "none" == verdict(read(path)).result


@pytest.mark.parametrize(
    ("put", "result", "words"),
    [
        (Put("fake", 10_453, 24_251), "equal", "10,453 of 24,251 texts"),
        (Put("fake", 200, 24_251, 200, 450), "none", "200 of the 450 probe texts"),
    ],
)
def test_a_verdict_says_how_much_was_put(tmp_path: Path, put: Put, result: str, words: str) -> None:
    """What was cut short says of how many; before the probe set was through there is no verdict."""
    whole = report_of(tmp_path, engines=("fake_engines:AlsoRight",))
    assert whole.footer is not None
    equal = replace(whole, findings=(), vanished=(), puts=(put,), footer=replace(whole.footer, ended="time"))
    found = verdict(equal)
    assert (result, True) == (found.result, words in found.sentence)


def test_how_far_it_came_survives_the_file(tmp_path: Path) -> None:
    """A report that is written again says the same."""
    from tokparity.report.file import write

    report = report_of(tmp_path)
    write(report, tmp_path / "again.jsonl")
    assert report.puts == read(tmp_path / "again.jsonl").puts
