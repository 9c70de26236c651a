"""Mutated model files and reports before whole commands: no traceback, no process and no temporary file is left."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from tests.hostile.foreign_strings import acting
from tests.hostile.leftovers import Marked
from tests.hostile.report_mutants import REPORT
from tests.hostile.targets import targets
from tokparity.cli import exit_codes

MODELS = {
    "check": ("check", "{flag}", "{file}", "--cases", "20", "--corpus", "prompts", "--seconds", "10", "--out", "out"),
    "doctor": ("doctor", "{file}", "--against", "{sound}"),
    "lint": ("lint", "{file}", "{sound}"),
    "convert": ("convert", "{file}", "--to", "{format}", "-o", "converted"),
}
REPORTS = {
    "render": ("render", "{file}", "--to", "html", "-o", "page.html"),
    "csv": ("render", "{file}", "--to", "csv", "-o", "tables"),
    "sarif": ("render", "{file}", "--to", "sarif", "-o", "-"),
    "site": ("site", ".", "-o", "site"),
    "diagnose": ("diagnose", "{file}"),
}
FLAGS = {".gguf": "--gguf", ".model": "--sentencepiece", ".json": "--tokenizer-json", ".tiktoken": "--tiktoken"}
ALLOWED = (exit_codes.FINE, exit_codes.DIFFERENT, exit_codes.USAGE, exit_codes.NO_VERDICT)
SECONDS = 120


def attack(seed: str, number: int, prepared: Path, folder: Path) -> tuple[str, str]:
    """(command and file, what broke) for one command, in turn, on one mutant."""
    random = Random(f"commands:{seed}")
    every = [*MODELS, *MODELS, *REPORTS]  # models more often
    place = number % len(every)
    if place < 2 * len(MODELS):
        return _model(every[place], seed, random, folder)
    return _report(every[place], random, prepared, folder)


def _model(command: str, seed: str, random: Random, folder: Path) -> tuple[str, str]:
    every = [target for target in targets() if command != "doctor" or target.read.endswith(".gguf")]
    target = random.choice(every)
    mutator, files = target.mutant(seed)
    target.write(folder, mutator, files)
    format = random.choice(("gguf", "sentencepiece", "tokenizer.json"))
    return f"{command} {target.name} {mutator}", what_broke(words_of(command, target.read, format), folder)


def words_of(command: str, file: str, format: str) -> list[str]:
    """The words of a command on a model's file, which `convert` writes in a format."""
    flag = "--tekken" if file == "tekken.json" else FLAGS[Path(file).suffix]
    given = {"file": file, "flag": flag, "sound": _sound(file), "format": format}
    return [word.format(**given) for word in MODELS[command]]


def _sound(name: str) -> str:
    """The known model that a file was made of, or one of its kind."""
    made_of = f"small-{name.partition('.')[0]}"
    return made_of if made_of in ("small-spm", "small-unigram", "small-bpe", "small-wordpiece") else "small-bpe"


def _report(command: str, random: Random, prepared: Path, folder: Path) -> tuple[str, str]:
    mutate = random.choice(REPORT)
    (folder / "report.jsonl").write_bytes(mutate((prepared / "report.jsonl").read_bytes(), random))
    words = [word.format(file="report.jsonl") for word in REPORTS[command]]
    return f"{command} report {mutate.__name__}", what_broke(words, folder)


def what_broke(
    words: Sequence[str], folder: Path, allowed: Sequence[int] = ALLOWED, more: Mapping[str, str] | None = None
) -> str:
    """Empty if a command ended as it should: one line where something is wrong, and nothing is left of it."""
    temporary = folder / "temporary"
    temporary.mkdir()
    marked = Marked()
    environment = {**os.environ, **marked.environment, **(more or {}), "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "tokparity", *words]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        marked.left()
        return f"no end within {SECONDS} s"
    said = done.stderr.decode("utf-8", "replace")
    if "Traceback" in said or "internal error" in said or done.returncode not in allowed:
        return f"exit {done.returncode}, and it said {said[-300:]!r}"
    if acts := acting((done.stdout + done.stderr).decode("utf-8", "replace")):
        return f"it wrote what a terminal obeys: {acts}"
    if processes := marked.left():
        return f"{len(processes)} processes were left"
    if files := list(temporary.iterdir()):
        return f"temporary files were left: {files[0].name}"
    return ""
