"""What a run, a check and a fuzz report: their numbers add up, and what they found comes again."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.few_texts import sought_on_few_texts
from tokparity.cli import main
from tokparity.finding import Mismatch
from tokparity.outcome import Decoding, Encoding, Failure, Spanning, Streaming
from tokparity.questions import Decode, Encode, Spans, Stream
from tokparity.report.file import read
from tokparity.report.model import Report
from tokparity.report.render.command import reproduce

BASH = shutil.which("bash")
TEXTS = "reference+greedy_longest_match"
BYTES = "reference+ignores_byte_fallback"
ROWS = "reference+hides_unknown_when_decoding"
COMMANDS = {
    "run": ("run", "small-bpe", "--engine", TEXTS, "--corpus", "prompts", "--cases", "0"),
    "check": (
        "check", "small-spm", "--engine", TEXTS, "--engine", ROWS, "--corpus", "control_characters", "--cases", "100",
    ),
    "fuzz": ("fuzz", "small-spm", "--engine", BYTES, "--engine", ROWS, "--cases", "1000", "--seed", "3"),
}  # fmt: skip


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[tuple[str, ...], Path]]:
    """For each command its words and the report that it wrote."""
    written = {}
    for name, words in COMMANDS.items():
        out = tmp_path_factory.mktemp(name)
        argv = (*words, "--out", str(out))
        with sought_on_few_texts():
            assert (0 if name == "run" else 1) == main(argv)
        written[name] = argv, out / "report.jsonl"
    return written


Reports = dict[str, tuple[tuple[str, ...], Path]]


def about(report: Report) -> list[tuple[object, ...]]:
    """What its findings say."""
    return sorted((f.model, f.engine, f.name, f.quirks, f.status, f.mismatches) for f in report.findings)


def is_whole(mismatch: Mismatch) -> bool:
    """Whether a text has ids for an answer, a row of ids has a text, and so on."""
    of = {Decode: Decoding, Stream: Streaming, Spans: Spanning}.get(type(mismatch.case.question), Encoding)
    return isinstance(mismatch.actual, (of, Failure)) and isinstance(mismatch.expected, (of, Failure))


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_pair_counts_is_what_its_findings_hold(reports: Reports, name: str) -> None:
    """Each stored mismatch is in one finding, no other is in any, and what was made smaller is not a further one."""
    report = read(reports[name][1])
    found = {(pair.engine, pair.found - pair.not_stored) for pair in report.pairs}
    told = {(p.engine, sum(f.mismatches for f in report.findings_of(p.model, p.engine))) for p in report.pairs}
    assert any(count for _, count in found)
    assert found == told


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_pair_counts_is_what_its_kinds_are(reports: Reports, name: str) -> None:
    """Mismatches are counted once by what they are, and stored or not stored."""
    report = read(reports[name][1])
    for pair in report.pairs:
        put = [m for m in report.mismatches if m.engine == pair.engine and not m.case.origin.shrunk]
        assert pair.found == sum(pair.kinds.values())
        assert pair.found == len(put) + pair.not_stored
        assert pair.cases == pair.equal + pair.mismatches + pair.failures + pair.unsupported + pair.unjudged


def test_a_run_makes_its_texts_smaller(reports: Reports) -> None:
    """A prompt of many words shows a fault that three characters show as well; so does a check."""
    for name in ("run", "check"):
        report = read(reports[name][1])
        smallest = [f.smallest.case.question for f in report.findings if f.engine == TEXTS]
        assert 0 < min(len(q.text.decode()) for q in smallest if isinstance(q, Encode)) <= 3
        assert any(mismatch.case.origin.shrunk for mismatch in report.mismatches)


def test_a_fuzz_leaves_what_a_diagnosis_needs(reports: Reports) -> None:
    """Cases on which each engine was right: texts, and rows of ids."""
    report = read(reports["fuzz"][1])
    for engine in (BYTES, ROWS):
        kinds = {type(control.case.question) for control in report.controls if control.engine == engine}
        assert {Encode, Decode} == kinds


@pytest.mark.parametrize("name", COMMANDS)
def test_a_stored_report_is_explained_alike(reports: Reports, name: str, tmp_path: Path) -> None:
    """`diagnose` gives the findings that the run gave, whoever wrote the report."""
    assert 0 == main(["diagnose", str(reports[name][1]), "--out", str(tmp_path)])
    before, after = read(reports[name][1]), read(tmp_path / "report.jsonl")
    assert about(before) == about(after)
    assert before.findings


@pytest.mark.parametrize("name", COMMANDS)
def test_texts_and_rows_of_ids_are_not_mixed(reports: Reports, name: str) -> None:
    """A row is decoded and a text encoded; what nothing explains is about one of the two."""
    report = read(reports[name][1])
    assert all(is_whole(mismatch) for mismatch in report.mismatches)
    for finding in report.findings:
        members = [report.mismatches[i] for i in report.members[finding.model, finding.name]]
        kinds = {type(member.case.question) for member in members}
        assert finding.quirks or len(kinds) == 1
        assert {finding.engine} == {member.engine for member in members}
    if name == "fuzz":
        assert {Decode} == {type(m.case.question) for m in report.mismatches if m.kind.startswith("row-")}


def shown(command: str) -> int:
    """The exit code of a command as a reader would run it."""
    if "|" not in command and "$'" not in command:
        return main(shlex.split(command)[1:])
    function = f'tokparity() {{ {shlex.quote(sys.executable)} -m tokparity "$@"; }}; {command}'
    return subprocess.run([str(BASH), "-c", function], capture_output=True, check=False, env=os.environ).returncode


def chosen(report: Report) -> Sequence[Mismatch]:
    """The smallest mismatch of each finding, and a few others of each engine."""
    few = [m for engine in report.engines() for m in [m for m in report.mismatches if m.engine == engine][::40][:3]]
    return [*(finding.smallest for finding in report.findings), *few]


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize("name", COMMANDS)
def test_commands_show_what_they_are_to_show(reports: Reports, name: str) -> None:
    """Each mismatch has a command, and it shows the mismatch: exit 1."""
    report = read(reports[name][1])
    commands = {reproduce(report, mismatch) for mismatch in chosen(report)}
    assert commands
    assert [] == [command for command in sorted(commands) if shown(command) != 1]


def test_a_row_of_ids_has_a_command(reports: Reports) -> None:
    """Its ids are to be decoded, before the engine and the oracle."""
    report = read(reports["fuzz"][1])
    rows = [m for m in report.mismatches if isinstance(m.case.question, Decode)]
    hidden = [m for m in rows if isinstance(m.case.question, Decode) and m.case.question.skip_special]
    assert hidden
    for mismatch in hidden:
        assert isinstance(mismatch.case.question, Decode)
        ids = list(mismatch.case.question.ids)
        if len(ids) < 500:
            command = f"tokparity diff small-spm --engine {mismatch.engine} --ids '{ids}'"
            assert command == reproduce(report, mismatch)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_header_has_the_words_that_were_given(reports: Reports, name: str) -> None:
    """Not those of the process in which the command ran."""
    argv, path = reports[name]
    assert ("tokparity", *argv) == read(path).header.command
