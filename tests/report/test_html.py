"""The HTML report: one file, no request, nothing in it that was not escaped."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from synthetic import large_report

from reports import mismatch
from tokparity import quirks
from tokparity.finding import Finding
from tokparity.report.keys import cause_key, finding_keys, mismatch_key, pair_key
from tokparity.report.model import FileFault, Footer, Pair, Report, Vanished
from tokparity.report.render.html import render
from tokparity.report.render.page import heat, with_code
from tokparity.report.verdict import verdict

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
        Finding(f"finding-{i}", m.model, m.engine, m.oracle, "unexplained", m, 1, quirks=(f"quirk-{i}",))
        for i, m in enumerate(report.mismatches)
    )
    members = {(f.model, f.name): (i,) for i, f in enumerate(findings)}
    return replace(report, findings=findings, members=members)


def test_no_request_and_no_script_but_its_own(report: Report, tmp_path: Path) -> None:
    """Nothing in the page can load anything, whatever the texts are; it has its data, its own script and no other."""
    source, page = page_of(report, tmp_path)
    assert set() == {tag for tag, _ in page.tags} & {"img", "link", "iframe", "object", "form", "base"}
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    assert [{"type": "application/json", "id": "data"}, {}] == scripts
    assert not re.search(r"url\(|@import", source)
    for _, attributes in page.tags:
        assert set() == attributes.keys() & {"src", "srcset", "action", "style", "onload", "onclick"}
        assert attributes.get("href", "#").startswith("#") or attributes["href"] in (
            "mismatches.csv",
            "findings.csv",
            "pairs.csv",
        )


def test_policy_allows_only_its_own_style_and_script(report: Report, tmp_path: Path) -> None:
    """The policy forbids everything but the one style sheet and the one script, by their hashes."""
    source, page = page_of(report, tmp_path)
    (policy,) = [a["content"] for t, a in page.tags if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
    style = source.partition("<style>")[2].partition("</style>")[0]
    script = source.partition("<script>")[2].partition("</script>")[0]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    assert policy is not None
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'"
    )


def test_everything_is_escaped(report: Report, tmp_path: Path) -> None:
    """Markup in texts, models, engines and messages is text."""
    source, page = page_of(report, tmp_path)
    assert 1 == source.count("<script>")
    assert source.endswith("</script>\n</body>\n</html>")
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
    """Both sides are there, the first difference is marked, and so is the end of a side that stops too early."""
    source, _ = page_of(report, tmp_path)
    first = '<li class="differs first"><span class="vh">First difference. </span>'
    expected = '<span class="half expected"><span class="vh">expected: </span><span class="chip"><bdi class="piece">'
    assert f'{first}{expected}&lt;unk&gt;</bdi><span class="id">2</span>' in source
    assert '<span class="chip nothing"><span class="piece">end</span></span>' in source
    assert '<bdi class="piece">p100</bdi><span class="id">100</span>' in source


def test_links_lead_somewhere(report: Report, tmp_path: Path) -> None:
    """Every link has what it names, once; every pair of the matrix and every finding has a row under its key."""
    _, page = page_of(report, tmp_path)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {
        str(attributes["href"])[1:] for tag, attributes in page.tags if tag == "a" and "#" in str(attributes["href"])
    }
    assert set() == links - set(ids)
    assert {f"p-{pair_key(pair.model, pair.engine)}" for pair in report.pairs} == {
        link for link in links if link[:2] == "p-"
    }
    assert {f"f-{key}" for key in finding_keys(report.findings)} == {name for name in ids if str(name)[:2] == "f-"}
    assert {f"c-{cause_key(finding)}" for finding in report.findings} <= links


def data_of(source: str) -> dict[str, Any]:
    """The rows that the page's script shows."""
    text = source.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    assert set() == {character for character in text if character in "<>&" or not character.isprintable()}
    return dict(json.loads(text))


