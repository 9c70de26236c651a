"""What continuous integration reads of a report: remarks in SARIF, JUnit, a summary and annotations."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema

from tokparity.case import Origin, text_case
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.report import render
from tokparity.report.extent import Lost
from tokparity.report.model import FileFault, Footer, Header, Pair, Report, Vanished
from tokparity.report.render.github import annotation_lines
from tokparity.report.render.summary import page
from tokparity.report.render.visible import spelled

DATA = Path(__file__).parents[1] / "data"
SARIF = jsonschema.Draft4Validator(json.loads((DATA / "sarif-schema-2.1.0.json").read_text("utf-8")))
JUNIT = xmlschema.XMLSchema(DATA / "junit-10.xsd")
NASTY = "a,b: 100 %\n::error::`x` <i>\u202e|#"


def finding(name: str, quirks: tuple[str, ...], **more: Any) -> Finding:
    """A finding about an engine with a name that tries to be something else."""
    case = text_case(b"two  spaces", origin=Origin("corpus", "spaces", 12))
    small = Mismatch(
        case, "toy", "e,:", "o", Encoding((1, 2)), Encoding((1,)), Difference("ids", 1), (b"a", b"b"), (b"a",)
    )
    return Finding(name, "toy", "e,:", "o", "verified" if quirks else "unexplained", small, 3, 5, quirks, **more)


@pytest.fixture
def report() -> Report:
    """A new finding with two causes, one without, one accepted; a wrong key; a vanished finding."""
    return Report(
        Header("0.1.0", "15.0", {}, {}, 0, ("tokparity", "check"), "2026-11-21T10:00:00+00:00",
               places={"toy": ("my list/tokparity.toml", 7)}),
        (Pair("toy", "o", "o", cases=9, equal=9), Pair("toy", "e,:", "o", cases=9, equal=0, mismatches=9)),
        findings=(
            finding("first", ("collapses_spaces", "cleans_up_spaces")),
            finding("second", (), why_unexplained=NASTY),
            finding("third", ("accepts_overlong_utf8",), accepted=True, reason=NASTY),
        ),
        vanished=(Vanished("toy", "e,:", "omits_bos", NASTY, 0),),
        faults=(FileFault("toy", "toy.gguf", "t.json", "tokenizer.ggml.pre", NASTY, "gpt-2"),),
        footer=Footer("complete", 1.0),
    )  # fmt: skip


def sarif(report: Report, folder: Path) -> dict[str, Any]:
    """The one run of the SARIF log, which is valid."""
    render.render("sarif", report, folder / "out.sarif")
    log = json.loads((folder / "out.sarif").read_text("utf-8"))
    SARIF.validate(log)
    (run,) = log["runs"]
    found: dict[str, Any] = run
    return found


def test_sarif_stands_at_the_list(report: Report, tmp_path: Path) -> None:
    """Each result at the model's line; new ones are errors, accepted ones are suppressed notes."""
    results = sarif(report, tmp_path)["results"]
    assert 5 == len(results)
    for result in results:
        physical = result["locations"][0]["physicalLocation"]
        assert {"artifactLocation": {"uri": "my%20list/tokparity.toml"}, "region": {"startLine": 7}} == physical
    assert ["error", "error", "error", "note", "error"] == [result["level"] for result in results]
    assert [3] == [index for index, result in enumerate(results) if "suppressions" in result]
    assert 5 == len({result["partialFingerprints"]["tokparityFinding/v1"] for result in results})


def test_sarif_rules_help(report: Report, tmp_path: Path) -> None:
    """Titles, and symptom, cause and fix of each quirk, with a link where there is one."""
    rules = {rule["id"]: rule for rule in sarif(report, tmp_path)["tool"]["driver"]["rules"]}
    assert {
        "collapses_spaces+cleans_up_spaces",
        "unexplained",
        "accepts_overlong_utf8",
        "wrong-key",
        "vanished",
    } == set(rules)
    both = rules["collapses_spaces+cleans_up_spaces"]
    assert both["shortDescription"]["text"].startswith("Collapses runs of spaces and drops spaces at the ends; ")
    for part in ("Symptom: Indentation is lost", "Cause: remove_extra_whitespaces", "Fix: Collapse spaces only where"):
        assert part in both["help"]["text"]
        assert "**{}**:{}".format(*part.split(":", 1)) in both["help"]["markdown"]
    assert both["helpUri"].startswith("https://")
    assert all(rule["help"]["text"] for rule in rules.values())


