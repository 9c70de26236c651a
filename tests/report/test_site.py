"""A site of many reports: what it tells of each run, pages that stay, feed, badge, and reports that cannot be read."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest
from site_reports import COLLAPSES, FOLDS, STRIPS, finding, run, stored, three_runs, truncated

from reports import NASTY, nasty_report
from tokparity.cli import main
from tokparity.report.changes import family
from tokparity.report.model import Report
from tokparity.report.site.build import build, read_run
from tokparity.report.site.history import History, in_order, lasting_key

ATOM = "{http://www.w3.org/2005/Atom}"


def history(folder: Path, *reports: Report) -> History:
    """The history of these reports, or of the three."""
    if reports:
        for number, report in enumerate(reports):
            stored(report, folder / f"run-{number}")
    else:
        three_runs(folder)
    return in_order(read_run(path) for path in folder.glob("*/report.jsonl"))


def told(found: History, number: int) -> set[tuple[str, str, int | None, int]]:
    """What changed in a run: fate, title, cases before and now."""
    return {(one.fate, one.title, one.before, one.now) for one in found.changes(found.runs[number])}


def test_what_changed(tmp_path: Path) -> None:
    """From version to version other ids for the same text; from run to run a cause that is new and one that is gone."""
    found = history(tmp_path)
    assert set() == told(found, 0)
    assert {("changed", "Collapses runs of spaces and drops spaces at the ends", 5, 5)} == told(found, 1)
    assert ["the same text gets another answer"] == [one.how for one in found.changes(found.runs[1])]
    assert {
        ("gone", "Collapses runs of spaces and drops spaces at the ends", 5, 0),
        ("new", "Folds the case of the whole text", 0, 2),
    } == told(found, 2)
    versions = [point.has_other_version for line in found.lines for point in line.points if line.engine == "tokenizers"]
    assert [False, True, False] == versions


def test_another_certainty_of_a_cause_is_told(tmp_path: Path) -> None:
    """Where its texts get the same answers as before, a cause has changed in what is known of it, and that is said."""
    before, now = run(1), run(1)
    less = tuple(replace(finding, status="reproduced") for finding in now.findings)
    header = replace(now.header, started="2026-04-05T10:00:00+00:00")
    found = history(tmp_path, before, replace(now, header=header, findings=less))
    assert {"reproduced, before verified"} == {one.how for one in found.changes(found.runs[1])}


def test_a_run_that_ended_early_says_of_nothing_that_it_is_gone(tmp_path: Path) -> None:
    """What it did not come to may still be there."""
    found = history(tmp_path, run(0), truncated(run(1)))
    assert set() == told(found, 1)
    assert [None, None] == [found.gone_since(past) for past in found.causes]


def test_a_run_of_something_else_changes_nothing(tmp_path: Path) -> None:
    """An engine that was unavailable, or not asked, has lost nothing; what is asked first is told as such."""
    unavailable = replace(run(1), findings=(), pairs=tuple(replace(p, unavailable="no") for p in run(1).pairs))
    found = history(tmp_path, run(0), unavailable, run(2))
    assert set() == told(found, 1)
    assert {"new", "gone"} == {fate for fate, *_ in told(found, 2)}
    assert [] == list(found.first_asked(found.runs[2]))
    first = found.first_seen(found.runs[0])
    assert [(None, 5)] == [(one.before, one.now) for one in first]  # the other is accepted


def test_two_versions_in_one_run_are_two_lines(tmp_path: Path) -> None:
    """Each has its own history; their cause is one."""
    both, other = run(0), run(1)
    report = replace(both, pairs=(*both.pairs, other.pairs[1]), findings=(*both.findings, *other.findings))
    found = history(tmp_path, report)
    assert ["sentencepiece", "tokenizers@0.19.1", "tokenizers@0.21.0"] == [line.engine for line in found.lines]
    assert 2 == len(found.causes)


@pytest.mark.parametrize(
    ("engine", "expected"),
    [
        ("tokenizers@0.19.1", "tokenizers"),
        ("transformers@4.1[legacy=false]", "transformers[legacy=false]"),
        ("reference+strips_text", "reference+strips_text"),
        ("exec:./tok @x {gguf}", "exec:./tok @x {gguf}"),
    ],
)
def test_an_engine_without_its_version(engine: str, expected: str) -> None:
    """Options and quirks stay; an engine of the user's own has no version in its name."""
    assert expected == family(engine)


def test_pages_stay_and_lead_somewhere(tmp_path: Path) -> None:
    """Built twice it is the same, byte by byte; every link has its file; a cause's page has the lasting key."""
    folder, out = three_runs(tmp_path / "runs"), tmp_path / "site"
    assert 0 == main(["site", str(folder), "-o", str(out)])
    pages = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert 0 == main(["site", str(folder / "run-0"), str(folder), "-o", str(out)])
    assert pages == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    keys = {lasting_key(finding("tokenizers", quirk, 1)) for quirk in (STRIPS, COLLAPSES, FOLDS)}
    assert keys == {path.stem for path in (out / "causes").iterdir()}
    for path, text in pages.items():
        if path.suffix == ".html":
            links = re.findall(r'href="([^"#:]+)(?:#[^"]*)?"', text.decode())
            assert [] == [link for link in links if not (path.parent / link).is_file()]


