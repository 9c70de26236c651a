"""Files that were tampered with before every command that reads one: nothing they name is started, opened or asked.

A file is made as tokparity writes it, and one or more of its values are replaced, found by the layout of the file
itself: so a field that somebody adds is attacked as well. What is put there are names of programs that leave a canary,
addresses of a server that listens, places of models, characters that act, and values of other types.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from tests.chat.templates import INST, with_model
from tests.hostile.commands import what_broke
from tests.hostile.foreign_strings import BIDI, CONTROLS
from tests.hostile.json_places import ODD, Place, at, places, put
from tests.hostile.listening import listening
from tests.hostile.readings import CONVERSATION, RESULTS, VECTORS
from tests.hostile.targets import TALK, of_vectors

CANARY = "canary-ran"
CODE = (
    "exec:sh canary.sh", "./canary.py:Engine", "canary:Engine", "{url}", "http:{url}", "tokenizers@./canary.sh",
    "tokenizers@{here}/canary.sh", "replay:{here}/canary.parquet", "{here}/canary.sh", "hf:{here}/x", "hf:org/canary",
    "transformers[tokenizer_class=TransfoXLTokenizer]", "tokenizers @ {url}/x.whl", "--models", "$(sh canary.sh)",
    "; sh canary.sh;", "{{{{ cycler.__init__.__globals__.os.system('sh canary.sh') }}}}", "__import__('canary')",
)  # fmt: skip
_FORMATS = ("html", "text", "markdown", "summary", "junit", "sarif", "issue")
_REPORT = (
    *(("render", "report.jsonl", "--to", name, "-o", "-") for name in _FORMATS),
    ("render", "report.jsonl", "--to", "csv", "-o", "tables"),
    ("site", ".", "-o", "site"),
    ("compare", "report.jsonl", "old.jsonl"),
    ("diagnose", "report.jsonl"),
)
COMMANDS: Mapping[str, Sequence[Sequence[str]]] = {
    "report.jsonl": _REPORT,
    "fuzz/fuzz.json": (("fuzz", "--resume", "fuzz", "--cases", "1"),),
    "fuzz/report.jsonl": (("fuzz", "--resume", "fuzz", "--cases", "1"),),
    "sweep/sweep.json": (("sweep", "--resume", "sweep"),),
    "sweep/units": (("sweep", "--resume", "sweep"),),
    "recorded.parquet": (
        ("replay", "recorded.parquet"),
        ("run", "small-spm", "--engine", "replay:recorded.parquet", "--cases", "5", "--corpus", "t.txt", "--out", "o"),
    ),
    "recorded.jsonl": (("diagnose", "recorded.jsonl", "small-spm"),),
    "conversation.json": (("chat", "model", "conversation.json"),),
    "model/tokenizer_config.json": (
        ("chat", "model", "conversation.json"),
        ("check", "model", "--cases", "5", "--corpus", "t.txt", "--out", "o"),
        ("convert", "model", "--to", "gguf", "-o", "written.gguf"),
    ),
    "m.vectors.json": (("diagnose", "results.jsonl", "--vectors", "m.vectors.json"),),
    "results.jsonl": (("diagnose", "results.jsonl", "--vectors", "m.vectors.json"),),
    "tokparity.toml": (
        ("check", "mine", "--cases", "5", "--corpus", "t.txt", "--out", "o", "--annotations", "github"),
        ("explain", "mine", "text"),
        ("models",),
    ),
}
"""By file, the commands that read it."""

_ENGINE = ("--engine", "reference+omits_bos")
_FEW = ("--cases", "5", "--corpus", "t.txt")
_LINE = '{"text": "one", "ids": [1, 2], "decoded": "one"}\n'


def prepare(folder: Path) -> None:
    """Every kind of file, as tokparity writes it."""
    from tokparity.cli import main

    before = Path.cwd()
    os.chdir(folder)
    try:
        (folder / "t.txt").write_text("one\ntwo words\n", encoding="utf-8")
        (folder / "canary.py").write_text(f"open({CANARY!r}, 'w')\nclass Engine: pass\n", encoding="utf-8")
        (folder / "canary.sh").write_text(f"#!/bin/sh\necho ran > {CANARY}\n", encoding="utf-8")
        (folder / "canary.sh").chmod(0o755)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            main(["run", "small-spm", *_ENGINE, "--cases", "20", "--corpus", "t.txt", "--out", "run"])
            main(["fuzz", "small-spm", *_ENGINE, "--cases", "70", "--generator", "repeats", "--out", "fuzz"])
            main(["sweep", "small-spm", *_ENGINE, "--text", "t.txt", "--workers", "1", "--out", "sweep"])
            main(["record", "reference+omits_bos", "small-spm", *_FEW, "-o", "recorded.parquet"])
            main(["convert", "small-bpe", "--to", "tokenizer.json", "-o", "tokenizer.json"])
        for name in ("report.jsonl", "old.jsonl"):
            shutil.copyfile(folder / "run" / "report.jsonl", folder / name)
        (folder / "recorded.jsonl").write_text(_LINE * 3, encoding="utf-8")
        (folder / "tokparity.toml").write_text(_TOML, encoding="utf-8")
        (folder / CONVERSATION).write_text(json.dumps(TALK), encoding="utf-8")
        with_model(folder / "model", INST)
        vectors, results = of_vectors()
        (folder / VECTORS).write_bytes(vectors)
        (folder / RESULTS).write_bytes(results)
    finally:
        os.chdir(before)


def moved(here: Path, prepared: Path) -> None:
    """A copy of these files lies elsewhere, and so does the text of its sweep."""
    manifest = here / "sweep" / "sweep.json"
    if manifest.exists():
        manifest.write_text(manifest.read_text(encoding="utf-8").replace(str(prepared), str(here)), encoding="utf-8")


_TOML = """[models.mine]
tokenizer-json = "tokenizer.json"
engines = ["reference"]
notes = "notes"

