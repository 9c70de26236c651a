"""Reports on disk: what is written comes back, a run that was killed can be read, a newer format is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tokparity.case import Origin, text_case
from tokparity.cli import main
from tokparity.cli.report_files import directory
from tokparity.difference import Difference
from tokparity.errors import FormatError, UsageError
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding, Failure
from tokparity.report import file
from tokparity.report.file import ReportWriter, read
from tokparity.report.model import Footer, Header, Pair, Report, Vanished

HEADER = Header("0.1.0", "15.0", {"e": "1"}, {"m": {"f": "00"}}, 7, ("tokparity", "run"), "now", {"m": ("--gguf", "f")})
MISMATCHES = (
    Mismatch(
        text_case(b"\xff\x00", False, True, Origin("generator", "g", 1, 7)),
        "m", "e", "o", Encoding((1, -2), b"\xfe"), Encoding((), None),
        Difference("ids"), (b"\xc3", "▁".encode()), (),
    ),
    Mismatch(
        text_case("é\u2028".encode()), "m", "e", "o", Encoding((1,)), Failure("crash", "gone", 6),
        Difference("failure", failure="crash"),
    ),
)  # fmt: skip
FINDING = Finding(
    "e-x", "m", "e", "o", "ambiguous", MISMATCHES[0], 2, 5, ("q",), (("r", "s"),), "37 of 41", True, "why"
)
PAIR = Pair("m", "e", "o", "1", "f", cases=9, equal=6, mismatches=1, failures=1, unsupported=1, not_stored=3)


def write(path: Path, close: bool = True) -> None:
    """A small report."""
    writer = ReportWriter(path, HEADER)
    for mismatch in MISMATCHES:
        writer.mismatch(mismatch)
    writer.finding(FINDING, [0, 1])
    writer.vanished(Vanished("m", "e", "ids on x", "known"))
    writer.note("corpus cldr was left out")
    writer.pair(replace(PAIR, cases=1))
    writer.pair(PAIR)
    if close:
        writer.close(Footer("complete", 1.5))
    else:
        writer.flush()


def test_the_folder_of_a_report_is_the_report(report: Report, tmp_path: Path) -> None:
    """For whoever reads one, and for the commands that take one; of a folder without one that is said."""
    file.write(report, tmp_path / "report.jsonl")
    assert read(tmp_path / "report.jsonl") == read(tmp_path)
    assert 0 == main(["render", str(tmp_path), "--to", "csv", "-o", str(tmp_path / "pairs.csv")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"cannot read '.*empty/report\.jsonl': No such file or directory"):
        read(tmp_path / "empty")


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    """Every noun is equal to what it was; of several counts of a pair the last one holds."""
    write(tmp_path / "r.jsonl")
    report = read(tmp_path / "r.jsonl")
    assert HEADER == report.header
    assert MISMATCHES == report.mismatches
    assert (FINDING,) == report.findings
    assert (PAIR,) == report.pairs
    assert (Vanished("m", "e", "ids on x", "known"),) == report.vanished
    assert ("corpus cldr was left out",) == report.notes
    assert ("e-x", "e-x") == report.finding_names()
    assert Footer("complete", 1.5) == report.footer
    assert not report.truncated


def test_a_line_of_more_values_than_a_report_has_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each value takes much more memory than two bytes of the file; where memory ends, that is told as well."""
    monkeypatch.setattr("tokparity.report.json_lines.MOST_VALUES", 1000)
    path = tmp_path / "report.jsonl"
    path.write_bytes(b'{"type": "header", "a": [' + b"[]," * 1000 + b"0]}\n")
    with pytest.raises(FormatError, match=r"line 1 has 3,0\d\d bytes and about 2,00\d values, which is too many"):
        read(path)
    monkeypatch.undo()

    def full(line: bytes) -> object:
        raise MemoryError

    monkeypatch.setattr("tokparity.report.json_lines.json.loads", full)
    with pytest.raises(FormatError, match=r"line 1 has 3,0\d\d bytes, which take more memory than there is"):
        read(path)


def test_without_a_footer_it_is_truncated(tmp_path: Path) -> None:
    """What was found until then is there."""
    write(tmp_path / "r.jsonl", close=False)
    report = read(tmp_path / "r.jsonl")
    assert (True, MISMATCHES) == (report.truncated, report.mismatches)


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_last_line_that_was_cut_is_left_out(tmp_path: Path, cut: int) -> None:
    """Wherever a kill fell, the lines before it are read."""
    path = tmp_path / "r.jsonl"
    write(path)
    path.write_bytes(path.read_bytes()[:-cut])
    report = read(path)
    assert MISMATCHES == report.mismatches
    assert (cut > 1) == report.truncated


def test_kill_leaves_a_readable_report(tmp_path: Path) -> None:
    """A real `kill -9` after a flush loses nothing that was found."""
    path = tmp_path / "r.jsonl"
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[2]); from pathlib import Path; import test_report_file;"
        "test_report_file.write(Path(sys.argv[1]), close=False); print('written', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, str(path), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"written\n" == process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
    assert (True, MISMATCHES) == (read(path).truncated, read(path).mismatches)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    """The message says both versions and what to install."""
    path = tmp_path / "r.jsonl"
    write(path)
    first, _, rest = path.read_text().partition("\n")
    path.write_text(json.dumps(json.loads(first) | {"format": 99, "tokparity": "9.1"}) + "\n" + rest)
    with pytest.raises(FormatError, match=r"format 99.*tokparity 9\.1"):
        read(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}",
        b"no json",
        b'{"type": "header"}',
        b"[1]\n[2]\n",
        b"\xff\xfe",
        b'{"type":"header","format":1}\n',
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: bytes) -> None:
    """Each is one of our errors, never a traceback."""
    (tmp_path / "r.jsonl").write_bytes(content)
    with pytest.raises(FormatError):
        read(tmp_path / "r.jsonl")


def test_a_damaged_line_in_the_middle_is_told(tmp_path: Path) -> None:
    """Only the last line may be cut."""
    path = tmp_path / "r.jsonl"
    write(path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], lines[1][:40], *lines[2:]]))
    with pytest.raises(FormatError, match="line 2"):
        read(path)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    """Reading and writing say which file, and why."""
    with pytest.raises(FormatError, match="No such file"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="cannot write"):
        ReportWriter(tmp_path / "no" / "r.jsonl", HEADER)


def test_two_commands_do_not_write_one_report(tmp_path: Path) -> None:
    """The second one says so, and the first one's lines stay whole."""
    path = tmp_path / "r.jsonl"
    writer = ReportWriter(path, HEADER)
    writer.note("ours")
    for opened in (lambda: ReportWriter(path, HEADER), lambda: ReportWriter.resume(path)):
        with pytest.raises(UsageError, match="is being written to by another command"):
            opened()
    writer.close(Footer("complete", 0.0))
    assert ["ours"] == list(read(path).notes)
    ReportWriter(path, HEADER).close(Footer("complete", 0.0))
    assert [] == list(read(path).notes)


def test_each_report_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where two commands begin in the same second."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.strftime", lambda format: "today")
    assert ["reports/today", "reports/today-2", "reports/today-3"] == [str(directory(None)) for _ in range(3)]