def test_all_mismatches_are_in_the_table(report: Report, tmp_path: Path) -> None:
    """Each under its key with what it is filtered by; nothing in the data can end the script element."""
    data = data_of(page_of(report, tmp_path)[0])
    rows = {row[8]: row for row in data["rows"]}
    assert {mismatch_key(m): m.model for m in report.mismatches} == {
        key: data["models"][row[0]] for key, row in rows.items()
    }
    row = rows[mismatch_key(report.mismatches[0])]
    names = [
        data[name][place]
        for name, place in zip(("models", "engines", "causes", "scripts", "corpora"), row, strict=False)
    ]
    assert ["nai-t5", "tokenizers", "Latin", "unicode-marks"] == [*names[:2], *names[3:]]
    assert cause_key(report.findings[0]) == names[2][0]
    assert ["The capital of France is", "ids:4"] == row[6:8]


def test_one_cause_on_many_models_is_one_row(report: Report, tmp_path: Path) -> None:
    """With its title instead of its name; accepted and known ones are folded, new ones are not."""
    first = report.findings[0]
    found = tuple(replace(first, model=model, name="x", quirks=("strips_text",)) for model in ("a", "b", "c"))
    source, page = page_of(replace(report, findings=found, members={}), tmp_path)
    causes = [attributes for _, attributes in page.tags if "cause" in str(attributes.get("class")).split()]
    assert [{"class": "cause new", "id": f"c-{cause_key(found[0])}"}] == causes
    assert f'<h3 class="c-title">{quirks.get("strips_text").title}</h3>' in source
    assert "3 models" in page.text
    assert '<details class="group' not in source
    accepted = tuple(replace(finding, accepted=True, reason="why") for finding in found)
    assert '<details class="group accepted"' in page_of(replace(report, findings=accepted, members={}), tmp_path)[0]


def test_a_cause_in_part_says_so_wherever_it_is_told(report: Report, tmp_path: Path) -> None:
    """Among what is new, and with its symptom, its cause and its fix."""
    part = replace(report.findings[0], quirks=("keeps_case",), status="in part", known="", reason="")
    source, _ = page_of(replace(report, findings=(part, *report.findings[1:])), tmp_path)
    assert "fits in part, " in source
    assert "Where this is the cause: " in source
    assert source.count("(in part: something is left that this cause does not explain)") >= 2


def test_truncated_and_interrupted_runs_say_so(report: Report, tmp_path: Path) -> None:
    """A report that is not whole is not shown as if it were."""
    assert "truncated" in page_of(replace(report, footer=None), tmp_path)[1].text
    assert "interrupted" in page_of(replace(report, footer=Footer("interrupted", 1.0)), tmp_path)[1].text
    assert "truncated" not in page_of(report, tmp_path)[1].text


def test_size_is_bounded(report: Report, tmp_path: Path) -> None:
    """Ten thousand mismatches with long texts make no large page; each has its row, and what is more is counted."""
    many = tuple(mismatch(b"%d " % n + b"x" * 3000) for n in range(10_000))
    finding = replace(report.findings[0], mismatches=len(many), smallest=many[0])
    key = finding.model, finding.name
    large = replace(report, mismatches=many, findings=(finding,), members={key: tuple(range(len(many)))})
    source, page = page_of(large, tmp_path)
    data = len(source.partition('id="data">')[2].partition("</script>")[0])
    assert data < 180 * len(many)
    assert len(source) - data < 200_000
    assert "9,996 more" in page.text
    assert "10,000 of these 10,000 are on this page" in page.text


def test_what_was_made_smaller_is_stored_and_not_counted(report: Report, tmp_path: Path) -> None:
    """So the page says how many of those that were counted are stored; what vanished is told in words."""
    first = report.mismatches[0]
    smaller = replace(first, case=replace(first.case, origin=first.case.origin._replace(shrunk=True)))
    pairs = (replace(report.pairs[1], mismatches=50),)
    gone = (Vanished("nai-t5", "tokenizers", "omits_bos", "so"), Vanished("nai-t5", "e", "ids on <x>", "so"))
    few = replace(report, pairs=pairs, mismatches=(first, smaller), findings=(), members={}, vanished=gone)
    text = page_of(few, tmp_path)[1].text
    said = "The run counted 50 mismatches, stored 1 of them (--keep stores more), and shortened the texts of 1 more."
    assert f"{said} 2 of these 2 are on this page." in text
    assert "omits_bos" not in text
    assert quirks.get("omits_bos").title in text
    assert "ids on <x>" in text


