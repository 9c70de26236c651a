"""What transformers is given of a model's folder: data files, and a configuration that leads nowhere else."""

from __future__ import annotations

import json
import os
import pickle
import sys
import types
from pathlib import Path

import pytest

from tokparity.engines.environment import build
from tokparity.engines.environment.adapters.transformers import Model
from tokparity.engines.environment.build import environment
from tokparity.engines.environment.placed import placed, read_object
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError
from tokparity.loader.library import Library

ELSEWHERE = ("/etc/passwd", "../vocab.json", "https://example.org/vocab.json", "owner/model")


class Bomb:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return (open, (str(self.path), "w"))


def folder(path: Path, tokenizer: object, config: object) -> Path:
    """A model's folder with a configuration, data files and files that can hold code."""
    path.mkdir()
    (path / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    (path / "config.json").write_text(json.dumps(config))
    (path / "vocab.pkl").write_bytes(pickle.dumps(Bomb(path.parent / "run")))
    for name in ("tokenizer.json", "merges.txt", "spiece.model", "tokenization_x.py", "vocab.bin", "x.pt", "x.msgpack"):
        (path / name).write_text("{}")
    (path / "sub").mkdir()
    os.mkfifo(path / "vocab.txt")
    return path


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `placed` sets in this process is put back."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "0")


def test_only_data_files_are_there(tmp_path: Path) -> None:
    """Files with code or pickles, folders and pipes never reach transformers, whatever the options are."""
    path = folder(tmp_path / "model", {"tokenizer_class": "BertTokenizer"}, {"model_type": "bert"})
    expected = {"config.json", "merges.txt", "spiece.model", "tokenizer.json", "tokenizer_config.json"}
    for options in ({}, {"tokenizer_class": "LlamaTokenizer"}):
        with placed(str(path), options) as found:
            assert expected == set(os.listdir(found))
        assert not Path(found).exists()


@pytest.mark.parametrize("place", ELSEWHERE)
@pytest.mark.parametrize("key", ["vocab_file", "pretrained_vocab_file", "tokenizer_file", "_name_or_path", "merges"])
def test_a_configuration_leads_nowhere_else(key: str, place: str, tmp_path: Path) -> None:
    """No file, folder or URL that a configuration names is passed on, at any depth; all else is."""
    said = {key: place, "sp_model_kwargs": {"model_file": place, "alpha": 0.1}, "init_inputs": [place], "legacy": False}
    path = folder(tmp_path / "model", said, {"model_type": "bert", key: place, "encoder": {key: place}})
    with placed(str(path), {}) as found:
        tokenizer, config = (read_object(f"{found}/{name}") for name in ("tokenizer_config.json", "config.json"))
    assert {"sp_model_kwargs": {"alpha": 0.1}, "legacy": False} == tokenizer
    assert {"model_type": "bert", "encoder": {}} == config


def test_code_is_not_named(tmp_path: Path) -> None:
    """`auto_map` and `trust_remote_code` go; of versioned files, the names without a folder stay."""
    said = {"auto_map": {"AutoTokenizer": ["x.X", None]}, "trust_remote_code": True, "bos_token": "/"}
    files = {"fast_tokenizer_files": ["tokenizer.4.0.json", "tokenizer./../../x.json"]}
    path = folder(tmp_path / "model", {**said, **files}, said)
    with placed(str(path), {}) as found:
        assert {"bos_token": "/", "fast_tokenizer_files": ["tokenizer.4.0.json"]} == read_object(
            f"{found}/tokenizer_config.json"
        )
        assert {"bos_token": "/"} == read_object(f"{found}/config.json")


@pytest.mark.parametrize(
    ("tokenizer", "config", "options"),
    [
        ({"tokenizer_class": "TransfoXLTokenizer"}, {}, {}),
        ({"tokenizer_class": "TransfoXLTokenizerFast"}, {}, {}),
        ({}, {"tokenizer_class": "TransfoXLTokenizer"}, {}),
        ({}, {"model_type": "transfo-xl"}, {}),
        ({}, {"model_type": "encoder-decoder", "encoder": {"model_type": "transfo-xl"}}, {}),
        ({}, {}, {"model_type": "transfo-xl"}),
        ({}, {}, {"tokenizer_type": "transfo-xl"}),
    ],
)
def test_a_class_that_unpickles_is_refused(
    tokenizer: dict[str, object], config: dict[str, object], options: dict[str, object], tmp_path: Path
) -> None:
    """By whichever name, wherever it stands."""
    path = folder(tmp_path / "model", tokenizer, config)
    with pytest.raises(ValueError, match="reads its vocabulary with pickle"), placed(str(path), options):
        pass


def test_the_hub_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For libraries that are imported later, and for one that has read its settings already."""
    imported = types.SimpleNamespace(HF_HUB_OFFLINE=False)
    monkeypatch.setitem(sys.modules, "huggingface_hub.constants", imported)  # type: ignore[misc]
    with placed(str(folder(tmp_path / "model", {}, {})), {}):
        assert ("1", "1") == (os.environ["HF_HUB_OFFLINE"], os.environ["TRANSFORMERS_OFFLINE"])
        assert imported.HF_HUB_OFFLINE is True


def test_the_engine_refuses_a_class_that_unpickles(tmp_path: Path) -> None:
    """The engine of our own environment says why, and runs nothing."""
    path = folder(tmp_path / "model", {"tokenizer_class": "TransfoXLTokenizer"}, {})
    with Client("transformers", str(path)) as client, pytest.raises(EngineError, match="reads its vocabulary with pi"):
        client.wait_ready()
    assert not (tmp_path / "run").exists()


def test_a_library_without_a_switch_for_special_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """transformers before 4.26 refuses `split_special_tokens`: it is not asked for it, and always parses them."""

    def tokenizer(texts: list[str], add_special_tokens: bool, **flags: bool) -> dict[str, list[list[int]]]:
        if "split_special_tokens" in flags:
            raise TypeError("unexpected keyword argument 'split_special_tokens'")
        return {"input_ids": [[len(text)] for text in texts]}

    model = Model.__new__(Model)
    model.switch = ("split_special_tokens",)
    model.tokenizer = tokenizer
    monkeypatch.setattr(tokenizer, "all_special_tokens", ["<s>"], raising=False)
    assert {
        "streams": False,
        "spans": False,
        "parse_special": [True],
        "add_special": [False, True],
    } == model.capabilities()
    assert [[1], [2]] == model.encode(["a", "bc"], False, True)


def test_no_pickle_runs_in_an_old_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """transformers 4.30.2 would unpickle vocab.pkl: by its class, by its type, by a path in the configuration."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))
    needs = (*build.REQUIREMENTS["transformers"], "sacremoses")  # which the class that unpickles asks for
    monkeypatch.setattr(build, "REQUIREMENTS", {**build.REQUIREMENTS, "transformers": needs})
    try:
        python = str(environment("transformers", "4.30.2").python)
    except EngineError as error:
        pytest.skip(f"no package index here: {error.message[-60:]}")
    bomb = str(tmp_path / "bomb" / "vocab.pkl")
    folder(tmp_path / "bomb", {}, {})
    for place, (tokenizer, config) in enumerate(
        [
            ({"tokenizer_class": "TransfoXLTokenizer"}, {}),
            ({}, {"model_type": "transfo-xl"}),
            ({"tokenizer_class": "BertTokenizer", "pretrained_vocab_file": bomb}, {"model_type": "bert"}),
            ({"tokenizer_class": "BertTokenizer", "auto_map": {"AutoTokenizer": ["x.X", None]}}, {}),
        ]
    ):
        path = folder(tmp_path / f"model{place}", tokenizer, config)
        with Client(f"transformers@{python}", str(path)) as client, pytest.raises(EngineError):
            client.wait_ready()
        library = Library("transformers", python)
        with pytest.raises(EngineError):
            library.open(str(path), {})
        library.close()
    assert not (tmp_path / "run").exists()


class Older:
    """AutoTokenizer of a version that reads no merges as pairs."""

    @staticmethod
    def from_pretrained(path: str, **_: object) -> object:
        """The merges; ValueError for those that it cannot read."""
        merges = json.loads(Path(path, "tokenizer.json").read_text())["model"]["merges"]
        if not all(isinstance(merge, str) for merge in merges):
            raise ValueError("no variant of untagged enum ModelWrapper")
        return merges


@pytest.mark.parametrize(("merges", "read"), [([["a", "b"], ["b", "c"]], ["a b", "b c"]), ([["a ", "b"]], None)])
def test_an_older_version_reads_merges_as_it_knows_them(
    merges: list[list[str]], read: list[str] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merges as pairs are of a newer library; where they cannot be written otherwise, the file is refused as it is."""
    older = types.ModuleType("transformers")
    older.AutoTokenizer = Older  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", older)
    path = tmp_path / "tokenizer.json"
    path.write_text(content := json.dumps({"model": {"merges": merges}}))
    if read is None:
        with pytest.raises(ValueError, match="no variant"):
            Model(str(tmp_path), {}, "directory")
    else:
        assert read == Model(str(tmp_path), {}, "directory").tokenizer
    assert content == path.read_text()