[[models.mine.accepted]]
engine = "reference"
quirks = ["omits_bos"]
text = '"x"'
told = "over 64 bytes"
kind = "ids"
reason = "a reason"
link = "https://example.org/"
"""


def attack(seed: str, number: int, prepared: Path, folder: Path) -> tuple[str, str]:
    """(file and command, what broke) for one command, in turn, on one file that was tampered with."""
    random = Random(f"tampered:{seed}")
    every = [(file, words) for file, commands in COMMANDS.items() for words in commands]
    file, words = every[number % len(every)]
    here = folder / "here"
    shutil.copytree(prepared, here)
    moved(here, prepared)
    with listening() as server:
        path = next((here / file).iterdir()) if (here / file).is_dir() else here / file
        tamper(path, random, server.url, here)
        broke = what_broke(words, here, more={"HF_ENDPOINT": server.url, "PYTHONPATH": str(here)})
        if (here / CANARY).exists():
            broke = "a program ran"
        elif server.asked:
            broke = f"a server was asked for {server.asked[0]!r}"
    return f"{file} before {words[0]}", broke


def tamper(path: Path, random: Random, url: str, here: Path) -> None:
    """Put something else into one or more places of a file."""
    value = Values(random, url, here)
    if path.suffix == ".parquet":
        _tamper_parquet(path, random, value)
    elif path.suffix == ".toml":
        _tamper_toml(path, random, value)
    elif path.suffix == ".jsonl":
        lines = path.read_bytes().splitlines()
        for place in random.sample(range(len(lines)), min(len(lines), random.choice((1, 1, 30)))):
            lines[place] = json.dumps(_changed(json.loads(lines[place]), random, value)).encode()
        path.write_bytes(b"\n".join(lines) + b"\n")
    else:
        path.write_text(json.dumps(_changed(json.loads(path.read_bytes()), random, value)), encoding="utf-8")


class Values:
    """What is put into a file in the place of something else."""

    def __init__(self, random: Random, url: str, here: Path) -> None:
        self._random = random
        self._names = {"url": url, "here": str(here)}

    def __call__(self, was: object) -> object:
        """A word that is to be run, a string that acts, the string that was there with what acts, another type."""
        way = self._random.randrange(4)
        if way == 0:
            return self._random.choice(CODE).format(**self._names)
        acts = "".join(self._random.choices([*CONTROLS, *BIDI], k=3)) + "\x1b[31m"
        if way == 1:
            return f"{was}{acts}" if isinstance(was, str) else acts
        if way == 2 and isinstance(was, list):
            return [self._random.choice(CODE).format(**self._names)]
        return self._random.choice(ODD)


def _changed(content: Any, random: Random, value: Callable[[object], object]) -> Any:
    """The content with something else in one place, or in many at once."""
    for _ in range(random.choice((1, 1, 1, 5))):
        every: list[Place] = places(content)
        if every:
            place = random.choice(every)
            content = put(content, place, value(at(content, place)))
    return content


def _tamper_parquet(path: Path, random: Random, value: Callable[[object], object]) -> None:
    """What the metadata say, or the cells of a column, which then is of the type of what stands there."""
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    key = b"tokparity"
    if random.random() < 0.6:
        said = _changed(json.loads(table.schema.metadata[key]), random, value)
        table = table.replace_schema_metadata({key: json.dumps(said).encode("utf-8", "backslashreplace")})
    else:
        column = random.randrange(table.num_columns)
        cells = table.column(column).to_pylist()
        row = random.randrange(len(cells))
        other = value(cells[row])
        cells = [other] * len(cells) if random.random() < 0.5 else [*cells[:row], other, *cells[row + 1 :]]
        try:
            made = pyarrow.array(cells)
        except (pyarrow.ArrowException, TypeError, OverflowError):  # several types, or none that a table has
            made = pyarrow.array([str(cell).encode("utf-8", "backslashreplace") for cell in cells])
        table = table.set_column(column, table.column_names[column], made)
    pyarrow.parquet.write_table(table, path)


def _tamper_toml(path: Path, random: Random, value: Callable[[object], object]) -> None:
    """A value of the user's own list; whose engines and files are the user's to name, so these stay."""
    lines = path.read_text(encoding="utf-8").splitlines()
    own = [i for i, line in enumerate(lines) if " = " in line and not line.startswith(("engines", "tokenizer-json"))]
    place = random.choice(own)
    key, _, was = lines[place].partition(" = ")
    new = value(was.strip("'\""))
    spelled = json.dumps(new if isinstance(new, str | bool | int) else str(new))
    lines[place] = f"{key if random.random() < 0.9 else json.dumps(str(new))} = {spelled}"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="backslashreplace")
