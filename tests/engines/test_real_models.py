"""Each library's engine gives the ids that the library is known to give on real models."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from tokparity.engines.buffers import Ids, Texts, differing
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError

SUFFIX = {"sentencepiece": ".model", "tokenizers": ".json"}
PAIRS = [
    *(("sentencepiece", model) for model in ("llama2", "mistral01", "nai-t5", "xlnet_base_cased")),
    *(
        ("tokenizers", model)
        for model in ("bert_base_cased", "clip_base", "gpt2", "llama2", "mistral01", "xlnet_base_cased")
    ),
]
PARTS = ("small", "mixed", "utf8")
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|"
    r"\s*[\r\n]|\s+(?!\S)|\s"
)


def _texts(folder: Path, part: str) -> list[bytes]:
    text = (folder / f"expected/{part}_input.txt").read_text(encoding="utf-8")
    if part == "utf8":
        return [text.encode()]
    lines = text.removesuffix("\n").split("\n")
    return [line.replace("\\n", "\n").replace("\\s", " ").replace("\\x", "").encode() for line in lines]


def _expected(folder: Path, library: str, model: str, part: str) -> Ids:
    text = (folder / f"expected/{library}.{model}.{part}.tokens.txt").read_text(encoding="utf-8")
    return Ids.from_list([[int(i) for i in line.split(",") if i] for line in text.removesuffix("\n").split("\n")])


def _check(folder: Path, engine: str, path: Path, names: tuple[str, str], options: dict[str, object]) -> None:
    # The expected ids are those of each library's defaults: all but SentencePiece recognize special tokens in a text.
    parse_special = names[0] != "sentencepiece"
    with Client(engine, str(path), options) as client:
        for part in PARTS:
            texts = Texts.from_list(_texts(folder, part))
            result = client.encode(texts, False, parse_special)
            expected = _expected(folder, *names, part)
            assert () == result.failures
            assert [] == [(part, texts[i]) for i in differing(expected, result.ids)]


@pytest.mark.parametrize(("library", "model"), PAIRS)
def test_expected_ids(shared_models: Path, library: str, model: str) -> None:
    """SentencePiece and tokenizers, on their own files."""
    path = shared_models / library / f"{model}{SUFFIX[library]}"
    _check(shared_models, library, path, (library, model), {})


def test_expected_ids_of_tiktoken(shared_models: Path) -> None:
    """A .tiktoken file, with the pattern and special tokens from the options."""
    options: dict[str, object] = {
        "pattern": CL100K,
        "special_tokens": {"<|endoftext|>": 100257},
        "suffix_ids": [100257],
    }
    path = shared_models / "tiktoken/cl100k_base.tiktoken"
    _check(shared_models, "tiktoken", path, ("tiktoken", "cl100k_base"), options)
    with Client("tiktoken", str(path), options) as client:
        text = Texts.from_list([b"hello<|endoftext|>"])
        assert [[15339, 100257, 100257]] == client.encode(text, True, True).ids.to_list()
        plain = client.encode(text, False, False).ids
        assert 100257 not in plain[0]
        assert [b"hello<|endoftext|>"] == client.decode(plain, False).decoded.to_list()


def test_transformers_on_a_directory(shared_models: Path, tmp_path: Path) -> None:
    """AutoTokenizer on llama2's tokenizer.json gives the ids of the raw file, and honors every flag."""
    (tmp_path / "tokenizer.json").write_bytes((shared_models / "tokenizers/llama2.json").read_bytes())
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    _check(shared_models, "transformers", tmp_path, ("tokenizers", "llama2"), {})
    with Client("transformers", str(tmp_path)) as client:
        text = Texts.from_list([b"a</s>"])
        parsed, plain = client.encode(text, False, True).ids, client.encode(text, False, False).ids
        assert 2 == parsed[0][-1]
        assert 2 not in plain[0]
        assert [1, *parsed[0]] == client.encode(text, True, True).ids[0].tolist()
        assert [b"<s> a"] == client.decode(Ids.from_list([[1, 263]]), False).decoded.to_list()
        assert b"<s>" not in client.decode(Ids.from_list([[1, 263]]), True).decoded[0]


def test_mistral_common_agrees_with_sentencepiece(shared_models: Path) -> None:
    """Its SentencePiece wrapper on mistral01's .model gives SentencePiece's ids, and BOS on demand."""
    path = shared_models / "sentencepiece/mistral01.model"
    _check(shared_models, "mistral-common", path, ("sentencepiece", "mistral01"), {})
    with Client("mistral-common", str(path)) as client:
        assert 1 == client.encode(Texts.from_list([b"a"]), True, False).ids[0][0]


def test_tekken(tmp_path: Path) -> None:
    """A Tekken file made here: bytes and one merge behind ten special tokens, no special token recognized in a text."""
    pieces = [bytes([i]) for i in range(256)] + [b"ab"]
    vocabulary = [
        {"rank": i, "token_bytes": base64.b64encode(piece).decode(), "token_str": None}
        for i, piece in enumerate(pieces)
    ]
    special = [{"rank": i, "token_str": name, "is_control": True} for i, name in enumerate(["<unk>", "<s>", "</s>"])]
    config = {
        "pattern": r"\S+|\s+",
        "num_vocab_tokens": 257,
        "default_vocab_size": 267,
        "default_num_special_tokens": 10,
        "version": "v7",
    }
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps({"config": config, "vocab": vocabulary, "special_tokens": special}))
    with Client("mistral-common", str(path)) as client:
        ids = client.encode(Texts.from_list([b"ab a", b"<s>"]), True, False).ids
        assert [[1, 266, 42, 107], [1, *(10 + byte for byte in b"<s>")]] == ids.to_list()
        assert [b"<s>ab a", b"<s><s>"] == client.decode(ids, False).decoded.to_list()
        assert [b"ab a", b"<s>"] == client.decode(ids, True).decoded.to_list()
        assert "unsupported" == client.encode(Texts.from_list([b"a"]), True, True).failed[0].kind


def test_sentencepiece_takes_bytes_and_options(shared_models: Path) -> None:
    """Invalid UTF-8 arrives, and add_special adds what the options say."""
    options = {"prefix_ids": [1], "suffix_ids": [2]}
    with Client("sentencepiece", str(shared_models / "sentencepiece/llama2.model"), options) as client:
        result = client.encode(Texts.from_list([b"a\xffb", b"a\0b"]), True, False)
        assert [[1, 263, 30140, 29890, 2], [1, 263, 3, 29890, 2]] == result.ids.to_list()
        decoded = client.decode(Ids.from_list([[1, 263], [999_999]]), True)
        assert [b"a", b""] == decoded.decoded.to_list()
        assert [(1, "error")] == [(i, failure.kind) for i, failure in decoded.failures]


@pytest.mark.parametrize("engine", ["llama.cpp", "sentencepiece", "tokenizers", "transformers", "mistral-common"])
def test_a_file_that_is_no_model(engine: str, tmp_path: Path) -> None:
    """Each engine refuses it and names the path."""
    path = tmp_path / "nothing"
    path.write_bytes(b"this is not a model")
    with Client(engine, str(path)) as client, pytest.raises(EngineError, match="nothing"):
        client.wait_ready()
