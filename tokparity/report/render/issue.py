"""One finding as a Markdown issue for the engine's project, which needs no tokparity to reproduce it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokparity.errors import UsageError
from tokparity.finding import Finding, Mismatch
from tokparity.questions.shell import command_line
from tokparity.report.keys import finding_keys
from tokparity.report.model import Pair, Report
from tokparity.report.oracles import EXPORTED
from tokparity.report.render.causes import Cause, causes, title
from tokparity.report.render.command import reproduce
from tokparity.report.render.inert import write_inert
from tokparity.report.render.library import Library
from tokparity.report.render.markup import cell, code, coded, indented
from tokparity.report.render.proof import fix, proof
from tokparity.report.render.reproduction import file_name, library_of, script
from tokparity.report.render.visible import spelled
from tokparity.report.render.window import answers

NAME = "issue"
FILES = ("issue.md",)
_TEXT_BYTES = 400
_IDS = 60
_LISTED = 12


def render(report: Report, path: Path, key: str = "") -> None:
    """Write the issue of the finding with this key; without one, of the only finding, or the only new one."""
    finding = chosen(report, key)
    write_inert(path, "\n".join(_lines(report, finding)) + "\n")


def chosen(report: Report, key: str) -> Finding:
    """The finding with this key, or with most cases among those whose cause has it; UsageError where that is none."""
    known = dict(zip(finding_keys(report.findings), report.findings, strict=True))
    if not key:
        one = [finding for finding in report.findings if finding.is_new] or list(report.findings)
        if len(one) == 1:
            return one[0]
        listed = [f"{name} {finding.engine} on {finding.model}" for name, finding in known.items() if finding in one]
        more = f", and {len(listed) - _LISTED} more in findings.csv" if len(listed) > _LISTED else ""
        hint = f"name one with --finding: {'; '.join(listed[:_LISTED])}{more}" if listed else "there is nothing to tell"
        raise UsageError(f"an issue is about one finding, and the report has {len(one)}", hint)
    if key in known:
        return known[key]
    of_cause = [cause.found[0].finding for cause in causes(report) if cause.key == key]
    if not of_cause:
        raise UsageError(f"the report has no finding {key!r}", "findings.csv has the keys, in the column finding_key")
    return of_cause[0]


def _lines(report: Report, finding: Finding) -> Iterator[str]:
    cause = next(one for one in causes(report) if any(o.finding == finding for o in one.found))
    pair = next((p for p in report.pairs if (p.model, p.engine) == (finding.model, finding.engine)), None)
    expected, actual = answers(finding.smallest, _IDS, _TEXT_BYTES)
    yield from (f"# {cell(finding.engine)}: {cell(title(finding))}", "")
    yield from _versions(report, finding, cause, pair)
    for heading, lines in (
        ("Minimal reproduction", _reproduction(report, finding, pair)),
        ("Expected", _answer(finding.oracle, expected, finding.smallest)),
        ("Actual", _answer(finding.engine, actual, finding.smallest)),
        ("Cause", _cause(finding, cause)),
        ("Fix", [coded(fix(finding, cause.fix), "tokparity doctor")] if cause.fix else []),
        ("Links", [f"- {link}" for link in dict.fromkeys(link for part in cause.parts for link in part.links)]),
    ):
        found = list(lines)
        if found:
            yield from (f"## {heading}", "", *found, "")


def _versions(report: Report, finding: Finding, cause: Cause, pair: Pair | None) -> Iterator[str]:
    version = report.versions().get(finding.engine, "")
    yield f"- Version: {cell(version or 'not known')}"
    oracle = report.versions().get(finding.oracle, "")
    yield f"- Model: {cell(finding.model)}; expected is what {cell(oracle or finding.oracle)} gives"
    digests = report.header.models.get(finding.model, {})
    origins = report.header.origins.get(finding.model, {})
    for file, digest in digests.items():
        come = f", from {cell(origins[file])}" if file in origins else ""
        yield f"- File: {code(file)}, SHA-256 {code(digest)}{come}"
    others = [model for model in cause.models if model != finding.model]
    if others:
        yield f"- Seen as well on {cell(', '.join(others))}"
    yield from (f"- Found by tokparity {cell(report.header.tokparity)}, on {finding.cases}", "")


def _no_script(finding: Finding) -> str:
    """Why a script that asks once for ids would not show the finding; empty where it would."""
    if finding.unrepeatable:
        return "asked this alone, a new process may give the right ids"
    return "the ids are right, and their time is not" if finding.smallest.difference.failure == "slow" else ""


def _reproduction(report: Report, finding: Finding, pair: Pair | None) -> Iterator[str]:
    """The script with the library alone; where there is none, why, and the command."""
    mismatch, source, why = finding.smallest, pair.source if pair else "", _no_script(finding)
    library, lines = library_of(mismatch.engine), script(mismatch, source)
    if library is None or lines is None or why:
        if not why:
            why = (
                "its library needs more than the model's file"
                if library is None
                else "the text is too long or no UTF-8"
            )
        yield f"There is no short script for {cell(mismatch.engine)} alone: {why}. With tokparity:"
    else:
        where = _where_from(report, mismatch, library, source)
        yield f"With nothing but {code(f'pip install {_pinned(library, pair)}')}{where}:"
        yield from ("", *indented("\n".join(lines)), "")
        yield "The same with tokparity:"
    yield from ("", *indented(reproduce(report, mismatch)))


def _pinned(library: Library, pair: Pair | None) -> str:
    """What to install: the version that was run, where the report says it."""
    version = re.search(rf"{re.escape(library.install)} (\d[\w.+]*)", pair.version if pair else "")
    return f"{library.install}=={version[1]}" if version else library.install


def _where_from(report: Report, mismatch: Mismatch, library: Library, source: str) -> str:
    """What to say of a file that tokparity wrote."""
    if not source.endswith(EXPORTED):
        return ""
    format = source.partition(",")[0]
    words = report.header.arguments.get(mismatch.model, (mismatch.model,))
    if len(words) != 1:
        return f" and the model as {format}"
    convert = command_line(["tokparity", "convert", words[0], "--to", format, "-o", file_name(library, source)])
    return f" and what {code(convert)} writes"


def _answer(name: str, lines: Sequence[str], mismatch: Mismatch) -> Iterator[str]:
    text = spelled(mismatch.case.question, _TEXT_BYTES)
    yield (
        f"{cell(name)} gives for {code(text)}" + "".join(f", {word}" for word in mismatch.case.question.remarks) + ":"
    )
    yield ""
    yield from (line for found in lines for line in indented(found))


def _cause(finding: Finding, cause: Cause) -> Iterator[str]:
    for part in cause.parts:
        yield f"{cell(part.title)}. {cell(fix(finding, part.cause))} {cell(part.symptom)}"
    if finding.quirks:
        yield ""
        yield (
            f"A reference tokenizer that does this, and nothing else differently, gives the same as the engine on all "
            f"{finding.verified} mismatches it was run on, and leaves {finding.controls} cases alone that were right."
        )
        yield ""
        yield from (f"- {cell(sentence)}" for sentence in list(proof(finding))[1:])
    elif finding.is_predicted:
        yield f"{cell(finding.instead)}."
    elif finding.nearest or finding.why_unexplained:
        yield f"Not known. {cell(finding.why_unexplained)} {cell(finding.nearest)}".strip()
