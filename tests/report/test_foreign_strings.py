"""No string of a report acts where it is printed: whatever field it stands in, and whoever prints it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from reports import nasty_report
from tests.hostile.foreign_strings import ACTING, POISON, acting, acting_files, poisoned_report
from tokparity.cli import main
from tokparity.finding import Control, Finding
from tokparity.outcome import Encoding
from tokparity.report import render
from tokparity.report.file import read, write
from tokparity.report.keys import finding_keys
from tokparity.report.model import FileFault, Report, Vanished
from tokparity.report.render import issue
from tokparity.report.render.github import annotation_lines
from tokparity.report.render.markup import cell

FEW = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
RICH = {"known": "known", "reason": "reason", "nearest": "nearest", "why_unexplained": "nothing does"}


def full_report() -> Report:
    """The nasty report, with what else a report can hold."""
    found = nasty_report()
    first, *others = found.findings
    rich = replace(first, **RICH, quirks=("omits_bos",), alternatives=(("adds_eos", "omits_eos"),), status="verified")
    mismatch = found.mismatches[0]
    return replace(
        found,
        header=replace(
            found.header,
            places={"nai-t5": ("tokparity.toml", 3)},
            origins={"nai-t5": {"nai-t5.model": "https://example.org/"}},
            environments={"tokenizers": ("Python 3", "tokenizers==1")},
        ),
        findings=(rich, *others),
        members={(rich.model, rich.name): (0,)} | {(f.model, f.name): found.members[f.model, f.name] for f in others},
        vanished=(Vanished("nai-t5", "tokenizers", "what", "reason", 0),),
        faults=(FileFault("nai-t5", "m.gguf", "m.model", "tokenizer.ggml.pre", "llama", "gpt-2"),),
        notes=("nai-t5: put 3 of 5 texts", "a note"),
        controls=(Control(mismatch.case, "nai-t5", "tokenizers", Encoding((1,))),),
    )


@FEW
@given(poison=POISON)
def test_nothing_of_a_report_acts_in_any_format(poison: str) -> None:
    """Every renderer's file, the annotations, the site with its feed, and the report itself."""
    report = poisoned_report(full_report(), poison)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(report, folder / "report.jsonl")
        again = read(folder / "report.jsonl")
        for format, renderer in render.modules().items():
            for file in renderer.FILES if format != issue.NAME else ():
                render.render(format, again, folder / file)
        for number, key in enumerate(finding_keys(again.findings)):
            issue.render(again, folder / f"issue-{number}.md", key)
        assert ["" for _ in annotation_lines(again)] == [acting(line) for line in annotation_lines(again)]
        assert 0 == main(["site", str(folder / "report.jsonl"), "-o", str(folder / "site")])
        assert [] == acting_files(folder)


@pytest.mark.parametrize("poison", ["\x1b[31m", "\r", "\x07", "\x9b\udc80", "\u202e\u2066"])
def test_nothing_of_a_report_acts_in_a_terminal(
    poison: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What every command that reads reports prints of them."""
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    report = poisoned_report(full_report(), poison)
    write(report, paths[0])
    write(replace(report, findings=report.findings[:1]), paths[1])
    single = [name for name, renderer in render.modules().items() if len(renderer.FILES) == 1]
    commands = [["render", str(paths[0]), "--to", name, "-o", "-"] for name in single]
    commands += [
        ["compare", *map(str, paths)],
        ["diagnose", str(paths[0])],
        ["site", str(paths[0]), "-o", str(tmp_path / "s")],
    ]
    commands += [["render", str(paths[0]), "--to", "issue", "--finding", poison, "-o", "-"]]
    for words in commands:
        assert main(words) in (0, 1, 2, 3), words
        said = capsys.readouterr()
        assert ("", "") == (acting(said.out), acting(said.err)), words


def test_every_field_that_holds_text_is_poisoned() -> None:
    """The test itself sees what it is to see: no string of a poisoned report is left as it was."""
    report = poisoned_report(full_report(), "\x1b")
    assert all("\x1b" in name for name in (*report.header.engines, *report.models(), *report.notes))
    assert all(
        "\x1b" in f.reason and "\x1b" in f.why_unexplained and "\x1b" in f.quirks[0] for f in report.findings[:1]
    )
    assert all("\x1b" in m.case.origin.name and b"\x1b" in m.expected_pieces[0] for m in report.mismatches)
    assert all(ACTING.search(pair.source) and ACTING.search(pair.version) for pair in report.pairs)
    assert isinstance(report.findings[0], Finding)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://evil.org", "http\\://evil.org"),
        ("www.evil.org", "www\\.evil.org"),
        ("by @user", "by @<!-- -->user"),
        ("tokenizers@0.23.3", "tokenizers@0.23.3"),
    ],
)
def test_no_word_of_an_engine_is_a_link(text: str, shown: str) -> None:
    """An error's message is a title, in which Markdown would take an address for a link by itself."""
    assert shown == cell(text)
