"""Models given as files, as a directory, by the hub's name."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tokparity import formats, models
from tokparity.errors import FormatError, UsageError
from tokparity.models.record import EMBEDDED

SPM, UNIGRAM, BPE = (EMBEDDED / name for name in ("small-spm.model", "small-unigram.model", "small-bpe.json"))


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    """A GGUF of the small SPM model."""
    path = tmp_path / "toy.gguf"
    formats.write(formats.read(SPM), "gguf", path)
    return path


def test_the_oracle_belongs_to_the_most_trustworthy_file(gguf: Path) -> None:
    """SentencePiece before tokenizer.json before GGUF; a GGUF alone is judged by what it was trained with."""
    assert "sentencepiece" == models.from_files(gguf=gguf, sentencepiece=SPM, tokenizer_json=BPE).oracle
    assert "tokenizers" == models.from_files(gguf=gguf, tokenizer_json=BPE).oracle
    assert "sentencepiece" == models.from_files(gguf=gguf).oracle
    assert "sentencepiece" == models.primary_format(models.from_files(gguf=gguf, sentencepiece=SPM))


def test_a_gguf_of_bpe_is_judged_by_tokenizers(tmp_path: Path) -> None:
    """GPT-2's kind was trained with Hugging Face's library."""
    formats.write(formats.read(BPE), "gguf", tmp_path / "b.gguf")
    assert "tokenizers" == models.from_files(gguf=tmp_path / "b.gguf").oracle


def test_a_directory_gives_all_its_files(gguf: Path, tmp_path: Path) -> None:
    """Each file in its format; two of one format are ambiguous."""
    shutil.copy(BPE, tmp_path / "tokenizer.json")
    shutil.copy(SPM, tmp_path / "tokenizer.model")
    model = models.resolve(str(tmp_path))
    assert {"gguf", "sentencepiece", "tokenizer.json"} == set(model.sources)
    assert (tmp_path.name, "sentencepiece") == (model.name, model.oracle)
    shutil.copy(UNIGRAM, tmp_path / "other.model")
    with pytest.raises(UsageError, match=r"several files in the format sentencepiece: other\.model, tokenizer\.model"):
        models.resolve(str(tmp_path))


def test_a_file_is_a_model(gguf: Path) -> None:
    """Named after the file."""
    model = models.resolve(str(gguf))
    assert ("toy", {"gguf": gguf}) == (model.name, dict(model.sources))


def test_what_is_no_model(tmp_path: Path) -> None:
    """An unknown name suggests close ones; missing files, empty directories and other files are named."""
    with pytest.raises(UsageError, match="unknown model 'gema-4'; did you mean gemma-4"):
        models.resolve("gema-4")
    for path in ("nope.gguf", "nope/tokenizer.JSON", "nope.MODEL"):
        with pytest.raises(UsageError, match=f"there is no file or directory '{path}'"):
            models.resolve(path)
    with pytest.raises(UsageError, match="holds no tokenizer"):
        models.resolve(str(tmp_path))
    with pytest.raises(UsageError, match=r"there is no file 'nowhere\.gguf'"):
        models.from_files(gguf="nowhere.gguf")
    with pytest.raises(UsageError, match="no file was given"):
        models.from_files()
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(FormatError, match=r"x\.json"):
        models.primary_source(models.resolve(str(tmp_path / "x.json")))


def test_a_hub_id_offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a connection the message says so, and what to do."""
    import huggingface_hub
    from huggingface_hub.errors import LocalEntryNotFoundError

    def offline(*_: object, **__: object) -> str:
        raise LocalEntryNotFoundError("no connection")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", offline)
    with pytest.raises(
        UsageError, match=r"the Hugging Face hub could not give 'some/model': no connection; check the name"
    ):
        models.resolve("hf:some/model")


def test_a_hub_id_online(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only the tokenizer's data files are asked for; the model keeps the hub's name."""
    import huggingface_hub

    asked: dict[str, object] = {}

    def download(hub_id: str, **options: object) -> str:
        asked.update(options, id=hub_id)
        shutil.copy(SPM, tmp_path / "tokenizer.model")
        return str(tmp_path)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    model = models.resolve("hf:some/model")
    assert ("some/model", "sentencepiece") == (model.name, model.oracle)
    assert "*.py" not in str(asked["allow_patterns"])
    assert "tokenizer.json" in asked["allow_patterns"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("modles/mymodel", r"'modles/mymodel'; the nearest path is 'models/mymodel', `hf:modles/mymodel` asks"),
        ("models/mymodle/", r"'models/mymodle/'; the nearest path is 'models/mymodel'$"),
        ("models/zzzz", r"the nearest path is 'models', `hf:models/zzzz`"),
        ("./modles/mymodel/deep/er", r"the nearest path is 'models/mymodel'$"),
        ("org/name", r"no file or directory 'org/name'; `hf:org/name` asks the Hugging Face hub$"),
        ("a/b/c", r"no file or directory 'a/b/c'; check the path$"),
    ],
)
def test_a_mistyped_path_asks_no_network(word: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A word with a slash is a path unless it begins with hf:."""
    import huggingface_hub

    def refuse(*_: object, **__: object) -> str:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", refuse)
    (tmp_path / "models" / "mymodel").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=said):
        models.resolve(word)


@pytest.mark.parametrize("given", ["pipe", "folder"])
def test_a_named_pipe_is_no_model(tmp_path: Path, given: str) -> None:
    """Nobody waits for somebody to write into it, be it given or found in a folder."""
    os.mkfifo(tmp_path / "tokenizer.json")
    word = str(tmp_path / "tokenizer.json" if given == "pipe" else tmp_path)
    for use in (models.resolve, formats.read):
        with pytest.raises(UsageError, match=r"tokenizer\.json' is not a regular file"):
            use(word)


@pytest.mark.parametrize("word", ["a" * 5000, "a\0b", "\udcff", "x" * 300 + "/y z"])
def test_a_word_that_no_file_can_be_called(word: str) -> None:
    """It is an unknown model or path, not a traceback."""
    with pytest.raises(UsageError, match=r"unknown model|there is no file"):
        models.resolve(word)


def test_other_vocabularies_are_of_sources(tmp_path: Path) -> None:
    """A GGUF has rows that no source has; a file that cannot be read has none."""
    source = models.primary_source(models.load("small-spm"))
    for format, name in (("sentencepiece", "a.model"), ("gguf", "a.gguf"), ("tokenizer.json", "tokenizer.json")):
        formats.write(source, format, tmp_path / name, alone=True)
    assert 1 == len([*models.other_vocabularies(models.from_path(tmp_path))])
    given = {"sentencepiece": tmp_path / "a.model", "tokenizer_json": tmp_path / "none.json"}
    (tmp_path / "none.json").write_text("{}", encoding="utf-8")
    assert [] == [*models.other_vocabularies(models.from_files(**given))]
