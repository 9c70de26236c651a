"""Words of files as names of engines and models: what tokparity brings is taken, all else is the user's to type."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rings import nightly_but
from tokparity import engines
from tokparity.cli import main
from tokparity.engines import engine_name
from tokparity.engines.deviations import known
from tokparity.engines.environment.released import RELEASED
from tokparity.engines.outcomes_file import recorded_in
from tokparity.errors import UsageError
from tokparity.models import repository
from tokparity.models.trusted import engine_of_file, engines_of_file, model_of_file, path_of_file, plain_files

FEW = ("--corpus", "prompts", "--cases", "10")
CODE = (
    "exec:touch canary",
    "./canary.py:Engine",
    "canary:Engine",
    "tokparity.engines.reference:ENGINE",
    "http://127.0.0.1:1/",
    "https:127.0.0.1",
    "replay:canary.parquet",
    "tokenizers@/bin/sh",
    "tokenizers@./python",
    "tokenizers@git+https://127.0.0.1/x",
    "tokenizers@0.21.0 --index-url http://127.0.0.1",
    "tokenizers@0.*",
    "transformers@transformers-4.0;1",
    "transformers[tokenizer_class=TransfoXLTokenizer]",
    "transformers[revision=abc]",
    "../../tokenizers",
    "nobody",
    "",
    "tokenizers" + "+x" * 1000,
)
"""Names that a file may not name: they run code, reach elsewhere, or are none."""

OURS = ("reference+greedy_longest_match", "tokenizers@0.21.0", "tokenizers@transformers-5.3.0", "llama.cpp", "kitoken")


@pytest.mark.parametrize("word", CODE)
def test_a_file_names_no_engine_that_runs_code(word: str) -> None:
    """The refusal shows the command that takes the word from the user instead, who may have typed it already."""
    with pytest.raises(
        UsageError, match=r"if you trust it, type it: tokparity replay f|name the engine on the command"
    ):
        engine_of_file(word, "f.parquet", ["tokparity", "replay", "f.parquet"])
    assert word == engine_of_file(word, "f.parquet", [], typed=[word])


@pytest.mark.parametrize("word", OURS)
def test_a_file_may_name_what_tokparity_brings(word: str) -> None:
    """Built-in engines, with quirks or at a version, and those that come as wheels."""
    assert word == engine_of_file(word, "f", [])


@given(
    st.text(max_size=30) | st.builds(str.__add__, st.sampled_from(["tokenizers@", "exec:", "reference["]), st.text())
)
def test_whatever_is_taken_is_of_the_package(word: str) -> None:
    """No word gets through that the parser of engines' names does not see as one of ours."""
    try:
        engine_of_file(word, "f", [])
    except UsageError:
        return
    name = engine_name.parse(word)
    assert (name.is_outside, name.base in {*engines.names(), *RELEASED}) == (False, True)
    assert not set("/\\: ;=<>*") & set(name.version)


def test_a_list_that_was_typed_is_the_list_that_is_stored() -> None:
    """An engine that runs code is taken where it was typed again, and no other one beside it."""
    stored = ("exec:mine", "reference")
    assert stored == engines_of_file(stored, "f", [], ["reference", "exec:mine"])
    with pytest.raises(UsageError, match="type it: tokparity fuzz --engine exec:mine --engine reference"):
        engines_of_file(stored, "f", ["tokparity", "fuzz"], [])
    for typed in (["exec:mine"], ["exec:mine", "reference", "llama.cpp"]):
        with pytest.raises(UsageError, match="was made with other engines"):
            engines_of_file(stored, "f", [], typed)


@pytest.mark.parametrize(
    "words",
    [
        ["hf:gpt2"],
        ["./gpt-2"],
        ["/etc/passwd"],
        ["--gguf", "x"],
        ["--models", "d", "gpt-2"],
        ["x\x1b"],
        [],
        ["a" * 5000],
    ],
)
def test_a_file_names_no_model_by_its_place(words: list[str]) -> None:
    """Neither a path, nor the hub, nor a tokparity.toml."""
    with pytest.raises(UsageError, match="a file may name only a known model"):
        model_of_file(words, "f", ["tokparity", "diagnose", "f"], None)


