"""Each tokenizer file of a package: does the reference equal its oracle, and does `convert` write a right GGUF?

One row for each known model, and for each file that packages.toml names. The commands are those that a user types,
each in a process of its own. Rows are kept in a file, so what was interrupted goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tokparity import models
from tokparity.engines import engine_name
from tokparity.errors import TokparityError
from tokparity.models.archive import named
from tokparity.models.pull import pull
from tokparity.models.record import PulledFile
from tokparity.report import file as report_file
from tokparity.report.model import Pair

NAME = "packages"
TITLE = "each tokenizer file of packages: the reference against its oracle, and its GGUF"

_LISTED = Path(__file__).with_suffix(".toml")
_CASES = 20_000
_CHECKED = 1_000
"""Random texts on which llama.cpp reads a written GGUF."""
_RIGHT = "right"
_SAID = ("Your file is right", "which is known to be right")
"""How `check` says it: of a file that is compared, and of one that is read as a known one."""


@dataclass(frozen=True)
class Row:
    """A file: its name, the texts that were run, those that differ, and what came of its GGUF; or why not."""

    name: str
    cases: int
    oracle: str = ""
    texts: int = 0
    differ: int = 0
    gguf: str = ""
    why: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing differs, and its GGUF is right or is refused with a reason."""
        return not self.why and not self.differ and self.gguf.startswith((_RIGHT, "refused: "))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("words", nargs="*", metavar="MODEL", help="models and files (default: all that can be had)")
    parser.add_argument("--cases", type=int, default=_CASES, metavar="N", help=f"random texts (default {_CASES:,})")
    parser.add_argument("--out", type=Path, default=Path("reports/packages.jsonl"), metavar="FILE", help="the rows")


def main(args: argparse.Namespace) -> int:
    """Measure what has no row yet, print the table; 1 if a row is not good."""
    from rich.console import Console

    kept = {(row.name, row.cases): row for row in kept_rows(args.out)}
    rows: list[Row] = []
    for name, word in subjects(args.words):
        row = kept.get((name, args.cases)) or measured(name, word, args.cases)
        if (name, args.cases) not in kept and not row.why:  # what could not be run is tried again
            with args.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row)) + "\n")
        rows.append(row)
    console = Console(highlight=False, width=160)
    for line in table(rows):
        console.print(line, markup=False)
    return 0 if all(row.good for row in rows) else 1


def kept_rows(path: Path) -> list[Row]:
    """The rows of an earlier call."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file():
        return []
    return [Row(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def subjects(words: Sequence[str]) -> Iterator[tuple[str, str | PulledFile]]:
    """What is measured: the name of a row, and the word or the file that is meant."""
    yield from ((word, word) for word in words or models.names())
    if not words:
        for place in tomllib.loads(_LISTED.read_text(encoding="utf-8"))["file"]:
            archive, member = named(place)
            yield f"{archive.name}: {Path(member).name}", PulledFile(member, place["sha256"], place["size"], archive)


def measured(name: str, subject: str | PulledFile, cases: int) -> Row:
    """One file, fetched if it is not here."""
    try:
        word = fetched(subject)
        with TemporaryDirectory() as folder:
            pairs = compared(word, cases, Path(folder) / "run")
            gguf = converted(word, Path(folder) / "converted.gguf")
    except TokparityError as error:
        return Row(name, cases, why=str(error))
    away = [f"{pair.engine}: {pair.unavailable}" for pair in pairs.values() if pair.unavailable]
    texts = min(pair.cases - pair.unsupported - pair.unjudged for pair in pairs.values())
    differ = sum(pair.found for pair in pairs.values())
    return Row(name, cases, pairs["reference"].oracle, texts, differ, gguf, "; ".join(away))


def fetched(subject: str | PulledFile) -> str:
    """The word that a command takes for a subject."""
    if isinstance(subject, PulledFile):
        pull([subject])
        return str(subject.path)
    if subject in models.names():
        pull(models.load(subject).missing)
    return subject


def compared(word: str, cases: int, out: Path) -> Mapping[str, Pair]:
    """What a run of the reference and of the oracle counts, by engine."""
    oracle = engine_name.parse(models.resolve(word).oracle).base
    engines = dict.fromkeys((oracle, "reference"))
    command("run", word, *(w for engine in engines for w in ("--engine", engine)), "--cases", str(cases),
            "--jobs", "1", "--out", str(out))  # fmt: skip
    report = report_file.read(out / "report.jsonl")
    return {pair.engine: pair for pair in report.pairs}


def converted(word: str, path: Path) -> str:
    """Whether the GGUF that is written is right, or the reason why none is."""
    code, said = command("convert", word, "--to", "gguf", "-o", str(path))
    if not path.is_file():
        return f"refused: {said.partition('error: ')[2] or said}"
    if code:
        return f"reads differently: {said}"
    code, said = command("check", str(path), "--against", word, "--engine", "llama.cpp", "--cases", str(_CHECKED))
    return _RIGHT if not code and (said.startswith(_SAID) or said.endswith(_SAID)) else f"exit code {code}: {said}"


def command(*words: str) -> tuple[int, str]:
    """A command in a process of its own: its exit code, and the line that says what came of it."""
    done = subprocess.run([sys.executable, "-m", "tokparity", *words], capture_output=True, text=True, check=False)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    verdicts = [line for line in lines if "error: " in line or line.startswith("Your ") or line.endswith(_SAID)]
    return done.returncode, (verdicts or lines or [f"exit code {done.returncode}"])[0]


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The rows in Markdown."""
    yield "| file | oracle | texts | differ | as a GGUF |"
    yield "|---|---|---|---|---|"
    for row in rows:
        told = (row.gguf or f"not run: {row.why}").replace("|", "\\|")
        yield f"| {row.name} | {row.oracle} | {row.texts:,} | {row.differ:,} | {told} |"
