"""A disk that is full, a folder that is taken away, an error output that nobody takes: what was found is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.hostile.disks import COMMANDS, mounting, on_full_disk, prepare, what_broke
from tests.rings import nightly_but
from tokparity.cli import exit_codes
from tokparity.models.record import EMBEDDED
from tokparity.report import file as report_file

FUZZ = ("fuzz", "small-spm", "--engine", "reference+greedy_longest_match", "--seconds", "60", "--out", "out")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the commands read."""
    folder = tmp_path_factory.mktemp("prepared")
    prepare(folder)
    return folder


@pytest.mark.parametrize("kilobytes", nightly_but([8], [8, 100]), ids="{} kB".format)
@pytest.mark.parametrize("name", nightly_but(["check", "fuzz", "doctor", "cache"], COMMANDS))
def test_a_full_disk(name: str, kilobytes: int, prepared: Path, tmp_path: Path) -> None:
    """One line, exit 74, and what was found is kept; a cache that can't be written is done without."""
    for path in prepared.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    ended = on_full_disk(COMMANDS[name], kilobytes, tmp_path)
    assert "" == what_broke(ended, COMMANDS[name])
    if kilobytes == 8:
        assert (exit_codes.FINE if name == "cache" else exit_codes.UNWRITABLE) == ended.code


@pytest.mark.skipif(not mounting(), reason="nothing may be mounted here")
@pytest.mark.parametrize(
    "words",
    [
        ["check", "--update", "--cases", "8", "--corpus", "t.txt", "--out", "{out}"],
        ["check", "--cases", "8", "--corpus", "t.txt", "--out", "out"],
        ["check", "--cases", "8", "--corpus", "t.txt", "--out", "{out}", "--junit", "j.xml"],
        ["convert", "small-bpe", "--to", "gguf", "-o", "x.gguf"],
        ["record", "reference", "small-spm", "--cases", "8", "--corpus", "t.txt", "-o", "x.parquet"],
    ],
    ids=["update", "out", "junit", "convert", "record"],
)
def test_a_disk_that_is_only_read(words: list[str], tmp_path: Path) -> None:
    """One line that says what cannot be written, exit 74, whatever it is that would be written."""
    disk = tmp_path / "disk"
    disk.mkdir()
    shutil.copy(EMBEDDED / "small-bpe.json", disk / "tokenizer.json")
    (disk / "t.txt").write_text("two  spaces\n")
    engine = "reference+collapses_spaces"
    (disk / "tokparity.toml").write_text(f'[models.toy]\ntokenizer-json = "tokenizer.json"\nengines = ["{engine}"]\n')
    script = 'mount --bind . . && mount -o remount,ro,bind . && cd . && cd "$PWD" && "$@"'
    command = [sys.executable, "-m", "tokparity", *(word.format(out=tmp_path / "out") for word in words)]
    shell = [*mounting(), "sh", "-c", script, "sh", *command]
    done = subprocess.run(shell, cwd=disk, capture_output=True, text=True, timeout=300, env=_with_package())
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    assert (exit_codes.UNWRITABLE, 1) == (done.returncode, len(errors)), done.stderr
    assert " write " in errors[0]
    assert "Read-only file system" in errors[0]


def _with_package() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, map(os.path.abspath, sys.path)))}


@pytest.mark.parametrize("what", ["removed", "replaced"])
def test_a_folder_that_is_taken_away(what: str, tmp_path: Path) -> None:
    """The run ends at once with exit 74, and says where what was found is now."""
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    command = [sys.executable, "-m", "tokparity", *FUZZ]
    path = tmp_path / "out" / "report.jsonl"
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=-1, stderr=-1, text=True) as child:
        until = time.monotonic() + 60
        while not (path.exists() and path.read_bytes().count(b'"mismatch"') > 5) and time.monotonic() < until:
            time.sleep(0.05)
        before = path.read_bytes()
        (tmp_path / "out").rename(tmp_path / "away") if what == "replaced" else shutil.rmtree(tmp_path / "out")
        if what == "replaced":
            path.parent.mkdir()
            path.write_text("something else")
        out, err = child.communicate(timeout=60)
    (copy,) = (tmp_path / "tmp").iterdir()
    errors = [line for line in err.splitlines() if "error" in line]
    assert (exit_codes.UNWRITABLE, "", 1) == (child.returncode, out, len(errors))
    kept = report_file.read(copy)
    assert errors[0].endswith(
        f"'out/report.jsonl' was removed or replaced while it was written; {len(kept.mismatches)} mismatches that "
        f"were found before are kept in '{copy}'; run again"
    )
    assert copy.read_bytes().startswith(before)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "words",
    [
        ["enginse"],
        ["lint", "small-spm", "small-spm"],
        pytest.param(["fuzz", "small-spm", "--cases", "5"], marks=pytest.mark.nightly),
    ],
)
def test_a_full_standard_error_decides_nothing(words: list[str], tmp_path: Path) -> None:
    """The exit code is that of the command, and its output is whole."""

    def run(**errors: object) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "tokparity", *words]
        return subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, timeout=120, **errors)  # type: ignore[call-overload,no-any-return]

    with open("/dev/full", "wb") as full:
        done, right = run(stderr=full), run(stderr=subprocess.DEVNULL)
    assert right.returncode == done.returncode
    assert len(right.stdout) == len(done.stdout)
