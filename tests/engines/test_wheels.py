"""Engines from wheels: each in an environment of its own, made when it is named, asked only what it can."""

from __future__ import annotations

import subprocess
from ast import literal_eval
from pathlib import Path

import pytest

from tokparity import engines, formats
from tokparity.case import text_case
from tokparity.difference import Difference
from tokparity.engines.buffers import Texts
from tokparity.engines.environment import worker
from tokparity.engines.environment.build import environment
from tokparity.engines.environment.released import NODE, REQUIREMENTS, WHEELS
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError, UsageError
from tokparity.finding import Mismatch
from tokparity.models import load, prepare, primary_source
from tokparity.outcome import Encoding
from tokparity.report.render.reproduction import script

ADAPTERS = Path(worker.__file__).parent / "adapters"
LIGHT = ("fastokens", "kitoken", "morpheme", "tokie")
"""Those that take a few megabytes each."""


def test_each_has_an_adapter() -> None:
    """One file for each engine that can be had at a version, and none besides; llama.cpp shares that of xllamacpp."""
    files = {path.stem for path in ADAPTERS.glob("*.py")} - {"__init__"}
    assert set(WHEELS) < set(REQUIREMENTS)
    assert {name.replace("-", "_") for name in set(REQUIREMENTS) - {"llama.cpp", *NODE}} == files


def test_none_takes_part_unasked() -> None:
    """They are not engines of the default panel: nothing is installed that nobody asked for."""
    assert set() == set(WHEELS) & set(engines.names())
    assert "kitoken@0.10.1" == engines.get("kitoken@0.10.1").NAME
    with pytest.raises(UsageError, match="did you mean 'kitoken'"):
        engines.get("kitokem")


@pytest.mark.parametrize("name", LIGHT)
def test_it_gives_what_the_oracle_gives(name: str) -> None:
    """Plain texts on a small model; where a special token is spelled, one that always recognizes it is not asked."""
    try:
        environment(name, WHEELS[name].version)
    except EngineError as error:
        if "could not be reached" not in str(error):
            raise
        pytest.skip(f"no package index here: {error}")
    prepared = prepare(load("small-bpe"), WHEELS[name].formats)
    texts = Texts.from_list([b"a b", "naïve café".encode(), b"", b"x<|endoftext|>y"])
    with (
        Client(name, str(prepared.path), prepared.options) as client,
        Client("tokenizers", str(prepared.path), prepared.options) as oracle,
    ):
        assert client.wait_ready().startswith(f"{name} {WHEELS[name].version} ")
        expected, actual = (one.encode(texts, False, False) for one in (oracle, client))
        unsupported = {i for i, failure in actual.failures if failure.kind == "unsupported"}
        assert unsupported == ({3} if name in ("morpheme", "tokie") else set())
        assert expected.ids.to_list()[:3] == actual.ids.to_list()[:3]
        again = [one.encode(texts, False, True).ids.to_list() for one in (oracle, client)]
        assert again[0] == again[1]


@pytest.mark.parametrize("name", LIGHT)
def test_a_script_with_the_library_alone_gives_the_same(name: str, tmp_path: Path) -> None:
    """The ids of a text, and what they decode to, as our adapter has them."""
    try:
        python = environment(name, WHEELS[name].version).python
    except EngineError as error:
        if "could not be reached" not in str(error):
            raise
        pytest.skip(f"no package index here: {error}")
    prepared = prepare(load("small-bpe"), WHEELS[name].formats)
    (tmp_path / "tokenizer.json").symlink_to(prepared.path)
    text = "naïve  café 世".encode()
    with Client(name, str(prepared.path), prepared.options) as client:
        ids = client.encode(Texts.from_list([text]), False, True).ids
        decoded = client.decode(ids, name != "tokie").decoded.to_list()[0]
    for difference, given in ((Difference("ids", 0), ids.to_list()[0]), (Difference("decode", 0), decoded)):
        wrong = Encoding((7,), b"x")
        case = text_case(text, add_special=False, parse_special=True)
        lines = script(Mismatch(case, "small-bpe", name, "tokenizers", wrong, wrong, difference), "tokenizer.json")
        assert lines is not None
        said = subprocess.run(
            [str(python), "-I", "-c", "\n".join(lines)], cwd=tmp_path, capture_output=True, check=True, text=True
        ).stdout
        actual = literal_eval(said.splitlines()[-1].removeprefix("actual   "))
        assert given == (actual.encode() if isinstance(actual, str) else actual)


def test_an_engine_of_several_formats_is_told_which_it_is(tmp_path: Path) -> None:
    """A SentencePiece model is not a tokenizer.json."""
    try:
        environment("kitoken", WHEELS["kitoken"].version)
    except EngineError as error:
        if "could not be reached" not in str(error):
            raise
        pytest.skip(f"no package index here: {error}")
    prepared = prepare(load("small-spm"), WHEELS["kitoken"].formats)
    assert "sentencepiece" == prepared.format
    with Client("kitoken", str(prepared.path), prepared.options) as client:
        ids = client.encode(Texts.from_list(["naïve café".encode()]), True, False).ids
        assert [[1, 455, 2748, 716, 282, 1178, 1205, 1306]] == ids.to_list()


@pytest.mark.parametrize(("model", "expected"), [("small-spm", "identity"), ("small-unigram", "user_defined")])
def test_our_exports_have_names_that_other_engines_know(model: str, expected: str, tmp_path: Path) -> None:
    """kitoken refuses a normalizer with a name of ours."""
    source = primary_source(load(model))
    formats.write(source, "sentencepiece", tmp_path / "a.model")
    own = str(source.metadata["normalizer"])
    name = str(formats.read(tmp_path / "a.model").metadata["normalizer"])
    assert (own if expected == "user_defined" else expected) == name
    bare = formats.Source("gguf", source.path, source.vocabulary, source.behaviour)
    formats.write(bare, "sentencepiece", tmp_path / "b.model")
    assert expected == str(formats.read(tmp_path / "b.model").metadata["normalizer"])
