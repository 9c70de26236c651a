"""One finding as an issue: the right finding, everything in it, and a script that runs with the library alone."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from reports import NASTY, mismatch
from tokparity.difference import Difference
from tokparity.errors import UsageError
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.report.keys import cause_key, finding_key
from tokparity.report.model import Report
from tokparity.report.render import issue
from tokparity.report.render.libraries import LIBRARIES
from tokparity.report.render.reproduction import script


def written(report: Report, folder: Path, key: str = "") -> str:
    """The issue."""
    issue.render(report, folder / "issue.md", key)
    return (folder / "issue.md").read_text(encoding="utf-8")


def explained(report: Report) -> Report:
    """The report with causes: one on two models, one on one."""
    found = [
        Finding("x", model, "tokenizers", "sentencepiece", "verified", mismatch(text, model), cases, 20, quirks)
        for model, text, cases, quirks in (
            ("nai-t5", b"a  b", 3, ("strips_text",)),
            ("other", b" b", 7, ("strips_text",)),
            ("other", b"c", 1, ("collapses_spaces",)),
        )
    ]
    return replace(report, findings=tuple(found), members={})


def test_a_finding_is_named_by_its_key_or_its_cause(report: Report, tmp_path: Path) -> None:
    """A cause is told where it has most cases; a key that is not there, and none where there are many, are errors."""
    report = explained(report)
    first, second, third = report.findings
    assert first == issue.chosen(report, finding_key(first))
    assert second == issue.chosen(report, cause_key(first))
    with pytest.raises(UsageError, match="no finding 'nosuchkey'"):
        issue.chosen(report, "nosuchkey")
    with pytest.raises(UsageError, match="the report has 3") as caught:
        written(report, tmp_path)
    assert finding_key(third) in caught.value.hint
    accepted = tuple(replace(finding, accepted=finding is not third) for finding in report.findings)
    assert third == replace(issue.chosen(replace(report, findings=accepted), ""), accepted=False)


def test_everything_is_in_it(report: Report, tmp_path: Path) -> None:
    """Title, versions, script, both outcomes, cause and fix, in this order."""
    report = explained(report)
    text = written(report, tmp_path, finding_key(report.findings[0]))
    headings = ["Minimal reproduction", "Expected", "Actual", "Cause", "Fix"]
    assert headings == [line[3:] for line in text.splitlines() if line.startswith("## ") and line != "## Links"]
    assert "- Version: tokenizers 0.23.3" in text
    assert "- Seen as well on other" in text
    assert "    tokenizer = Tokenizer.from_file('nai.json')" in text
    assert "    [3, 2, 196, 683, 2]" in text
    assert "tokparity diff --sentencepiece" in text


@pytest.mark.parametrize("text", NASTY)
def test_nothing_in_it_acts(report: Report, tmp_path: Path, text: bytes) -> None:
    """Texts stand in blocks by indentation or are escaped; what does not print is not printed."""
    finding = Finding("x", "nai-t5", "llama.cpp", "<b>", "unexplained", mismatch(text, engine="llama.cpp"), 1)
    lines = written(replace(report, findings=(finding,)), tmp_path).splitlines()
    assert [] == [line for line in lines if not line.isprintable()]
    assert [] == [line for line in lines if not line.startswith("    ") and "<" in line.replace("`", "")
                  and "`" not in line]  # fmt: skip


def test_an_engine_without_a_short_script_says_so(report: Report, tmp_path: Path) -> None:
    """The command is there instead, and why."""
    text = written(replace(report, findings=tuple(f for f in report.findings if f.engine == "=evil")[:1]), tmp_path)
    assert "There is no short script for =evil alone: its library needs more than the model's file" in text


def test_the_file_for_the_script_is_made_where_the_script_looks(report: Report, tmp_path: Path) -> None:
    """The command that the issue gives runs in an empty folder, also where the library wants a folder."""
    smallest = mismatch(b"a", "small-bpe", "transformers")
    finding = replace(report.findings[0], engine="transformers", model="small-bpe", smallest=smallest)
    pair = replace(report.pairs[1], model="small-bpe", engine="transformers", source="directory, exported by tokparity")
    text = written(replace(report, findings=(finding,), pairs=(pair,)), tmp_path)
    assert "AutoTokenizer.from_pretrained('./model')" in text
    (command,) = re.findall("`([^`]*tokparity convert [^`]*)` writes", text)
    ours = command.replace("tokparity", f"{sys.executable} -m tokparity")
    subprocess.run(["sh", "-c", ours], cwd=tmp_path, check=True, capture_output=True)
    assert {"tokenizer.json", "tokenizer_config.json", "config.json"} == {
        p.name for p in (tmp_path / "model").iterdir()
    }


def both(engine: str, text: bytes, expected: Encoding, actual: Encoding, difference: Difference) -> Mismatch:
    """A mismatch of an engine."""
    return mismatch(text, engine=engine, expected=expected, actual=actual, difference=difference)


@pytest.mark.parametrize("decodes", [False, True])
def test_the_script_runs_with_the_library_alone(tmp_path: Path, decodes: bool) -> None:
    """It prints what is expected and what the library gives, although the text is full of quotes."""
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    difference = Difference("decode", 0) if decodes else Difference("ids", 0)
    found = both("tokenizers", "a'b\"\\\n\u202e".encode(), Encoding((7,), b"x"), Encoding((8,), b"y"), difference)
    lines = script(found, "tokenizer.json, exported by tokparity")
    assert lines is not None
    assert not [line for line in lines if "tokparity" in line or not line.isascii()]
    command = [sys.executable, "-I", "-c", "\n".join(lines)]
    out = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True).stdout.splitlines()
    assert ("expected 'x'" if decodes else "expected [7]") == out[0]
    assert ("actual   '[UNK]'" if decodes else "actual   [0]") == out[1]


@pytest.mark.parametrize("engine", sorted(LIBRARIES))
def test_scripts_are_python(engine: str) -> None:
    """Of every library, for texts and for decoding; a text that the library cannot be given makes none."""
    for difference in (Difference("ids", 0), Difference("decode", 0)):
        lines = script(both(engine, b"a'\n", Encoding((1,), b"a"), Encoding((2,), b"b"), difference), "x.gguf")
        assert lines is not None
        compile("\n".join(lines), engine, "exec")
        assert len([line for line in lines if line]) <= 18
    takes_bytes = LIBRARIES[engine].takes_bytes
    invalid = both(engine, b"\xff", Encoding((1,)), Encoding((2,)), Difference("ids", 0))
    assert takes_bytes == (script(invalid, "x") is not None)


def test_what_does_not_come_again_has_no_script(report: Report, tmp_path: Path) -> None:
    """A script that asks once would show nothing; the command puts before it what must be asked before."""
    first = next(one for one in report.findings if one.is_new)
    stray = replace(first, unrepeatable="state", smallest=replace(first.smallest, after=(Encode(b"before"),)))
    told = written(replace(report, findings=(stray,)), tmp_path)
    assert "asked this alone, a new process may give the right ids" in told
    assert ("--after", False) == (next(w for w in told.split() if w == "--after"), "With nothing but" in told)


def test_a_file_that_anybody_can_get_is_named_with_where(report: Report, tmp_path: Path) -> None:
    """A reader without tokparity needs the file as well; one of the user's own has no such place."""
    report = explained(report)
    key = finding_key(report.findings[0])
    header = replace(report.header, models={"nai-t5": {"nai.gguf": "f0" * 32}})
    assert f"- File: `nai.gguf`, SHA-256 `{'f0' * 32}`\n" in written(replace(report, header=header), tmp_path, key)
    header = replace(header, origins={"nai-t5": {"nai.gguf": "models/nai.gguf in the source of x 1"}})
    assert f"`{'f0' * 32}`, from models/nai.gguf in the source of x 1\n" in written(
        replace(report, header=header), tmp_path, key
    )
