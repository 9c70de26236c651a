"""What an engine is given to open."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tokparity import formats, models
from tokparity.errors import CannotExpressError
from tokparity.formats.beside import spelled
from tokparity.models.prepare import prepare
from tokparity.models.record import EMBEDDED

SPM = EMBEDDED / "small-spm.model"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))


def test_an_own_file_is_given_as_it_is() -> None:
    """With the ids that go around a text, which the format doesn't say."""
    prepared = prepare(models.load("small-spm"), ("sentencepiece",))
    assert (SPM, "sentencepiece", False) == (prepared.path, prepared.format, prepared.exported)
    assert {"prefix_ids": (1,), "suffix_ids": ()} == dict(prepared.options)


def test_an_export_is_written_once() -> None:
    """The second time the same file is there, untouched."""
    first = prepare(models.load("small-spm"), ("gguf",))
    assert (True, "gguf") == (first.exported, first.format)
    before = first.path.stat().st_mtime_ns
    assert first == prepare(models.load("small-spm"), ("gguf",))
    assert before == first.path.stat().st_mtime_ns
    assert formats.read(SPM).vocabulary == formats.read(first.path).vocabulary


def test_another_content_is_another_export(tmp_path: Path) -> None:
    """The key of an export is the source's content, not its name."""
    path = tmp_path / "m.model"
    shutil.copy(SPM, path)
    first = prepare(models.from_files(sentencepiece=path), ("gguf",))
    shutil.copy(EMBEDDED / "small-unigram.model", path)
    other = tmp_path / "other" / "m.model"
    other.parent.mkdir()
    shutil.copy(path, other)
    assert first.path != prepare(models.from_files(sentencepiece=other), ("gguf",)).path
    assert first.path == prepare(models.load("small-spm"), ("gguf",)).path


def test_the_oracles_own_file_comes_first(tmp_path: Path) -> None:
    """An engine that opens every format opens what the oracle opens."""
    path = tmp_path / "m.gguf"
    formats.write(formats.read(SPM), "gguf", path)
    model = models.from_files(gguf=path, sentencepiece=SPM)
    assert "sentencepiece" == prepare(model, ("gguf", "sentencepiece", "tokenizer.json")).format
    assert "gguf" == prepare(model, ("gguf",)).format


def test_what_no_format_has_words_for() -> None:
    """The first refusal is passed on."""
    with pytest.raises(CannotExpressError, match="sentencepiece cannot express the algorithm"):
        prepare(models.load("small-bpe"), ("sentencepiece",))


def test_a_directory_for_transformers() -> None:
    """A tokenizer.json and a configuration that adds nothing to it."""
    prepared = prepare(models.load("small-wordpiece"), ("directory",))
    names = {path.name for path in prepared.path.iterdir()}
    assert {"config.json", "tokenizer.json", "tokenizer_config.json"} == names
    own = models.load("small-wordpiece").sources["tokenizer.json"]
    assert own.read_bytes() == (prepared.path / "tokenizer.json").read_bytes()
    config = json.loads((prepared.path / "tokenizer_config.json").read_text())
    assert "PreTrainedTokenizerFast" == config["tokenizer_class"]


def test_a_directory_that_has_a_configuration_is_taken_as_it_is(tmp_path: Path) -> None:
    """It is how the model was published."""
    shutil.copy(EMBEDDED / "small-wordpiece.json", tmp_path / "tokenizer.json")
    (tmp_path / "tokenizer_config.json").write_text("{}")
    prepared = prepare(models.resolve(str(tmp_path)), ("directory",))
    assert (tmp_path, False) == (prepared.path, prepared.exported)


def test_the_configuration_names_only_tokens_that_are_there() -> None:
    """A role that is not an added token would make transformers add one."""
    config = spelled(formats.read(EMBEDDED / "small-unigram.model"))
    assert ("<unk>", "</s>") == (config["unk_token"], config["eos_token"])
    assert "bos_token" not in config
