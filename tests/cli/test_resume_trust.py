"""What lies in the folder of a run may come from anybody: going on with it starts nothing, and a lie is told."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from tests.few_texts import sought_on_few_texts
from tests.hostile.foreign_strings import acting
from tests.hostile.json_places import ODD, places, put
from tests.hostile.tampered import moved, prepare
from tests.rings import nightly_but
from tokparity.cli import main, report_files
from tokparity.errors import FormatError, UsageError
from tokparity.fuzz import state
from tokparity.sweep import manifest, unit_file
from tokparity.sweep.gathered import Gathered

pytestmark = pytest.mark.usefixtures("few_texts")

CANARY = "exec:touch canary"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one of fuzz, and one of a sweep."""
    folder = tmp_path_factory.mktemp("stored")
    with sought_on_few_texts():
        prepare(folder)
    return folder


@pytest.fixture
def here(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of them, in which the command is run."""
    here = tmp_path / "here"
    shutil.copytree(stored, here)
    moved(here, stored)
    monkeypatch.chdir(here)
    return here


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what a file of JSON says."""
    content = json.loads(path.read_bytes())
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.nightly
def test_fuzz_goes_on_with_what_it_was(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the engines and the model that it had, typed again or not."""
    assert 1 == main(["fuzz", "--resume", "fuzz", "--cases", "64"])
    assert 1 == main(["fuzz", "small-spm", "--engine", "reference+omits_bos", "--resume", "fuzz", "--cases", "64"])
    for words, why in (
        (["--engine", "reference"], "was made with other engines"),
        (["small-bpe"], "is about another model"),
    ):
        capsys.readouterr()
        assert 2 == main(["fuzz", "--resume", "fuzz", "--cases", "64", *words])
        assert why in capsys.readouterr().err


@pytest.mark.parametrize(("file", "command"), [("fuzz/fuzz.json", "fuzz"), ("sweep/sweep.json", "sweep")])
def test_no_engine_of_a_folder_is_started(
    file: str, command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, nothing ran, the report is as it was, and the sentence has the words to type."""
    report = here / command / "report.jsonl"
    before = report.read_bytes()
    for engine in (CANARY, "./canary.py:Engine", "http://127.0.0.1:1", "tokenizers@/bin/sh"):
        changed(here / file, lambda content, engine=engine: content.update(engines=[engine]))
        assert 2 == main([command, "--resume", command])
        said = capsys.readouterr().err
        assert f"if you trust it, type it: tokparity {command} --resume {command} --engine " in said, said
    assert (False, before) == ((here / "canary").exists(), report.read_bytes())


def test_an_engine_that_was_typed_again_is_taken(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is the user's own then: it is started, and what it says is looked at."""
    changed(here / "fuzz/fuzz.json", lambda content: content.update(engines=[CANARY], tallies={}, counts={}))
    report = here / "fuzz" / "report.jsonl"
    report.write_bytes(report.read_bytes().splitlines(True)[0])
    assert 3 == main(["fuzz", "--resume", "fuzz", "--engine", CANARY, "--cases", "64"])
    assert (here / "canary").exists()


@pytest.mark.parametrize(("file", "key", "value"), [
    ("fuzz/fuzz.json", "words", ["hf:gpt2"]),
    ("fuzz/fuzz.json", "words", ["./model"]),
    ("fuzz/fuzz.json", "words", ["--models", "."]),
    ("sweep/sweep.json", "arguments", {"small-spm": ["--gguf", "/etc/passwd"]}),
    ("sweep/sweep.json", "arguments", {"small-spm": ["hf:gpt2"]}),
    ("sweep/sweep.json", "text", ["http://127.0.0.1:1/t.txt"]),
    ("sweep/sweep.json", "text", ["simplecache::file:///etc/passwd"]),
])  # fmt: skip
def test_no_place_of_a_folder_is_looked_at(
    file: str, key: str, value: object, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a model nor a text is taken from where a file says that it is."""
    changed(here / file, lambda content: content.update({key: value}))
    assert 2 == main(["fuzz" if file[0] == "f" else "sweep", "--resume", file.partition("/")[0]])
    assert "and a file may name only" in capsys.readouterr().err


def test_a_sweep_does_not_read_a_text_that_its_file_does_not_know(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path is read only where the file says what it was."""
    changed(here / "sweep/sweep.json", lambda content: content.update(text=["/etc/passwd"]))
    assert 2 == main(["sweep", "--resume", "sweep"])
    assert "had another text" in capsys.readouterr().err


RUN = 6
"""States that say something else and nothing wrong: so many are gone on with."""


STATES = [("fuzz/fuzz.json", state.read), ("sweep/sweep.json", manifest.read)]


@pytest.mark.parametrize(("file", "read"), nightly_but(STATES[1:], STATES))
def test_a_state_that_lies_is_told(
    file: str, read: Callable[[Path], object], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every value of every place replaced by odd ones: never an internal error, and no control character."""
    content = json.loads((here / file).read_bytes())
    command, at = (["fuzz", "--cases", "1"], here / file) if file[0] == "f" else (["sweep"], here / "sweep")
    lies = [json.dumps(put(content, place, odd)) for place in places(content) for odd in ODD]
    refused, believed = 0, []
    for lie in lies:
        (here / file).write_text(lie, encoding="utf-8")
        try:
            read(at)
            believed.append(lie)
        except (FormatError, UsageError):
            refused += 1
    for lie in [lies[0], *believed[:: max(len(believed) // RUN, 1)]]:
        (here / file).write_text(lie, encoding="utf-8")
        assert main([*command, "--resume", file.partition("/")[0]]) in (0, 1, 2, 3), lie
        said = capsys.readouterr()
        assert ("", "") == (acting(said.out), acting(said.err))
    assert refused > len(believed)


@pytest.mark.parametrize("name", ["fuzz/fuzz.json.new", "fuzz/index.html", "sweep/report.md", "sweep/units/x.parquet"])
def test_nothing_is_written_through_a_link(name: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A link in the folder of a run would lead what is written to a file of the user's."""
    (here / "mine").write_text("mine", encoding="utf-8")
    (here / name).unlink(missing_ok=True)
    (here / name).symlink_to(here / "mine")
    command = name.partition("/")[0]
    assert 2 == main([command, "--resume", command])
    assert ("is a link, a pipe or a device" in capsys.readouterr().err, "mine") == (True, (here / "mine").read_text())


@pytest.mark.parametrize("name", ["report.jsonl", "index.html", "findings.parquet", "fuzz.json.new"])
def test_a_report_is_not_written_through_a_link(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is there already may have come from anybody; the folder itself may be a link of the user's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    (tmp_path / "got").mkdir()
    (tmp_path / "out").symlink_to("got")
    words = ["run", "small-bpe", "--engine", "reference", "--corpus", "prompts", "--cases", "1", "--out", "out"]
    assert 0 == main(words)
    (tmp_path / "got" / name).unlink(missing_ok=True)
    (tmp_path / "got" / name).symlink_to(tmp_path / "mine")
    assert 2 == main(words)
    assert ("is a link, a pipe or a device" in capsys.readouterr().err, "mine") == (
        True,
        (tmp_path / "mine").read_text(),
    )


def test_a_pipe_in_the_place_of_a_report_blocks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who opens a pipe to write waits for a reader."""
    os.mkfifo(tmp_path / "report.jsonl")
    assert 2 == main(["run", "small-bpe", "--engine", "reference", "--cases", "1", "--out", str(tmp_path)])
    assert "is a link, a pipe or a device" in capsys.readouterr().err


def test_every_name_of_a_report_is_looked_at(here: Path) -> None:
    """What a search and a sweep have written stands in the list of names that are held against links."""
    written = {path.name for folder in ("fuzz", "sweep") for path in (here / folder).iterdir()}
    assert written <= {*report_files.WRITTEN}


def test_counts_of_other_engines_are_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tallies, and mismatches of the report, that are of no engine of the run."""
    changed(here / "fuzz/fuzz.json", lambda content: content.update(tallies={"llama.cpp": {"cases": 1}}))
    assert 2 == main(["fuzz", "--resume", "fuzz", "--cases", "1"])
    assert "not an engine of it" in capsys.readouterr().err


def test_a_unit_that_lies_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Columns of other types, rows with holes, metadata that are none, counts of what is not there: exit 2."""
    (path,) = (here / "sweep" / "units").glob("*.parquet")
    table = pyarrow.parquet.read_table(path)
    about = json.loads(table.schema.metadata[b"tokparity"])
    odd = [table.drop_columns([name]) for name in table.column_names]
    odd += [table.set_column(i, table.column_names[i], [[None] * len(table)]) for i in range(table.num_columns)]
    odd += [table.set_column(i, table.column_names[i], [["é"] * len(table)]) for i in range(table.num_columns)]
    odd += [table.slice(start, 1) for start in range(len(table))]
    told = [{**about, name: value} for name in about for value in (None, "x", -1, {"x": 1}, [1])]
    odd += [table.replace_schema_metadata({b"tokparity": json.dumps(one).encode()}) for one in told]
    odd += [table.replace_schema_metadata(None), table.replace_schema_metadata({b"tokparity": b"[" * 100_000})]
    believed = []
    for number, one in enumerate(odd):
        pyarrow.parquet.write_table(one, here / f"{number}.parquet")
        try:
            unit_file.read(here / f"{number}.parquet", Gathered())
            believed.append(number)
        except FormatError:
            continue
    assert len(believed) < len(odd) / 2
    for number in (0, *believed[:: max(len(believed) // RUN, 1)]):
        (here / f"{number}.parquet").rename(path)
        code = main(["sweep", "--resume", "sweep"])
        said = capsys.readouterr().err
        assert code in (0, 1, 2, 3), (number, said)
