"""A short page in Markdown, for the summary of a step in CI: the verdict, the matrix, what is new or has vanished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tokparity.report import oracles
from tokparity.report.model import Report
from tokparity.report.render.inert import write_inert
from tokparity.report.render.markdown import matrix
from tokparity.report.render.markup import cell, code, coded
from tokparity.report.render.remarks import Remark, remarks
from tokparity.report.rule import count
from tokparity.report.verdict import verdict

NAME = "summary"
FILES = ("summary.md",)
_MOST = 50  # remarks in full: a step's summary may have no more than a mebibyte
_MARKS = {"new": "❌", "none": "❓"}
_AS_CODE = ("command", "smallest text")


def render(report: Report, path: Path) -> None:
    """Write the page."""
    write_inert(path, page(report))


def page(report: Report) -> str:
    """The page as text."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    found, every = verdict(report), remarks(report)
    shown = [remark for remark in every if remark.is_new] or [remark for remark in every if remark.is_open]
    yield from ("## tokparity", "", f"{_MARKS.get(found.result, '✅')} **{coded(found.sentence, found.command)}**", "")
    yield from (f"{cell(sentence)}\n" for sentence in oracles.sentences(report))
    yield from matrix(report) if report.pairs else ()
    for remark in shown[:_MOST]:
        yield from _remark(remark)
    if len(shown) > _MOST:
        yield from (f"and {len(shown) - _MOST} more in the report.", "")
    yield from _known([remark for remark in every if remark.reason])
    yield from (f"- Note: {cell(str(note))}" for note in (*report.refused, *report.notes))


def _remark(remark: Remark) -> Iterator[str]:
    yield from (f"### {cell(remark.title)}", "")
    for name, text in remark.details:
        yield f"- {name}: {code(text) if name in _AS_CODE else coded(text, 'tokparity doctor')}"
    yield ""


def _known(known: Sequence[Remark]) -> Iterator[str]:
    if not known:
        return
    yield from (f"<details><summary>{count(len(known), 'finding')} known or accepted</summary>", "")
    yield from (f"- {cell(remark.title)} ({cell(remark.reason)})" for remark in known[: 4 * _MOST])
    yield from ("", "</details>", "")
