"""How commands end: exit codes for what we did not foresee, for disks, closed outputs and signals; one line each."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import tokparity.cli
from tokparity.cli import arguments, commands, ending, exit_codes, main
from tokparity.errors import EngineError, FormatError, UsageError
from tokparity.report import file as report_file

TOKPARITY = [sys.executable, "-m", "tokparity"]
Fails = Callable[[BaseException], int]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fails:
    """Runs a command whose body raises what is given; its exit code. Temporary files go to the test's own folder."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(error: BaseException) -> int:
        def body(args: arguments.Arguments) -> int:
            raise error

        faulty = SimpleNamespace(**vars(commands()["engines"]) | {"main": body})
        monkeypatch.setattr(tokparity.cli, "commands", lambda: {"engines": faulty})
        return main(["engines"])

    return run


@pytest.mark.parametrize(
    ("error", "code"), [(UsageError("a", "b"), 2), (FormatError("a", "b"), 2), (EngineError("a", "b"), 3)]
)
def test_our_errors(error: Exception, code: int, fails: Fails, capsys: pytest.CaptureFixture[str]) -> None:
    """What we raise on purpose says its code."""
    assert code == fails(error)
    assert ("", "tokparity: error: a; b\n") == tuple(capsys.readouterr())


def test_an_internal_error_is_70_and_one_line(fails: Fails, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Type, message, and where the traceback was written to, which asks for a report."""
    assert exit_codes.INTERNAL == fails(ValueError("what\x1b[31m was\nthat"))
    (path,) = tmp_path.glob("tokparity-traceback-*.txt")
    told = f"tokparity: internal error: ValueError: what\\u001b[31m was that; please report it with {path}"
    assert ("", f"{told} (what TOKPARITY_TRACEBACK=1 shows)\n") == tuple(capsys.readouterr())
    kept = path.read_text()
    assert kept.startswith("Traceback (most recent call last):\n")
    assert "ValueError: what\\u001b[31m was\nthat\n" in kept


def test_an_internal_error_shows_its_traceback_on_demand(
    fails: Fails, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With TOKPARITY_TRACEBACK=1 on standard error, and no file."""
    monkeypatch.setenv("TOKPARITY_TRACEBACK", "1")
    assert exit_codes.INTERNAL == fails(RecursionError("deep"))
    lines = capsys.readouterr().err.splitlines()
    assert "tokparity: Traceback (most recent call last):" == lines[0]
    assert "tokparity: internal error: RecursionError: deep; please report it with the lines above" == lines[-1]
    assert [] == list(tmp_path.glob("tokparity-traceback-*"))


def test_an_internal_error_on_a_full_disk(
    fails: Fails, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the traceback can't be kept, the line says how to see it."""

    def full(**_: object) -> tuple[int, str]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    assert exit_codes.INTERNAL == fails(KeyError("x"))
    assert "please report it with what TOKPARITY_TRACEBACK=1 shows\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS], ids=errno.errorcode.get
)
def test_a_disk_that_cannot_be_written_is_74(
    number: int, fails: Fails, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line with the file and the system's reason."""
    monkeypatch.setattr(ending, "write_to_nowhere", lambda stream: None)  # standard output is pytest's
    assert exit_codes.UNWRITABLE == fails(OSError(number, os.strerror(number), "/big/fi\x1ble"))
    out, err = capsys.readouterr()
    assert "" == out
    assert f"cannot write to '/big/fi\\x1ble': {os.strerror(number)}; make room" in err
    assert 1 == err.count("\n")


def limited(*words: str) -> subprocess.CompletedProcess[bytes]:
    """The command where no file may have more than a kilobyte, which stands for a full disk."""
    command = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *TOKPARITY, *words]
    return subprocess.run(command, capture_output=True, timeout=120, check=False)


def test_a_file_that_cannot_be_written_is_74(tmp_path: Path) -> None:
    """Whatever writes it; but a folder that is not there is wrong usage."""
    report, texts = str(tmp_path / "out" / "report.jsonl"), str(tmp_path / "t.txt")
    Path(texts).write_text("plain\n")
    assert 0 == main(["run", "small-spm", "--engine", "reference", "--corpus", texts, "--out", str(tmp_path / "out")])
    for words in (["convert", "small-bpe", "--to", "gguf"], ["render", report, "--to", "html"]):
        done = limited(*words, "-o", str(tmp_path / "file"))
        assert (exit_codes.UNWRITABLE, 1) == (done.returncode, done.stderr.count(b"\n"))
        assert exit_codes.USAGE == main([*words, "-o", "/no/such/folder/file"])


@pytest.mark.parametrize("words", [["convert", "small-spm", "--to", "gguf", "-o"], ["doctor", "x.gguf", "--write"]])
def test_only_a_regular_file_is_replaced(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A device or a pipe that is named as the output stays what it is: a file would take its place."""
    monkeypatch.chdir(tmp_path)
    assert 0 == main(["convert", "small-spm", "--to", "gguf", "-o", "x.gguf"])
    os.mkfifo("pipe")
    against = ["--against", "small-spm"] if words[0] == "doctor" else []
    assert exit_codes.USAGE == main([*words, "pipe", *against])
    assert Path("pipe").is_fifo()
    assert "'pipe' is not a regular file" in capsys.readouterr().err


def test_a_report_beyond_the_limit_is_74(tmp_path: Path) -> None:
    """`ulimit -f`: one line."""
    argv = ["fuzz", "small-spm", "--cases", "300", "--engine", "reference+ignores_scores"]
    done = limited(*argv, "--out", str(tmp_path / "out"))
    errors = [line for line in done.stderr.splitlines() if b"error" in line]
    assert (exit_codes.UNWRITABLE, 1) == (done.returncode, len(errors)), done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(["run", "--engine", "reference+greedy_longest_match"], exit_codes.FINE, marks=pytest.mark.nightly),
        (["check", "--engine", "reference+greedy_longest_match", "--sarif", "found.sarif"], exit_codes.DIFFERENT),
        (["check", "--engine", "fake_engines:Refuses"], exit_codes.NO_VERDICT),
        pytest.param(
            ["fuzz", "--engine", "reference+greedy_longest_match"], exit_codes.DIFFERENT, marks=pytest.mark.nightly
        ),
    ],
    ids=["run", "check", "no verdict", "fuzz"],
)
def test_a_verdict_stands_when_nobody_reads_it(words: list[str], code: int, tmp_path: Path) -> None:
    """`tokparity check ... | head -1` ends with the code that it would have alone, in silence, and all is written."""
    (tmp_path / "few.txt").write_text("Dear Sir or Madam,\n", encoding="utf-8")
    texts = ["--cases", "200"] if words[0] == "fuzz" else ["--corpus", "few.txt", "--cases", "0"]
    command = [*TOKPARITY, words[0], "small-bpe", *words[1:], *texts, "--out", "out"]
    reads, writes = os.pipe()
    os.close(reads)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with open(writes, "w") as unread:
        done = subprocess.run(
            command, stdout=unread, stderr=subprocess.PIPE, cwd=tmp_path, env=environment, timeout=100, check=False
        )
    assert code == done.returncode, done.stderr
    assert (tmp_path / "out" / "index.html").exists()
    assert ("--sarif" in words) == (tmp_path / "found.sarif").exists()


def test_what_only_prints_ends_when_nobody_reads() -> None:
    """`tokparity encode ... - | head -1` does not go on for ever."""
    encode = f"{sys.executable} -m tokparity encode small-spm -"
    command = f"yes '\"a\"' | {encode} | head -1; echo ${{PIPESTATUS[1]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=100, check=False)
    assert (b"[1, 266]\n0\n", b"") == (done.stdout, done.stderr)


def test_other_system_errors_are_internal(fails: Fails) -> None:
    """A pipe to some other process that broke, a descriptor of ours that is bad: no reader of our output has gone."""
    assert exit_codes.INTERNAL == fails(BrokenPipeError(errno.EPIPE, "Broken pipe"))
    assert exit_codes.INTERNAL == fails(OSError(errno.EBADF, "Bad file descriptor"))


def test_ctrl_c_is_130(fails: Fails, capsys: pytest.CaptureFixture[str]) -> None:
    """As a shell gives it; one line says why there is no report."""
    assert exit_codes.INTERRUPTED == fails(KeyboardInterrupt())
    assert ("", "tokparity: interrupted before there was anything to report\n") == tuple(capsys.readouterr())


@pytest.mark.parametrize(
    "words", [["engines"], ["--help"], ["diff", "--help"], ["quirks", "--markdown"], ["--version"]]
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_standard_output_is_74(words: list[str]) -> None:
    """One line, and nothing more when the interpreter ends."""
    with open("/dev/full", "w") as full:
        done = subprocess.run([*TOKPARITY, *words], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    said = b"tokparity: error: cannot write to an output or a disk: No space left on device; "
    assert (exit_codes.UNWRITABLE, 1) == (done.returncode, done.stderr.count(b"\n"))
    assert done.stderr.startswith(said)


def test_a_closed_standard_output_is_74() -> None:
    """It is told before any work is done."""
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *TOKPARITY, "engines"], stderr=subprocess.PIPE, timeout=60, check=False
    )
    assert exit_codes.UNWRITABLE == done.returncode
    assert b"tokparity: error: standard output is closed; to discard the output, add > /dev/null\n" == done.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("encode", "small-spm", "--engine", "reference", "-"), exit_codes.USAGE),
        (("decode", "small-spm", "--engine", "reference", "-"), exit_codes.USAGE),
        (("encode", "small-spm", "--engine", "tokenizers", "a"), exit_codes.FINE),
    ],
)
def test_a_closed_standard_input_is_told_where_it_is_read(words: tuple[str, ...], code: int) -> None:
    """A command that reads it says so; engines and all else work without it."""
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *TOKPARITY, *words]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (code, code == exit_codes.USAGE) == (done.returncode, b"standard input is closed; send" in done.stderr)


def test_a_closed_standard_error_is_no_fault() -> None:
    """The exit code still tells."""
    command = ["sh", "-c", 'exec "$@" 2>&-', "sh", *TOKPARITY, "enginse"]
    assert exit_codes.USAGE == subprocess.run(command, stdout=subprocess.DEVNULL, timeout=60, check=False).returncode


def test_sigterm_closes_what_was_opened(tmp_path: Path) -> None:
    """143, as a shell gives it, after the command's own cleaning up."""
    (tmp_path / "waits.py").write_text(
        "import sys, time, tokparity.cli\nfrom types import SimpleNamespace\n"
        "def body(args):\n"
        "    try:\n        print('here', flush=True); time.sleep(60)\n"
        "    finally:\n        print('cleaned up')\n"
        "waiting = SimpleNamespace(**vars(tokparity.cli.commands()['engines']) | {'main': body})\n"
        "tokparity.cli.commands = lambda: {'engines': waiting}\n"
        "sys.exit(tokparity.cli.main(['engines']))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(tokparity.__file__).parents[1])}
    command = [sys.executable, str(tmp_path / "waits.py")]
    with subprocess.Popen(command, stdout=-1, stderr=-1, env=environment) as child:
        assert child.stdout is not None
        assert b"here\n" == child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        assert (b"cleaned up\n", b"") == child.communicate(timeout=30)
    assert exit_codes.TERMINATED == child.returncode
    assert signal.SIG_DFL == signal.getsignal(signal.SIGTERM)


@pytest.mark.parametrize("words", [["run"], ["fuzz"]])
def test_the_report_has_the_words_that_were_given(words: list[str], tmp_path: Path) -> None:
    """Also where `main` was called from Python, whose own command line is another."""
    argv = [*words, "small-spm", "--engine", "sentencepiece", "--cases", "1", "--out", str(tmp_path / "out")]
    if words == ["run"]:
        (tmp_path / "t.txt").write_text("plain\n")
        argv += ["--corpus", str(tmp_path / "t.txt")]
    assert 0 == main(argv)
    assert ("tokparity", *argv) == report_file.read(tmp_path / "out" / "report.jsonl").header.command