def test_models_of_the_user_may_be_named(tmp_path: Path) -> None:
    """Those of the tokparity.toml that is here, or that was named; a known one in any case."""
    (tmp_path / "tokparity.toml").write_text('[models.mine]\ngguf = "m.gguf"\n', encoding="utf-8")
    where = str(tmp_path)
    own = repository.find(where)
    assert ["mine", "mine", "gpt-2"] == [
        model_of_file(words, "f", [], own) for words in (["mine"], ["--models", where, "mine"], ["gpt-2"])
    ]
    with pytest.raises(UsageError):
        model_of_file(["--models", "/elsewhere", "mine"], "f", [], own)


def test_a_file_names_no_url_as_text() -> None:
    """A path is taken, for the file of a sweep says what was there; a URL is typed again."""
    assert "corpus/*.txt" == path_of_file("corpus/*.txt", "f", [])
    for word in ("http://127.0.0.1/", "s3://b/t", "simplecache::/etc/passwd", "file:///etc/passwd"):
        with pytest.raises(UsageError, match="may name only a path"):
            path_of_file(word, "f", [])


def test_a_link_or_a_pipe_is_no_file_of_a_run(tmp_path: Path) -> None:
    """Files, folders and what is not there yet are."""
    (tmp_path / "file").touch()
    plain_files([tmp_path, tmp_path / "file", tmp_path / "new"])
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(UsageError, match="is a link, a pipe or a device"):
            plain_files([tmp_path / name])


def test_an_engine_of_a_report_is_no_part_of_a_path(tmp_path: Path) -> None:
    """Known deviations are looked up by name; a report's engine may be called as it likes."""
    (tmp_path / "evil.toml").write_text("[[deviation]]\nquirk = 1\n", encoding="utf-8")
    assert [(), (), ()] == [known(name) for name in (f"{tmp_path}/evil", "a" * 5000, "x\0")]


ARGUMENTS = [["--gguf"], [], ["--help"], ["--gguf", "x", "--foo", "y"]]


@pytest.mark.parametrize("words", nightly_but(ARGUMENTS[:1], ARGUMENTS))
def test_arguments_of_a_report_are_no_command_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such a report is refused, and the one line says what to type; with the model typed it is read."""
    path = tmp_path / "report.jsonl"
    run = ["run", "small-spm", "--engine", "reference+omits_bos", *FEW, "--out", str(tmp_path)]
    assert 0 == main(run)
    header, rest = path.read_text(encoding="utf-8").split("\n", 1)
    told = {**json.loads(header), "arguments": {"small-spm": words}}
    path.write_text(json.dumps(told) + "\n" + rest, encoding="utf-8")
    capsys.readouterr()
    assert 2 == main(["diagnose", str(path)])
    said = capsys.readouterr()
    assert ("", 1) == (said.out, len(said.err.strip().splitlines()))
    assert "a file may name only a known model" in said.err
    assert 0 == main(["diagnose", str(path), "small-spm"])
    assert "omits_bos" in capsys.readouterr().out


def retold(path: Path, **changes: object) -> None:
    """Change what the metadata of a recording say."""
    table = pyarrow.parquet.read_table(path)
    said = json.dumps(replace(recorded_in(path), **changes).to_json()).encode()  # type: ignore[arg-type]
    pyarrow.parquet.write_table(table.replace_schema_metadata({b"tokparity": said}), path)


def test_replay_starts_nothing_that_a_recording_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, nothing ran, and the sentence says what to type; what was recorded of a known engine is replayed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "canary.py").write_text('open("canary", "w")\nclass Engine: pass\n', encoding="utf-8")
    assert 0 == main(["record", "reference", "small-spm", *FEW, "-o", "r.parquet"])
    assert 0 == main(["replay", "r.parquet"])
    for word in CODE[:-2]:
        retold(Path("r.parquet"), engine=word)
        capsys.readouterr()
        assert 2 == main(["replay", "r.parquet"])
        assert "if you trust it, type it: tokparity replay r.parquet" in capsys.readouterr().err
    retold(Path("r.parquet"), engine="reference", models={"hf:gpt2": {"x": "y"}})
    assert 2 == main(["replay", "r.parquet"])
    assert "type it: tokparity replay r.parquet reference hf:gpt2" in capsys.readouterr().err
    assert not (tmp_path / "canary").exists()