def test_a_wrong_file_and_its_repair_come_first(report: Report, tmp_path: Path) -> None:
    """The keys are the heading, the command can be copied; what is wrong and accepted is told as that."""
    wrong = FileFault("nai-t5", "my model.gguf", "t.json", "tokenizer.ggml.pre", "<b>", "gpt-2")
    fine = replace(wrong, key="tokenizer.ggml.add_bos_token", value="true", should="false", reason="we want it")
    source, page = page_of(replace(report, faults=(wrong, fine)), tmp_path)
    heading = "Your GGUF is wrong: tokenizer.ggml.pre is &lt;b&gt;, should be gpt-2. The command below repairs it."
    assert f"<h1>{heading}</h1>" in source
    command = "tokparity doctor 'my model.gguf' --against t.json --write fixed.gguf"
    assert command in page.text.partition("What is wrong in the file")[0]
    assert "we want it" in page.text


def test_known_ways_are_counted_and_not_where_they_were_met(report: Report) -> None:
    """One thing that an engine does on two models is one way, also in the verdict; two that meet in a text are two."""
    first, seen = (
        report.findings[0],
        [("one", ("omits_bos",)), ("two", ("omits_bos",)), ("two", ("omits_bos", "omits_eos"))],
    )
    found = [replace(first, engine="e", quirks=names, known="so", model=model) for model, names in seen]
    told = verdict(replace(report, findings=tuple(found))).sentence
    assert told.endswith("e has 2 known deviations.")


def test_a_green_says_that_time_was_up(report: Report) -> None:
    """Whoever reads only the sentence learns that not all texts were compared."""
    late = replace(report, findings=(), vanished=(), footer=Footer("time", 1.0))
    files = replace(late.pairs[0], engine="e-x", source="m.gguf", compares_files=True, cases=9, equal=9)
    alike = "All engines agree with the models' oracles on all texts that were run"
    assert f"{alike} before time was up." == verdict(late).sentence
    assert f"{alike}." == verdict(replace(late, footer=Footer("complete", 1.0))).sentence
    assert verdict(replace(late, pairs=(*late.pairs, files))).sentence.endswith(
        "(9 cases compared before time was up)."
    )


def test_code_in_a_sentence_is_code_and_nothing_else() -> None:
    """What stands between back-quotes, made harmless like the rest."""
    assert "<code>a &lt;b&gt;</code> is &lt;i&gt;" == with_code("`a <b>` is <i>")
    assert "no code" == with_code("no code")


def test_rows_that_have_no_room_are_counted(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says exactly how many it shows, and every cause keeps some."""
    monkeypatch.setattr("tokparity.report.render.rows._ROOM", 3000)
    source, page = page_of(large_report(400, 8), tmp_path)
    data = data_of(source)
    assert 8 == len({row[2] for row in data["rows"]})
    assert 8 <= len(data["rows"]) < 30
    assert f"{len(data['rows'])} of these 400 are on this page" in page.text


@pytest.mark.parametrize(
    ("wrong", "expected"), [(0, 0), (1, 1), (99, 1), (100, 2), (1_000, 3), (10_000, 4), (100_000, 5), (1_000_000, 5)]
)
def test_heat_grows_by_orders_of_magnitude(wrong: int, expected: int) -> None:
    """The colour of a cell is the order of magnitude of the share that differs."""
    assert expected == heat(Pair("m", "e", "o", cases=1_000_000, equal=1_000_000 - wrong, mismatches=wrong))