def test_an_absolute_place_is_a_file_uri(report: Report, tmp_path: Path) -> None:
    """A list outside the directory; and a model that stands in none is placed at the text that shows it."""
    away = replace(report, header=replace(report.header, places={"toy": ("/a b/tokparity.toml", 1)}))
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in sarif(away, tmp_path)["results"]}
    assert {"file:///a%20b/tokparity.toml"} == uris
    known = replace(report, header=replace(report.header, places={}))
    (corpus,) = {json.dumps(r["locations"][0]["physicalLocation"]) for r in sarif(known, tmp_path)["results"][1:4]}
    assert {"artifactLocation": {"uri": "spaces"}, "region": {"startLine": 12}} == json.loads(corpus)


def test_junit_says_why(report: Report, tmp_path: Path) -> None:
    """A test case for each engine, and one for the file: verdict, cause, fix, smallest text, command."""
    render.render("junit", report, tmp_path / "j.xml")
    JUNIT.validate(tmp_path / "j.xml")
    cases = ElementTree.parse(tmp_path / "j.xml").findall("testsuite/testcase")
    assert ["o", "e,:", "file"] == [case.get("name") for case in cases]
    right, engine, file = [case.findtext("failure") for case in cases]
    assert right is None
    for said in (
        "verdict: Your GGUF is wrong",
        "cause: collapses_spaces: ",
        "fix: Collapse spaces",
        f"smallest text: {spelled(report.findings[0].smallest.case.question, 400)}",
        "command: tokparity diff toy --engine",
        "vanished: omits_bos",
    ):
        assert said in str(engine)
    assert "third" not in str(engine)
    assert "command: tokparity doctor toy.gguf --against t.json --write fixed.gguf" in str(file)


def test_annotations_are_escaped(report: Report) -> None:
    """No value ends its line, its property, or begins a command of its own."""
    lines = list(annotation_lines(report))
    assert 4 == len(lines)
    for line in lines:
        assert line.startswith("::error file=my list/tokparity.toml,line=7,title=")
        assert line.isprintable()
        properties, _, message = line.removeprefix("::error ").partition("::")
        assert ["file", "line", "title"] == [one.partition("=")[0] for one in properties.split(",")]
        assert "%" not in message.replace("%25", "").replace("%0A", "")
    assert "tokenizer.ggml.pre" in lines[0]


def test_commands_in_a_summary_can_be_copied(report: Report) -> None:
    """What stands between back-quotes is shown as it is: the command that repairs, and each of the others."""
    odd = replace(report.faults[0], file="my `odd`.gguf")
    text = page(replace(report, faults=(odd,)))
    command = "tokparity doctor 'my `odd`.gguf' --against t.json --write fixed.gguf"
    assert [f"`` {command} ``"] * 2 == [line[line.index("`` ") : line.rindex("``") + 2]
                                       for line in text.splitlines() if "doctor" in line]  # fmt: skip
    tab = replace(report.findings[0].smallest, case=text_case(b"a\tb"))
    of_tab = page(replace(report, findings=(replace(report.findings[0], smallest=tab),)))
    assert r"- command: `tokparity diff toy --engine e,: $'a\x09b'`" in of_tab.splitlines()


def test_a_wrong_key_is_the_title_of_what_it_makes(report: Report, tmp_path: Path) -> None:
    """One wrong key is one remark, which says who obeys it; what an engine does beside that has a remark of its own."""
    key = report.faults[0].sentence
    obeys = finding("obeys", ("omits_space_prefix",), wrong_keys=(("omits_space_prefix", key),))
    both = finding("both", ("source_differs", "folds_case"), wrong_keys=(("source_differs", key),))
    wrong = replace(report, findings=(obeys, both), vanished=())
    results = sarif(wrong, tmp_path)["results"]
    assert ["wrong-key", "wrong-key+folds_case"] == [result["ruleId"] for result in results]
    assert "shows: e,: differs in" in results[0]["message"]["text"]
    render.render("junit", wrong, tmp_path / "j.xml")
    said = str(ElementTree.parse(tmp_path / "j.xml").findtext("testsuite/testcase[@name='e,:']/failure"))
    titles = [f"e,: on toy: {key}, and folds the case of the whole text"]
    assert titles == [line for line in said.splitlines() if line.startswith("e,: on toy")]
    assert 1 == said.count(f"cause: The engine obeys its file, in which {key}.")
    assert 1 == said.count("fix: Correct the file: `tokparity doctor` says how.")
    assert "- fix: Correct the file: `tokparity doctor` says how." in page(wrong)
    assert "no space before" not in said
    assert "space before the text" not in page(wrong)


def test_summary_is_short_and_inert(report: Report) -> None:
    """The verdict first; what is new in full, what is accepted in a line."""
    text = page(report)
    assert text.startswith("## tokparity\n\n❌ **Your GGUF is wrong: tokenizer.ggml.pre")
    assert "<i>" not in text
    assert 4 == text.count("\n### ")
    assert "1 finding known or accepted" in text
    many = replace(report, findings=report.findings[:1] * 2000)
    assert len(page(many).encode()) < 200_000


