"""`kill -9` at any moment of run, check, fuzz and fuzz --resume: nothing that was written is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.hostile.leftovers import Marked
from tests.rows_of_probes import rows_of_probes
from tokparity.errors import TokparityError
from tokparity.report import file as report_file
from tokparity.report.model import Report

MODEL = ("small-spm", "--engine", "reference+greedy_longest_match")
LONG = ("--seconds", "60")
COMMANDS = {
    "run": ("run", *MODEL, "--corpus", "t.txt", "--cases", "1000000", *LONG, "--out", "out"),
    "check": ("check", *MODEL, "--corpus", "t.txt", "--cases", "1000000", *LONG, "--out", "out"),
    "fuzz": ("fuzz", *MODEL, *LONG, "--out", "out"),
    "resume": ("fuzz", "--resume", "out", *LONG),
}
AFTERWARDS = 300
"""Cases that are put when a killed run is gone on with."""


@dataclass(frozen=True)
class Killed:
    """What a command had written shortly before it was killed, and what is there now."""

    before: bytes
    after: bytes
    left: int


def kill(words: tuple[str, ...], folder: Path, seconds: float) -> Killed:
    """Run a command, and kill it after so many seconds."""
    marked = Marked()
    path = folder / "out" / "report.jsonl"
    command = [sys.executable, "-m", "tokparity", *words]
    environment = {**os.environ, **marked.environment}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=-3, stderr=-3) as child:
        time.sleep(seconds)
        before = path.read_bytes() if path.exists() else b""
        child.send_signal(signal.SIGKILL)
    return Killed(before, path.read_bytes() if path.exists() else b"", len(marked.left()))


def what_broke(killed: Killed, old: Report | None, folder: Path) -> str:
    """Empty if all that was written is there, can be read, and can be gone on with where it was a search."""
    whole = killed.before[: killed.before.rfind(b"\n") + 1]
    if killed.left:
        return f"{killed.left} processes were left"
    if not killed.after.startswith(whole):
        return "what had been written is gone"
    if b"\n" not in killed.after:
        return ""
    try:
        now = report_file.read(folder / "out" / "report.jsonl")
    except TokparityError as error:
        return f"the report cannot be read: {error}"
    if old is not None and (lost := _lost(old, now)):
        return lost
    return ""


def _lost(old: Report, now: Report) -> str:
    if old.mismatches != now.mismatches[: len(old.mismatches)]:
        return f"of {len(old.mismatches)} mismatches, {len(now.mismatches)} are left"
    return "" if now.findings else f"{len(old.findings)} findings are gone" if old.findings else ""


def gone_on(folder: Path) -> str:
    """Empty if the killed search can be gone on with, and its report then adds up."""
    out = folder / "out"
    before = report_file.read(out / "report.jsonl")
    if not (out / "fuzz.json").exists():
        return "there are mismatches, but no state" if before.mismatches else ""
    tallies = json.loads((out / "fuzz.json").read_text(encoding="utf-8"))["tallies"]
    command = [sys.executable, "-m", "tokparity", "fuzz", "--resume", "out", "--cases", str(AFTERWARDS)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in (0, 1):
        return f"--resume ends with {done.returncode}: {done.stderr[-200:]!r}"
    after = report_file.read(out / "report.jsonl")
    stored = Counter((m.engine, m.case) for m in after.mismatches if not m.case.origin.shrunk)
    (pair,) = (pair for pair in after.pairs if "greedy" in pair.engine)
    if before.mismatches != after.mismatches[: len(before.mismatches)]:
        return "mismatches were lost by going on"
    if stored and max(stored.values()) > 1:
        return "a mismatch is stored twice"
    put, now = tallies[pair.engine]["cases"], after.puts[0].probes - rows_of_probes(pair.model) + AFTERWARDS
    if pair.cases != put + now or pair.found != sum(pair.kinds.values()):
        return f"{pair.cases} cases are told of, of {put} and {now}; {pair.found} found, {dict(pair.kinds)}"
    return "" if not after.truncated else "the report has no end"


def attack(name: str, seed: str, folder: Path) -> tuple[str, str]:
    """(command and moment, what broke) for one kill of the command of that name."""
    seconds = Random(f"kill:{seed}").uniform(0.3, 12)
    (folder / "t.txt").write_text("plain\ntext\n" * 1000, encoding="utf-8")
    old = None
    if name == "resume":
        first = (*COMMANDS["fuzz"][:4], "--cases", "1000", "--out", "out")
        command = [sys.executable, "-m", "tokparity", *first]
        subprocess.run(command, cwd=folder, capture_output=True, timeout=300, check=False)
        old = report_file.read(folder / "out" / "report.jsonl")
    killed = kill(COMMANDS[name], folder, seconds)
    broke = what_broke(killed, old, folder)
    if not broke and COMMANDS[name][0] == "fuzz" and b"\n" in killed.after:
        broke = gone_on(folder)
    return f"{name} after {seconds:.1f} s", broke