def test_a_cause_page_tells_its_past(tmp_path: Path) -> None:
    """Each run with its version and cases, and that it is gone."""
    build([path / "report.jsonl" for path in three_runs(tmp_path / "runs").iterdir()], tmp_path / "site", [])
    page = (tmp_path / "site" / "causes" / f"{lasting_key(finding('tokenizers', COLLAPSES, 1))}.html").read_text()
    assert "No longer seen: the run of 2026-03-05 10:00 UTC" in page
    assert ["0.19.1", "0.21.0"] == sorted(set(re.findall(r"tokenizers@([\d.]+) <", page)))


def test_a_damaged_mismatch_does_not_stop_the_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It shows only when a run's own page is made; the other runs have their pages, and the damage is told."""
    folder = three_runs(tmp_path / "runs")
    bad = folder / "run-0" / "report.jsonl"
    lines = bad.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith('{"type": "mismatch"'))
    record = json.loads(lines[at])
    del record["case"]["origin"]
    bad.write_text("\n".join([*lines[:at], json.dumps(record), *lines[at + 1 :]]) + "\n")
    assert 2 == main(["site", str(folder), "-o", str(tmp_path / "site")])
    assert 2 == len(list((tmp_path / "site" / "runs").glob("*/index.html")))
    told = capsys.readouterr().err
    assert (1, True) == (told.count("left out: "), str(bad) in told)
    assert str(bad) in (tmp_path / "site" / "index.html").read_text()


def test_feed_and_badge(tmp_path: Path) -> None:
    """New causes, the latest first, each with an id of its own that stays; the badge says what is new."""
    folder = three_runs(tmp_path / "runs")
    assert 0 == main(["site", str(folder), "-o", str(tmp_path / "site"), "--url", "https://example.org/"])
    feed = xml.parse(tmp_path / "site" / "feed.atom").getroot()
    assert "https://example.org/" == feed.get("{http://www.w3.org/XML/1998/namespace}base")
    entries = feed.findall(f"{ATOM}entry")
    titles = ["Folds the case of the whole text", "Collapses runs of spaces and drops spaces at the ends"]
    assert [f"tokenizers: {title}" for title in titles] == [entry.findtext(f"{ATOM}title") for entry in entries]
    assert 2 == len({entry.findtext(f"{ATOM}id") for entry in entries})
    badge = xml.parse(tmp_path / "site" / "badge.svg").getroot()
    assert "token parity: 1 new" == badge.get("aria-label")


def test_a_report_that_cannot_be_read_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are told of, the page and standard error say why, and the exit code is 2."""
    folder, out = three_runs(tmp_path / "runs"), tmp_path / "site"
    (folder / "bad").mkdir()
    (folder / "bad" / "report.jsonl").write_text('{"type": "header"}\n')
    stored(replace(run(0), header=replace(run(0).header, started="<b>yesterday")), folder / "odd")
    stored(truncated(run(1)), folder / "cut")
    assert 2 == main(["site", str(folder), str(tmp_path / "nowhere"), "-o", str(out)])
    said = capsys.readouterr().err
    assert ["is not a report of tokparity", "which is not a time", "there is no report.jsonl", "was cut short"] == [
        why
        for why in ("is not a report of tokparity", "which is not a time", "there is no report.jsonl", "was cut short")
        if why in said
    ]
    page = (out / "index.html").read_text()
    assert 3 == page.count("Left out: ")
    assert "This run was cut short" in page
    assert "<b>yesterday" not in page


def test_nothing_to_tell_and_nowhere_to_put_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No report, no folder, a report's own folder, a file in the way: an error that says so, and nothing written."""
    folder = three_runs(tmp_path / "runs")
    (tmp_path / "file").write_text("")
    for words, why in (
        (["-o", str(tmp_path / "s")], "a site needs a report"),
        ([str(tmp_path / "none"), "-o", str(tmp_path / "s")], "no report could be read"),
        ([str(folder), "-o", str(folder / "run-0")], "is the folder of a report"),
        ([str(folder), "-o", str(tmp_path / "file")], "cannot write to"),
    ):
        assert 2 == main(["site", *words])
        assert why in capsys.readouterr().err
    assert not (tmp_path / "s").exists()


def test_hostile_texts_are_inert(tmp_path: Path) -> None:
    """Names and texts that attack are text in every page."""
    folder = stored(nasty_report(), tmp_path / "run")
    assert 0 == main(["site", str(folder), "-o", str(tmp_path / "site")])
    for path in [tmp_path / "site" / "index.html", *(tmp_path / "site" / "causes").iterdir()]:
        page = path.read_text()
        assert "<script" not in page
        assert "\u202e" not in page
        assert "<b>gemma" not in page
    assert NASTY
