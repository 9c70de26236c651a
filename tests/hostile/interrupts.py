"""SIGINT and SIGTERM at any moment of every command: its own exit code, no traceback, no process and no file left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from tests.hostile.leftovers import Marked
from tokparity import formats
from tokparity.models.record import EMBEDDED

ENGINE = ("--engine", "reference+greedy_longest_match")
LONG = ("--seconds", "30", "--out", "out")
COMMANDS: dict[str, tuple[str, ...]] = {
    "bench": ("bench", "speed", "--seconds", "1"),
    "bisect": ("bisect", "reference", "1", "2", "small-bpe", "a"),
    "chat": ("chat", "told", "conversation.json"),
    "check": ("check", "small-spm", *ENGINE, *LONG),
    "compare": ("compare", "reference", "reference+greedy_longest_match", "small-spm"),
    "convert": ("convert", "tokenizer.json", "--to", "gguf", "-o", "converted.gguf"),
    "corpora": ("corpora",),
    "decode": ("decode", "small-spm", "-"),
    "diagnose": ("diagnose", "recorded.jsonl", "small-spm"),
    "diff": ("diff", "small-spm", "a text", *ENGINE, "--why"),
    "doctor": ("doctor", "bpe.gguf", "--against", "small-bpe"),
    "encode": ("encode", "small-spm", "-"),
    "engine-test": ("engine-test", "reference"),
    "engines": ("engines",),
    "explain": ("explain", "small-unigram", "a text"),
    "fuzz": ("fuzz", "small-spm", *ENGINE, *LONG),
    "generators": ("generators",),
    "init": ("init", "bpe.gguf", "tokenizer.json"),
    "lint": ("lint", "bpe.gguf", "tokenizer.json"),
    "loader": ("loader", "small-bpe"),
    "models": ("models",),
    "quirks": ("quirks",),
    "record": ("record", "reference", "small-spm", "-o", "recorded.parquet"),
    "render": ("render", "report.jsonl", "--to", "html", "-o", "page.html"),
    "replay": ("replay", "recorded.parquet"),
    "run": ("run", "small-spm", *ENGINE, *LONG),
    "serve": ("serve", "pages"),
    "site": ("site", "report.jsonl", "-o", "site"),
    "sweep": ("sweep", "small-spm", *ENGINE, "--text", "t.txt", "--workers", "1", "--out", "out"),
    "vectors": ("vectors", "small-spm", "-o", "out"),
}
"""The words of every command that there is."""

_BEGUN = "import sys, tokparity.__main__ as ours; print('begun', flush=True); sys.exit(ours.start())"
"""The program, which says when Python itself has started: before that, nobody can do anything about a signal."""
_PATIENCE = 120
"""Seconds within which a command has ended that was told to."""


def attack(seed: str, number: int, folder: Path) -> tuple[str, str]:
    """(command, signal and moment, what broke) for one command, in turn."""
    name = [*COMMANDS][number % len(COMMANDS)]
    random = Random(f"interrupts:{seed}")
    sent, seconds = random.choice((signal.SIGINT, signal.SIGTERM)), random.choice((0.1, 1.0, 6.0)) * random.random()
    prepare(folder)
    return f"{name} {sent.name} after {seconds:.2f} s", what_broke(COMMANDS[name], sent, seconds, folder)


def prepare(folder: Path) -> None:
    """The files that the commands' words name; a command that lacks one ends by itself, and that is as good."""
    shutil.copy(EMBEDDED / "small-bpe.json", folder / "tokenizer.json")
    formats.write(formats.read(EMBEDDED / "small-bpe.json"), "gguf", folder / "bpe.gguf")
    (folder / "recorded.jsonl").write_text('{"text": "a text", "ids": [1, 2, 3]}\n' * 200, encoding="utf-8")
    (folder / "t.txt").write_text("".join(f"line {i}\n" for i in range(20_000)), encoding="utf-8")
    (folder / "told").mkdir()
    shutil.copy(EMBEDDED / "small-bpe.json", folder / "told" / "tokenizer.json")
    (folder / "told" / "tokenizer_config.json").write_text('{"chat_template": "{{ messages }}"}', encoding="utf-8")
    (folder / "conversation.json").write_text('[{"role": "user", "content": "Hi"}]', encoding="utf-8")
    (folder / "pages").mkdir()
    (folder / "pages" / "index.html").write_text("<p>a page", encoding="utf-8")


def what_broke(words: tuple[str, ...], sent: signal.Signals, seconds: float, folder: Path) -> str:
    """Empty if the command ended as it should when it was told to, or had ended before."""
    temporary = folder / "temporary"
    temporary.mkdir()
    marked = Marked()
    environment = {**os.environ, **marked.environment, "TMPDIR": str(temporary)}
    command = [sys.executable, "-c", _BEGUN, *words]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=-1, stdout=-1, stderr=-1, preexec_fn=_hears_signals
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(seconds)
        child.send_signal(sent)
        try:
            _, err = child.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            marked.left()
            return f"no end within {_PATIENCE} s"
    said = err.decode("utf-8", "replace")
    if "Traceback" in said or "internal error" in said or child.returncode not in (0, 1, 2, 3, 128 + sent, -sent):
        return f"exit {child.returncode}, and it said {said[-300:]!r}"
    if processes := marked.left():
        return f"{len(processes)} processes were left"
    if files := list(temporary.iterdir()):
        return f"temporary files were left: {files[0].name}"
    return ""


def _hears_signals() -> None:
    """What a shell starts in the background ignores SIGINT, and so would all that it starts."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
