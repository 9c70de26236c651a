"""The HTML report: one file, no request, nothing in it that was not escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from reports import mismatch
from tokparity.finding import Finding
from tokparity.report.model import Footer, Pair, Report
from tokparity.report.render.html import heat, render

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; complains of tags that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember it."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """It must close what was opened last."""
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        """Remember it."""
        self.text += data


def page_of(report: Report, folder: Path) -> tuple[str, Page]:
    """The page as written and as parsed."""
    render(report, folder / "index.html")
    source = (folder / "index.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(source)
    assert [] == page.open
    return source, page


@pytest.fixture(name="report", scope="module")
def exploded(report: Report) -> Report:
    """The report with a finding for each mismatch, so that every text is in the page."""
    findings = tuple(
        Finding(f"finding-{i}", m.model, m.engine, m.oracle, "unexplained", m, 1)
        for i, m in enumerate(report.mismatches)
    )
    members = {(f.model, f.name): (i,) for i, f in enumerate(findings)}
    return replace(report, findings=findings, members=members)


def test_no_request_and_no_script(report: Report, tmp_path: Path) -> None:
    """Nothing in the page can load anything, whatever the texts are."""
    source, page = page_of(report, tmp_path)
    assert set() == {tag for tag, _ in page.tags} & {"script", "img", "link", "iframe", "object", "form", "base"}
    assert not re.search(r"url\(|@import", source)
    for _, attributes in page.tags:
        assert set() == attributes.keys() & {"src", "srcset", "action", "style", "onload", "onclick"}
        assert attributes.get("href", "#").startswith("#")


def test_policy_allows_only_its_own_style(report: Report, tmp_path: Path) -> None:
    """The policy forbids everything but the one style sheet, by its hash."""
    source, page = page_of(report, tmp_path)
    (policy,) = [a["content"] for t, a in page.tags if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
    style = source.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy is not None
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")


def test_everything_is_escaped(report: Report, tmp_path: Path) -> None:
    """Markup in texts, models, engines and messages is text."""
    source, page = page_of(report, tmp_path)
    assert "<script>" not in source
    assert "<b>gemma</b>" in page.text
    assert "<script>alert(1)</script>&amp;" in page.text.replace("␣", " ")


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("\u202e", r"\u202e"),
        ("\u200d", r"\u200d"),
        ("\u2066", r"\u2066"),
        ("\x00", r"\0"),
        ("\x7f", r"\x7f"),
        ("\x85", r"\u0085"),
        ("\u2028", r"\u2028"),
    ],
)
def test_what_does_not_print_is_not_in_the_page(report: Report, tmp_path: Path, character: str, shown: str) -> None:
    """Control, bidi and zero-width characters are shown as escapes."""
    source, page = page_of(report, tmp_path)
    assert character not in source
    assert shown in page.text


def test_ids_pieces_and_the_first_difference(report: Report, tmp_path: Path) -> None:
    """Both strips are there, the first difference is marked, and so is the end of a strip that stops too early."""
    source, page = page_of(report, tmp_path)
    assert '<li class="chip first" aria-label="first difference"><bdi class="piece">&lt;unk&gt;</bdi>' in source
    assert '<li class="chip gap"><span class="piece">end</span></li>' in source
    assert '<bdi class="piece">p100</bdi><span class="id">100</span>' in source
    assert any(attributes.get("aria-label") == "first difference" for _, attributes in page.tags)


def test_links_lead_somewhere(report: Report, tmp_path: Path) -> None:
    """Every link of the matrix has its section."""
    _, page = page_of(report, tmp_path)
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    links = {str(attributes["href"])[1:] for tag, attributes in page.tags if tag == "a"}
    assert len({(finding.model, finding.engine) for finding in report.findings}) == len(links)
    assert set() == links - ids


def test_truncated_and_interrupted_runs_say_so(report: Report, tmp_path: Path) -> None:
    """A report that is not whole is not shown as if it were."""
    assert "truncated" in page_of(replace(report, footer=None), tmp_path)[1].text
    assert "interrupted" in page_of(replace(report, footer=Footer("interrupted", 1.0)), tmp_path)[1].text
    assert "truncated" not in page_of(report, tmp_path)[1].text


def test_size_is_bounded(report: Report, tmp_path: Path) -> None:
    """Ten thousand mismatches with long texts make no large page, and the page says how many more there are."""
    many = tuple(mismatch(b"%d " % n + b"x" * 3000) for n in range(10_000))
    finding = replace(report.findings[0], mismatches=len(many), smallest=many[0])
    key = finding.model, finding.name
    large = replace(report, mismatches=many, findings=(finding,), members={key: tuple(range(len(many)))})
    source, page = page_of(large, tmp_path)
    assert len(source) < 200_000
    assert "9\u202f995 more" in page.text


@pytest.mark.parametrize(
    ("wrong", "expected"), [(0, 0), (1, 1), (99, 1), (100, 2), (1_000, 3), (10_000, 4), (100_000, 5), (1_000_000, 5)]
)
def test_heat_grows_by_orders_of_magnitude(wrong: int, expected: int) -> None:
    """The colour of a cell is the order of magnitude of the share that differs."""
    assert expected == heat(Pair("m", "e", "o", cases=1_000_000, equal=1_000_000 - wrong, mismatches=wrong))
