"""Every signal but SIGKILL leaves no process and no temporary folder; what SIGKILL leaves is swept later."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import tokparity
from tests.processes import children, left, noted
from tests.report.test_cut import mismatch
from tests.rings import nightly_but
from tokparity.cli import exit_codes, main, signals
from tokparity.cli.signals import ended_by_signals
from tokparity.engines.process import temporary
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.report.file import ReportWriter, read
from tokparity.report.model import Header

TOKPARITY = [sys.executable, "-m", "tokparity"]
TESTS = Path(__file__).parents[1]
PATH = os.pathsep.join([str(Path(tokparity.__file__).parents[1]), str(TESTS)])
HANGS = "fake_engines:HangsOpening"
CHECK = ["check", "small-bpe", "--engine", "llama.cpp", "--cases", "2000000", "--corpus", "prompts"]
SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT]


def started(tmp_path: Path, *words: str) -> subprocess.Popen[bytes]:
    """A command whose temporary files go to the test's own folder, where its engines note their process."""
    (tmp_path / "tmp").mkdir(exist_ok=True)
    places = {"TMPDIR": str(tmp_path / "tmp"), "FAKES_NOTE": str(tmp_path / "note"), "PYTHONPATH": PATH}
    # Under nohup a hang-up stays ignored, as it should; here it is not.
    was = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        return subprocess.Popen([*TOKPARITY, *words], env={**os.environ, **places}, stdout=-1, stderr=-1, cwd=tmp_path)
    finally:
        signal.signal(signal.SIGHUP, was)


@pytest.mark.parametrize("sent", nightly_but(SIGNALS[:1], SIGNALS))
@pytest.mark.parametrize(
    "words", [["run", "--corpus", "t.txt"], pytest.param(["fuzz"], marks=pytest.mark.nightly)], ids=["run", "fuzz"]
)
def test_a_run_that_opens_models_ends_when_it_is_told(words: list[str], sent: signal.Signals, tmp_path: Path) -> None:
    """At once, with a report that says so."""
    (tmp_path / "t.txt").write_text("plain\n")
    with started(tmp_path, words[0], "small-spm", "--engine", HANGS, "--out", "out", *words[1:]) as child:
        pids = noted(tmp_path / "note")
        child.send_signal(sent)
        _, err = child.communicate(timeout=30)
    assert (128 + sent, b"") == (child.returncode, err if b"Traceback" in err else b"")
    report = read(tmp_path / "out" / "report.jsonl")
    assert report.footer is not None
    assert "interrupted" == report.footer.ended
    assert [] == left(pids)
    assert [] == list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize("sent", nightly_but([signal.SIGHUP], [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1]))
def test_a_command_that_opens_a_model_leaves_nothing(sent: signal.Signals, tmp_path: Path) -> None:
    """Neither a process nor a folder."""
    for words in (["encode", "small-spm", "--engine", HANGS, "text"], ["diff", "small-spm", "--engine", HANGS, "text"]):
        (tmp_path / "note").unlink(missing_ok=True)
        with started(tmp_path, *words) as child:
            pids = noted(tmp_path / "note")
            child.send_signal(sent)
            assert (b"", b"") == child.communicate(timeout=30)
        assert 128 + sent == child.returncode
        assert [] == left(pids)
        assert [] == list((tmp_path / "tmp").iterdir())


def test_doctor_leaves_nothing(tmp_path: Path) -> None:
    """Told to end while its engines are asked: the folder with the source as a GGUF goes, and so do the engines."""
    assert exit_codes.FINE == main(["convert", "small-bpe", "--to", "gguf", "-o", str(tmp_path / "x.gguf")])
    with started(tmp_path, "doctor", "x.gguf", "--against", "small-bpe") as child:
        until = time.monotonic() + 60
        while not (below := children(child.pid)) and child.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert list((tmp_path / "tmp").iterdir())
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=30)
    assert exit_codes.TERMINATED == child.returncode
    assert [] == list((tmp_path / "tmp").iterdir())
    assert below
    assert [] == left(below)


