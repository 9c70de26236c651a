"""Programs of a person's own stand in tables by the names of their files."""

from __future__ import annotations

import io

import pytest

from reports import mismatch
from tokparity.finding import Finding, Vote
from tokparity.outcome import Encoding
from tokparity.report.model import Header, Pair, Report
from tokparity.report.render.engine_names import shown_as
from tokparity.report.render.inert import console
from tokparity.report.render.text import parts


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("exec:/usr/bin/python3 /opt/port/mine.py", "exec:python3 mine.py"),
        ("exec:./mytok --model {gguf}", "exec:mytok --model {gguf}"),
        ("exec:../../build/tok -m models/a.json", "exec:tok -m a.json"),
        ("exec:tok --path=/a/b", "exec:tok --path=/a/b"),
        ("exec:node server.js", "exec:node server.js"),
    ],
)
def test_folders_are_left_out(name: str, short: str) -> None:
    """What is left tells the program; an option stays whole."""
    assert {name: short} == shown_as([name])


def test_other_engines_have_no_other_name() -> None:
    """Nor have two programs that would look the same."""
    assert {} == shown_as(["llama.cpp", "./adapter.py:Mine", "http://127.0.0.1:80", "tokenizers@0.20.3"])
    assert {} == shown_as(["exec:a/tok", "exec:b/tok"])


def test_the_terminal_shows_the_short_name_everywhere() -> None:
    """In the matrix, in the verdict, in a finding's name, before its ids and in the votes."""
    engine = "exec:/folder/python /folder/port/mine.py"
    shown = mismatch(b"\n", actual=Encoding((7,)), engine=engine)
    vote = Vote((engine,), 1, shown.actual)
    right = Vote((shown.oracle, "tokenizers"), 2, shown.expected)
    finding = Finding(
        f"{engine}-other", shown.model, engine, shown.oracle, "unexplained", shown, 1, votes=(right, vote)
    )
    pairs = (Pair(shown.model, engine, shown.oracle, cases=1, mismatches=1),)
    report = Report(Header("", "", {engine: ""}, {}, 0, (), ""), pairs, (shown,), (finding,))
    file = io.StringIO()
    for part in parts(report):
        console(file=file, width=100, color_system=None).print(part)
    said = file.getvalue()
    assert "/opt" not in said
    assert "exec:python mine.py-other" in said
    assert "exec:python mine.py is alone" in said
