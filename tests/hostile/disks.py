"""Commands whose disk is full at some point: a tmpfs of few kilobytes where one may be mounted, else `ulimit -f`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random

from tests.hostile.leftovers import Marked
from tokparity.cli import exit_codes
from tokparity.errors import TokparityError
from tokparity.report import file as report_file

DEVIANT = ("small-spm", "--engine", "reference+greedy_longest_match", "--cases", "400")
COMMANDS = {
    "run": ("run", *DEVIANT, "--corpus", "t.txt", "--out", "{disk}/out"),
    "fuzz": ("fuzz", *DEVIANT, "--out", "{disk}/out"),
    "check": ("check", *DEVIANT, "--corpus", "t.txt", "--out", "{disk}/out", "--junit", "{disk}/junit.xml"),
    "convert": ("convert", "small-bpe", "--to", "gguf", "-o", "{disk}/x.gguf"),
    "doctor": ("doctor", "x.gguf", "--against", "small-bpe", "--write", "{disk}/fixed.gguf"),
    "render": ("render", "report.jsonl", "--to", "html", "-o", "{disk}/index.html"),
    "cache": ("encode", "small-spm", "--engine", "llama.cpp", "text"),
}
"""Each writes somewhere below {disk}; the last finds its cache there, which it can do without."""

# The disk is of this namespace alone; what was kept on it is copied before it goes.
_TMPFS = """
mount -t tmpfs -o size=$SIZE tmpfs "$DISK" || exit 99
"$@"; code=$?
cp -r "$DISK/." "$COPY"
exit $code
"""
_LIMITED = 'ulimit -f $BLOCKS; "$@"; code=$?; cp -r "$DISK/." "$COPY"; exit $code'


_TRIED = ("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", "/mnt")


@cache
def mounting() -> tuple[str, ...]:
    """What goes before a shell that may mount a tmpfs of its own; empty where that is not allowed."""
    for words in (("unshare", "-m"), ("unshare", "-rm")):
        try:
            done = subprocess.run(
                [*words, "mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", "/mnt"], capture_output=True
            )
        except OSError:
            continue
        if done.returncode == 0:
            return words
    return ()


@dataclass(frozen=True)
class Ended:
    """How a command on a full disk ended, and the copy of the disk."""

    code: int
    out: str
    err: str
    copy: Path
    left: Sequence[int] = ()


def on_full_disk(words: Sequence[str], kilobytes: int, folder: Path) -> Ended:
    """Run a command with a disk of so many kilobytes at {disk}."""
    disk, copy = folder / "disk", folder / "copy"
    for path in (disk, copy):
        path.mkdir()
    marked = Marked()
    places = {"DISK": str(disk), "COPY": str(copy), "SIZE": f"{kilobytes}k", "BLOCKS": str(2 * kilobytes)}
    if words == COMMANDS["cache"]:
        places["TOKPARITY_CACHE"] = str(disk)
    shell = [*mounting(), "sh", "-c", _TMPFS if mounting() else _LIMITED, "sh"]
    command = [*shell, sys.executable, "-m", "tokparity", *(word.format(disk=disk) for word in words)]
    environment = {**os.environ, **marked.environment, **places}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    return Ended(done.returncode, done.stdout, done.stderr, copy, marked.left())


def what_broke(ended: Ended, words: Sequence[str]) -> str:
    """Empty if it ended as it should: one line, exit 74, what was found is kept; or there was room enough."""
    errors = [line for line in ended.err.splitlines() if "error" in line]
    if "Traceback" in ended.err or "internal error" in ended.err or len(errors) > 1:
        return f"it said {ended.err[-300:]!r}"
    if ended.left:
        return f"{len(ended.left)} processes were left"
    found = (exit_codes.FINE, exit_codes.DIFFERENT)
    if words == COMMANDS["cache"]:
        return "" if ended.code == exit_codes.FINE else f"exit {ended.code} where it needs no cache: {errors}"
    if ended.code not in (*found, exit_codes.UNWRITABLE) or (ended.code == exit_codes.UNWRITABLE) != bool(errors):
        return f"exit {ended.code}, and it said {errors}"
    report = ended.copy / "out" / "report.jsonl"
    if ended.code == exit_codes.UNWRITABLE and report.exists() and report.stat().st_size:
        return _kept(report, errors[0])
    return ""


def _kept(path: Path, error: str) -> str:
    """Whether the report can be read, and holds what the error says that it holds."""
    if not path.read_bytes().count(b"\n"):
        return ""  # there was no room for one line
    try:
        kept = len(report_file.read(path).mismatches)
    except TokparityError as unreadable:
        return f"what was kept cannot be read: {unreadable}"
    said = error.partition("; ")[2].partition(" mismatches")[0]
    return "" if not said.isdigit() or int(said) == kept else f"{kept} mismatches are kept, and it says {error!r}"


def prepare(folder: Path) -> None:
    """The files that the commands read."""
    from tokparity.cli import main

    (folder / "t.txt").write_text("plain\ntext\n" * 200, encoding="utf-8")
    words = ["run", *DEVIANT, "--corpus", str(folder / "t.txt"), "--out", str(folder / "whole")]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        main(["convert", "small-bpe", "--to", "gguf", "-o", str(folder / "x.gguf")])
        main(words)
    (folder / "whole" / "report.jsonl").rename(folder / "report.jsonl")


def attack(seed: str, prepared: Path, folder: Path) -> tuple[str, str]:
    """(command and size, what broke) for one command and one size of the disk."""
    random = Random(f"disk:{seed}")
    name = random.choice(sorted(COMMANDS))
    kilobytes = round(4 * 2 ** random.uniform(0, 7))
    for path in prepared.iterdir():
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    return f"{name} {kilobytes} kB", what_broke(on_full_disk(COMMANDS[name], kilobytes, folder), COMMANDS[name])
