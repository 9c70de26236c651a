"""JUnit XML for CI: one test suite per model, one test case per engine."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as xml

from tokparity.finding import Finding
from tokparity.questions.json_text import literal
from tokparity.report.model import Pair, Report
from tokparity.report.render.command import reproduce
from tokparity.report.render.visible import spelled

NAME = "junit"
FILES = ("junit.xml",)
_TEXT_BYTES = 400


def render(report: Report, path: Path) -> None:
    """Write one XML file. A pair fails if it has a finding that is not accepted; an unavailable engine is skipped."""
    root = xml.Element("testsuites", name="tokparity")
    for model in report.models():
        pairs = [pair for pair in report.pairs if pair.model == model]
        suite = xml.SubElement(root, "testsuite", name=_xml(model), timestamp=report.header.started)
        for pair in pairs:
            _testcase(suite, report, pair)
        suite.set("tests", str(len(pairs)))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        suite.set("errors", str(len(suite.findall("testcase/error"))))
        suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    if report.truncated:
        suite = xml.SubElement(root, "testsuite", name="tokparity", tests="1", failures="0", errors="1", skipped="0")
        case = xml.SubElement(suite, "testcase", classname="tokparity", name="run")
        xml.SubElement(case, "error", message="the run did not end by itself; its report is truncated")
    xml.indent(root)
    xml.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _testcase(suite: xml.Element, report: Report, pair: Pair) -> None:
    case = xml.SubElement(
        suite, "testcase", classname=_xml(pair.model), name=_xml(pair.engine), time=f"{pair.seconds:.3f}"
    )
    findings = [f for f in report.findings if (f.model, f.engine) == (pair.model, pair.engine)]
    new = [finding for finding in findings if finding.is_new]
    counts = f"{pair.mismatches} mismatches, {pair.failures} failures and {pair.decoding} differences in decoding"
    counts += f" in {pair.cases} cases against {pair.oracle}"
    if pair.unavailable:
        xml.SubElement(case, "skipped", message=_xml(f"unavailable: {pair.unavailable}"))
    elif new or (pair.differs and not findings):
        failure = xml.SubElement(case, "failure", type="mismatch", message=_xml(counts))
        failure.text = _xml("\n\n".join(_describe(report, finding) for finding in new))
    else:
        xml.SubElement(case, "system-out").text = _xml(f"{counts}; {len(findings)} known or accepted findings")


def _describe(report: Report, finding: Finding) -> str:
    shown = spelled(finding.smallest.case.question, _TEXT_BYTES)
    return (
        f"{finding.name}: {finding.status}, {finding.mismatches} mismatches\n"
        f"{shown} ({finding.smallest.difference})\n{reproduce(report, finding.smallest)}"
    )


def _xml(text: str) -> str:
    """The text without what XML 1.0 cannot hold, spelled as escapes instead."""
    return "".join(c if c in "\n\t" or c.isprintable() else literal(c)[1:-1] for c in text)
