"""Asking for a verdict: `check FILE --against SOURCE`, and what is said where two words name one question."""

from __future__ import annotations

import json
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from tests.rings import nightly_but
from tokparity import cli, formats, models
from tokparity.cli.against import _files, held_against
from tokparity.engines import deviations
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.vocabulary import Kind

pytestmark = pytest.mark.usefixtures("few_texts")

FEW = ("--cases", "20", "--corpus", "prompts")
ONE = ("--engine", "llama.cpp", *FEW)


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    """A small model as a GGUF."""
    formats.write(models.primary_source(models.load("small-bpe")), "gguf", tmp_path / "model.gguf")
    return tmp_path / "model.gguf"


@pytest.mark.parametrize("source", nightly_but(["a folder"], ["a file", "a known model", "a folder"]))
def test_a_file_is_held_against_a_source(
    source: str, gguf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file, a folder or a known name: the GGUF is right."""
    own = models.load("small-bpe").sources["tokenizer.json"]
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "tokenizer.json").write_bytes(own.read_bytes())
    words = {"a file": str(own), "a known model": "small-bpe", "a folder": str(tmp_path / "own")}
    assert 0 == cli.main(["check", str(gguf), "--against", words[source], *ONE, "--out", str(tmp_path / "out")])
    assert "Your file is right: model.gguf says what the model's own tokenizer says" in capsys.readouterr().out


def test_a_wrong_file_is_wrong(gguf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the key, a text that shows it, and the command that repairs it."""
    rewrite(gguf, {PREFIX + "pre": b"llama-bpe"}, tmp_path / "bad.gguf")
    words = ["check", str(tmp_path / "bad.gguf"), "--against", "small-bpe", *ONE, "--out", str(tmp_path / "out")]
    assert 1 == cli.main(words)
    out = capsys.readouterr().out
    assert 'Your GGUF is wrong: tokenizer.ggml.pre is "llama-bpe", should be "gpt-2" (on ' in out
    assert f"`tokparity doctor {tmp_path / 'bad.gguf'} --against small-bpe --write fixed.gguf`" in out


def test_a_file_that_is_a_known_one_is_judged_as_that(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where only the reference can judge the known model, nothing is lost by an export of it; another file is held
    against the export."""
    known = replace(models.from_files(gguf=gguf), name="known", oracle="reference", pinned=True)
    monkeypatch.setattr("tokparity.cli.arguments.model", lambda name: known)
    same, other = tmp_path / "same.gguf", tmp_path / "other.gguf"
    same.write_bytes(gguf.read_bytes())
    rewrite(gguf, {PREFIX + "pre": b"llama-bpe"}, other)
    told = "same.gguf says the same as the GGUF of known, which is known to be right"
    assert ("reference", {"gguf": same}) == (held_against([str(same)], "known").model.oracle, {"gguf": same})
    assert told in capsys.readouterr().err
    assert {"gguf", "tokenizer.json"} == set(held_against([str(other)], "known").model.sources)
    assert "" == capsys.readouterr().err


@pytest.mark.parametrize("name", ["llama-spm", "gpt-2"])
def test_a_known_model_that_is_a_gguf_says_all_that_it_says(name: str) -> None:
    """What its oracle is given has no place for whether BOS and EOS are added: the files beside it say that."""
    model = models.load(name)
    own = models.primary_source(model).behaviour
    (path,) = _files(model, "gguf").values()
    read = formats.read(path)
    assert (frozenset(), {}) == (read.assumed, read.disputed)
    assert (own.prefix_ids, own.suffix_ids) == (read.behaviour.prefix_ids, read.behaviour.suffix_ids)


@pytest.mark.nightly
def test_what_an_engine_alone_does_wrongly_is_no_fault_of_the_file(
    gguf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finding that nobody knows of the engine is told below: the reference decodes the file as the oracle does."""
    less = tuple(one for one in deviations.known("llama.cpp") if one.quirk != "cleans_up_spaces")
    for module in ("tokparity.engines.deviations", "tokparity.session.deviations"):
        monkeypatch.setattr(f"{module}.known", lambda engine: less if engine == "llama.cpp" else ())
    assert 0 == cli.main(["check", str(gguf), "--against", "small-bpe", *FEW, "--out", str(tmp_path / "out")])
    out = capsys.readouterr().out
    assert "Your file is right: model.gguf says what the model's own tokenizer says" in out
    assert "llama.cpp-cleans_up_spaces" in out


@pytest.mark.parametrize(("name", "code"), [("<|user|>", 0), ("user", 1)])
def test_a_token_that_the_converter_makes_special_by_its_name_is_right(
    name: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its findings are told with that cause; one whose name is not a reason is wrong."""
    own = json.loads(models.load("small-bpe").sources["tokenizer.json"].read_text(encoding="utf-8"))
    size = max(own["model"]["vocab"].values()) + 1
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    own["added_tokens"] = [{"id": size, "content": name, "special": False, **flags}]
    (tmp_path / "tokenizer.json").write_text(json.dumps(own), encoding="utf-8")
    formats.write(formats.read(tmp_path / "tokenizer.json"), "gguf", tmp_path / "plain.gguf")
    kinds = array("i", read_metadata(tmp_path / "plain.gguf").get(PREFIX + "token_type"))
    kinds[size] = Kind.CONTROL
    rewrite(tmp_path / "plain.gguf", {PREFIX + "token_type": kinds}, tmp_path / "model.gguf")
    words = ["check", str(tmp_path / "model.gguf"), "--against", str(tmp_path / "tokenizer.json"), *FEW]
    assert code == cli.main([*words, "--out", str(tmp_path / "out")])
    said = f'tokenizer.ggml.token_type makes "{name}" CONTROL because of the name, as llama.cpp\'s converter does'
    assert (code == 0) == (said in capsys.readouterr().out)


def test_against_takes_one_file_of_another_format(gguf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be held against each other is said, with the command that does it."""
    assert 2 == cli.main(["check", str(gguf), str(gguf), "--against", "small-bpe"])
    assert "write: tokparity check FILE --against SOURCE" in capsys.readouterr().err
    assert 2 == cli.main(["check", str(gguf), "--against", str(gguf)])
    assert "`tokparity lint " in capsys.readouterr().err


def test_a_folder_is_held_against_a_source(gguf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its GGUF, or by its only file; of several others one is to be named."""
    own = models.load("small-bpe").sources["tokenizer.json"]
    words = ["--against", str(own), *ONE, "--out", str(tmp_path / "out")]
    folder = tmp_path / "mine"
    folder.mkdir()
    assert 2 == cli.main(["check", str(folder), *words])
    gguf.rename(folder / "model.gguf")
    assert 0 == cli.main(["check", str(folder), *words])
    assert "Your file is right: model.gguf says what" in capsys.readouterr().out
    (folder / "tokenizer.json").write_bytes(own.read_bytes())
    assert 0 == cli.main(["check", str(folder), *words])
    (folder / "model.gguf").unlink()
    assert 2 == cli.main(["check", str(folder), *words])
    assert f"are both tokenizer.json: check compares two formats of one tokenizer; `tokparity lint {folder}" in (
        capsys.readouterr().err
    )
    spm = models.load("small-spm").sources["sentencepiece"]
    (folder / "tokenizer.model").write_bytes(spm.read_bytes())
    assert 2 == cli.main(["check", str(folder), *words])
    assert "holds several files, and check compares one: " in capsys.readouterr().err


@pytest.mark.nightly
def test_a_file_that_is_no_gguf_is_held_against_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also against a known model that is nothing but a GGUF; which of the two is judged is said."""
    path = tmp_path / "tokenizer.json"
    formats.write(models.primary_source(models.load("gpt-2")), "tokenizer.json", path)
    assert 0 == cli.main(["check", str(path), "--against", "gpt-2", *ONE, "--out", str(tmp_path / "out")])
    said = capsys.readouterr()
    assert "the GGUF is the file under test: ggml-vocab-gpt-2.gguf is compared with tokenizer.json" in said.err
    assert "Your file is right: ggml-vocab-gpt-2.gguf says what" in said.out


def test_our_export_of_a_source_says_what_its_gguf_says(tmp_path: Path) -> None:
    """A SentencePiece file has no place for add_bos_token: it stands beside the export that a file is held against."""
    formats.write(models.primary_source(models.load("small-unigram")), "gguf", tmp_path / "plain.gguf")
    said = {PREFIX + "add_bos_token": True, PREFIX + "bos_token_id": 1}
    rewrite(tmp_path / "plain.gguf", said, tmp_path / "model.gguf")
    model = models.of_formats({"gguf": tmp_path / "model.gguf"}, "model")
    found = formats.read(models.prepare(model, ("sentencepiece",), alone=False).path)
    assert (frozenset(), (1,)) == (found.assumed, found.behaviour.prefix_ids)
    assert "add_bos_token" in formats.read(models.prepare(model, ("sentencepiece",)).path).assumed


@pytest.mark.nightly
def test_two_words_that_are_one_question_are_told(
    gguf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A GGUF and what is none: the command that judges the one by the other is printed first."""
    own = models.load("small-bpe").sources["tokenizer.json"]
    cli.main(["check", str(gguf), str(own), *FEW, "--engine", "tokenizers", "--out", str(tmp_path / "out")])
    assert f"tokparity check {gguf} --against {own}" in capsys.readouterr().err


def test_two_known_models_are_told_as_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not as one with 2,800 wrong pieces."""
    formats.write(models.primary_source(models.load("small-spm")), "gguf", tmp_path / "m.gguf")
    assert 2 == cli.main(["check", str(tmp_path / "m.gguf"), "--against", "small-unigram", *FEW])
    assert "these are two models: the source has the vocabulary of small-unigram, the GGUF has that of small-spm" in (
        capsys.readouterr().err
    )
