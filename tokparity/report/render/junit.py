"""JUnit XML for CI: one test suite per model, one test case per engine, and one for a file that is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as xml

from tokparity.questions.json_text import literal
from tokparity.report.model import Pair, Report
from tokparity.report.render.remarks import VANISHED, Remark, remarks
from tokparity.report.verdict import verdict

NAME = "junit"
FILES = ("junit.xml",)


def render(report: Report, path: Path) -> None:
    """Write a report as JUnit XML.

    A pair fails if it has a finding that is neither known nor accepted, or lacks one that was accepted. An engine is
    skipped if it is not available, compared nothing or was interrupted. A model that was not run, and a report without
    a verdict, are errors.
    """
    root = xml.Element("testsuites", name="tokparity")
    every = remarks(report)
    for model in report.models():
        suite = xml.SubElement(root, "testsuite", name=_xml(model), timestamp=_xml(report.header.started))
        own = [remark for remark in every if remark.model == model]
        pairs = [pair for pair in report.pairs if pair.model == model]
        # All engines answer side by side, so how long a model took is known, and nothing of each engine.
        suite.set("time", f"{max((pair.seconds for pair in pairs), default=0.0):.3f}")
        for pair in pairs:
            _pair(suite, report, pair, [remark for remark in own if remark.engine == pair.engine])
        of_file = [remark for remark in own if not remark.engine]
        if of_file:
            _file(suite, report, model, of_file)
        for name, tag in (("tests", ""), ("failures", "/failure"), ("errors", "/error"), ("skipped", "/skipped")):
            suite.set(name, str(len(suite.findall(f"testcase{tag}"))))
    for model in report.lost:
        told = "; ".join(str(lost) for lost in report.refused if lost.model == model)
        _error(root, model, told or f"{model} was not run")
    found = verdict(report)
    if report.truncated or found.result == "none":
        why = "the run did not end by itself; its report is truncated" if report.truncated else found.sentence
        _error(root, "tokparity", why)
    xml.indent(root)
    xml.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _error(root: xml.Element, name: str, why: str) -> None:
    """A suite with one test case, which is not a test of an engine."""
    suite = xml.SubElement(root, "testsuite", name=_xml(name), tests="1", failures="0", errors="1", skipped="0")
    case = xml.SubElement(suite, "testcase", classname=_xml(name), name="run")
    xml.SubElement(case, "error", message=_xml(why))


def _pair(suite: xml.Element, report: Report, pair: Pair, own: Sequence[Remark]) -> None:
    case = xml.SubElement(suite, "testcase", classname=_xml(pair.model), name=_xml(pair.engine))
    new = [remark for remark in own if remark.is_new]
    undiagnosed = [remark for remark in own if remark.is_open]
    counts = f"{pair.mismatches:,} mismatches, {pair.failures:,} failures and {pair.decoding:,} differences in decoding"
    counts += f" in {pair.cases:,} cases against {pair.oracle}"
    if new:
        _failure(case, report, "mismatch" if any(one.rule != VANISHED for one in new) else VANISHED, counts, new)
    elif pair.unavailable:
        xml.SubElement(case, "skipped", message=_xml(f"unavailable: {pair.unavailable}"))
    elif undiagnosed:
        why = "; ".join(remark.title for remark in undiagnosed)
        xml.SubElement(case, "skipped", message=_xml(f"interrupted before the cause was looked for: {counts}; {why}"))
    elif report.is_cut:
        xml.SubElement(case, "skipped", message=_xml(f"interrupted: {counts} until then"))
    elif not (pair.compared or pair.rows_put):
        xml.SubElement(case, "skipped", message=_xml(f"nothing was compared: {counts}"))
    elif pair.found and not own and not report.findings_of(pair.model, pair.engine):
        _failure(case, report, "mismatch", counts, new)
    else:
        xml.SubElement(case, "system-out").text = _xml(f"{counts}; {len(own)} known or accepted findings")


def _file(suite: xml.Element, report: Report, model: str, own: Sequence[Remark]) -> None:
    """What is said of the model's own file, which no engine is to blame for."""
    case = xml.SubElement(suite, "testcase", classname=_xml(model), name="file")
    new = [remark for remark in own if remark.is_new]
    if new:
        _failure(case, report, new[0].rule, "; ".join(remark.title for remark in new), new)
    else:
        accepted = "; ".join(f"{remark.title} (accepted: {remark.reason})" for remark in own)
        xml.SubElement(case, "system-out").text = _xml(accepted)


def _failure(case: xml.Element, report: Report, kind: str, message: str, new: Sequence[Remark]) -> None:
    failure = xml.SubElement(case, "failure", type=kind, message=_xml(message))
    parts = [f"verdict: {verdict(report).sentence}", *("\n".join((one.title, *one.lines)) for one in new)]
    failure.text = _xml("\n\n".join(parts))


def _xml(text: str) -> str:
    """The text without what XML 1.0 cannot hold, spelled as escapes instead."""
    return "".join(c if c == "\n" or c.isprintable() else literal(c)[1:-1] for c in text)