def test_what_a_killed_process_left_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the next one, but not what is still in use, nor what is none of ours."""
    monkeypatch.setattr(temporary, "_SECONDS", -1.0)
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom tokparity.engines.process.temporary import TemporaryFolder\n"
    )
    script += "TemporaryFolder(Path(sys.argv[1])); keep = TemporaryFolder(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    killed = subprocess.run([sys.executable, "-c", script, str(tmp_path)], env={**os.environ, "PYTHONPATH": PATH})
    assert -signal.SIGKILL == killed.returncode
    (left,) = tmp_path.iterdir()
    (tmp_path / "tokparity-of-the-user").mkdir()
    (tmp_path / "tokparity-of-the-user" / "notes").touch()
    (tmp_path / f"{temporary.PREFIX}before-its-lock").mkdir()
    (tmp_path / f"{temporary.PREFIX}link").symlink_to(tmp_path / "tokparity-of-the-user")
    with TemporaryFolder(tmp_path) as ours:
        assert not left.exists()
        with TemporaryFolder(tmp_path):
            assert Path(ours).exists()
    assert ["tokparity-link", "tokparity-of-the-user"] == sorted(path.name for path in tmp_path.iterdir())


def test_a_command_sweeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever comes next."""
    monkeypatch.setattr(temporary, "_SECONDS", -1.0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = tmp_path / f"{temporary.PREFIX}left"
    left.mkdir()
    (left / ".in-use").touch()
    assert exit_codes.FINE == main(["engines"])
    assert not left.exists()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("before", [signal.SIG_IGN, signal.default_int_handler])
def test_a_second_signal_says_what_is_kept(
    sent: signal.Signals, before: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It does not wait for the report; what was found is on the disk, and is told of. A shell may have it ignored."""
    writer = ReportWriter(tmp_path / "r.jsonl", Header("test", "", {}, {}, 0, (), ""))

    def told_twice() -> None:
        with ended_by_signals(writer.kept) as stop:
            writer.mismatch(mismatch())
            signal.raise_signal(sent)
            assert sent == stop.signal
            signal.raise_signal(sent)  # at once: the same, sent to the process and to its group
            time.sleep(1.1 * signals._SAME)
            signal.raise_signal(sent)

    was = signal.signal(signal.SIGINT, before)
    try:
        with pytest.raises(SystemExit) as ended:
            told_twice()
    finally:
        signal.signal(signal.SIGINT, was)
    assert 128 + sent == ended.value.code
    kept = f"the mismatches that were found until then, 1, are kept in '{tmp_path / 'r.jsonl'}'"
    assert f"interrupted a second time, so the command ended at once: {kept}" in capsys.readouterr().err
    assert 1 == len(read(tmp_path / "r.jsonl").mismatches)


@pytest.mark.nightly
@pytest.mark.parametrize("sent", nightly_but([signal.SIGINT], [signal.SIGINT, signal.SIGTERM]))
def test_a_signal_counts_where_a_shell_had_it_ignored(sent: signal.Signals, tmp_path: Path) -> None:
    """A script that starts `tokparity ... &` has SIGINT ignored in it, and may send it later all the same."""
    words = [*CHECK, "--out", str(tmp_path / "out")]
    command = f"{sys.executable} -m tokparity {' '.join(words)} & echo $!; wait $!; echo $?"
    with subprocess.Popen(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as shell:
        assert shell.stdout is not None
        number = int(shell.stdout.readline())
        report = tmp_path / "out" / "report.jsonl"
        until = time.monotonic() + 100
        while time.monotonic() < until and not (report.exists() and b'"pair"' in report.read_bytes()):
            time.sleep(0.1)
        os.kill(number, sent)
        out, _ = shell.communicate(timeout=100)
    assert "No verdict: the run was interrupted" in out
    assert str(128 + sent) == out.splitlines()[-1]


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("timeout") is None, reason="needs timeout(1)")
def test_who_is_ended_by_timeout_has_a_report(tmp_path: Path) -> None:
    """It signals its child, and then the group that the child is in: that is one signal, and not two."""
    words = [*CHECK, "--out", str(tmp_path / "out")]
    done = subprocess.run(["timeout", "--preserve-status", "8", *TOKPARITY, *words], capture_output=True, text=True)
    assert (143, True) == (done.returncode, "No verdict: the run was interrupted" in done.stdout), done.stderr
    assert "interrupted a second time" not in done.stderr
    footer = read(tmp_path / "out" / "report.jsonl").footer
    assert footer is not None
    assert "interrupted" == footer.ended
