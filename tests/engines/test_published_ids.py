"""Each library's engine gives the ids that the library is known to give on real models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.shared_models import SHARED_MODELS, skip_the_module
from tokparity.engines.buffers import Ids, Texts, differing
from tokparity.engines.process.client import Client

skip_the_module()
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
def test_expected_ids(library: str, model: str) -> None:
    """SentencePiece and tokenizers, on their own files."""
    path = SHARED_MODELS / library / f"{model}{SUFFIX[library]}"
    _check(SHARED_MODELS, library, path, (library, model), {})


def test_expected_ids_of_tiktoken() -> None:
    """A .tiktoken file, with the pattern and special tokens from the options."""
    options: dict[str, object] = {
        "pattern": CL100K,
        "special_tokens": {"<|endoftext|>": 100257},
        "suffix_ids": [100257],
    }
    path = SHARED_MODELS / "tiktoken/cl100k_base.tiktoken"
    _check(SHARED_MODELS, "tiktoken", path, ("tiktoken", "cl100k_base"), options)
    with Client("tiktoken", str(path), options) as client:
        text = Texts.from_list([b"hello<|endoftext|>"])
        assert [[15339, 100257, 100257]] == client.encode(text, True, True).ids.to_list()
        plain = client.encode(text, False, False).ids
        assert 100257 not in plain[0]
        assert [b"hello<|endoftext|>"] == client.decode(plain, False).decoded.to_list()


def test_transformers_on_a_directory(tmp_path: Path) -> None:
    """AutoTokenizer on llama2's tokenizer.json gives the ids of the raw file, and honors every flag."""
    (tmp_path / "tokenizer.json").write_bytes((SHARED_MODELS / "tokenizers/llama2.json").read_bytes())
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    _check(SHARED_MODELS, "transformers", tmp_path, ("tokenizers", "llama2"), {})
    with Client("transformers", str(tmp_path)) as client:
        text = Texts.from_list([b"a</s>"])
        parsed, plain = client.encode(text, False, True).ids, client.encode(text, False, False).ids
        assert 2 == parsed[0][-1]
        assert 2 not in plain[0]
        assert [1, *parsed[0]] == client.encode(text, True, True).ids[0].tolist()
        assert [b"<s> a"] == client.decode(Ids.from_list([[1, 263]]), False).decoded.to_list()
        assert b"<s>" not in client.decode(Ids.from_list([[1, 263]]), True).decoded[0]


def test_mistral_common_agrees_with_sentencepiece() -> None:
    """Its SentencePiece wrapper on mistral01's .model gives SentencePiece's ids, and BOS on demand."""
    path = SHARED_MODELS / "sentencepiece/mistral01.model"
    _check(SHARED_MODELS, "mistral-common", path, ("sentencepiece", "mistral01"), {})
    with Client("mistral-common", str(path)) as client:
        assert 1 == client.encode(Texts.from_list([b"a"]), True, False).ids[0][0]


def test_sentencepiece_takes_bytes_and_options() -> None:
    """Invalid UTF-8 arrives, and add_special adds what the options say."""
    options = {"prefix_ids": [1], "suffix_ids": [2]}
    with Client("sentencepiece", str(SHARED_MODELS / "sentencepiece/llama2.model"), options) as client:
        result = client.encode(Texts.from_list([b"a\xffb", b"a\0b"]), True, False)
        assert [[1, 263, 30140, 29890, 2], [1, 263, 3, 29890, 2]] == result.ids.to_list()
        decoded = client.decode(Ids.from_list([[1, 263], [999_999]]), True)
        assert [b"a", b""] == decoded.decoded.to_list()
        assert [(1, "error")] == [(i, failure.kind) for i, failure in decoded.failures]