def test_no_verdict_is_no_green(report: Report, tmp_path: Path) -> None:
    """An oracle that could not be run: an error in JUnit, a notification in SARIF, an annotation, no tick."""
    pairs = (replace(report.pairs[0], unavailable="not installed"), report.pairs[1])
    none = replace(report, pairs=pairs, findings=(), faults=(), vanished=())
    render.render("junit", none, tmp_path / "j.xml")
    JUNIT.validate(tmp_path / "j.xml")
    (error,) = ElementTree.parse(tmp_path / "j.xml").iter("error")
    assert "could not be run" in str(error.get("message"))
    (notification,) = sarif(none, tmp_path)["invocations"][0]["toolExecutionNotifications"]
    assert "could not be run" in notification["message"]["text"]
    (line,) = annotation_lines(none)
    assert line.startswith("::error title=tokparity::No verdict")
    assert page(none).startswith("## tokparity\n\n❓ **No verdict")


def outcomes(report: Report, folder: Path) -> dict[str, str]:
    """How each test case of the JUnit file ended; "passed" where it says nothing else."""
    render.render("junit", report, folder / "j.xml")
    JUNIT.validate(folder / "j.xml")
    cases = ElementTree.parse(folder / "j.xml").findall("testsuite/testcase")
    ended = ("failure", "error", "skipped")
    return {
        f"{case.get('classname')}/{case.get('name')}": next(
            (one for one in ended if case.find(one) is not None), "passed"
        )
        for case in cases
    }


def equal(report: Report) -> Report:
    """A run of the same engines in which all was equal."""
    pairs = (report.pairs[0], Pair("toy", "e,:", "o", cases=9, equal=9))
    return replace(report, pairs=pairs, findings=(), faults=(), vanished=())


@pytest.mark.parametrize("footer", [None, Footer("interrupted", 1.0)], ids=["cut short", "interrupted"])
def test_an_interrupted_run_closes_and_passes_nothing(report: Report, footer: Footer | None, tmp_path: Path) -> None:
    """What it has not come to is not gone: SARIF says so, and no test case passes; what is wrong is told."""
    assert sarif(equal(report), tmp_path)["invocations"][0]["executionSuccessful"]
    assert {"toy/o": "passed", "toy/e,:": "passed"} == outcomes(equal(report), tmp_path)
    cut = replace(equal(report), footer=footer)
    assert not sarif(cut, tmp_path)["invocations"][0]["executionSuccessful"]
    assert {"toy/o": "skipped", "toy/e,:": "skipped", "tokparity/run": "error"} == outcomes(cut, tmp_path)
    wrong = replace(report, footer=footer)
    assert not sarif(wrong, tmp_path)["invocations"][0]["executionSuccessful"]
    assert {"failure", "skipped"} <= set(outcomes(wrong, tmp_path).values())
    assert "failure" == outcomes(wrong, tmp_path)["toy/e,:"]


def test_who_compared_nothing_does_not_pass(report: Report, tmp_path: Path) -> None:
    """An engine that was put nothing, or could be asked nothing, is skipped, and the run has no verdict."""
    for pair in (Pair("toy", "e,:", "o"), Pair("toy", "e,:", "o", cases=9, unsupported=9)):
        none = replace(equal(report), pairs=(report.pairs[0], pair))
        assert {"toy/o": "passed", "toy/e,:": "skipped", "tokparity/run": "error"} == outcomes(none, tmp_path)
        assert not sarif(none, tmp_path)["invocations"][0]["executionSuccessful"]
    rows = replace(equal(report), pairs=(report.pairs[0], Pair("toy", "e,:", "o", rows=4)))
    assert "passed" == outcomes(rows, tmp_path)["toy/e,:"]


def test_a_model_that_was_not_run_does_not_vanish(report: Report, tmp_path: Path) -> None:
    """It has no counts, and is an error all the same."""
    header = replace(report.header, models={"toy": {}, "other": {}})
    lost = replace(equal(report), header=header, refused=(Lost("other", "its file is damaged"),))
    assert "error" == outcomes(lost, tmp_path)["other/run"]
    assert "its file is damaged" in (tmp_path / "j.xml").read_text("utf-8")
    assert not sarif(lost, tmp_path)["invocations"][0]["executionSuccessful"]


def test_the_time_of_a_model_is_not_told_of_each_engine(report: Report, tmp_path: Path) -> None:
    """All engines answer side by side: the suite has the seconds, and their sum over the cases would be wrong."""
    pairs = tuple(replace(pair, seconds=12.5) for pair in report.pairs)
    render.render("junit", replace(report, pairs=pairs), tmp_path / "j.xml")
    suites = ElementTree.parse(tmp_path / "j.xml").getroot().findall("testsuite")
    assert "12.500" == suites[0].get("time")
    assert [] == [case for suite in suites for case in suite if case.get("time") is not None]
