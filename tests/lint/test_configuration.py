"""What the files beside a tokenizer.json say otherwise: each was seen in transformers 5.24."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokparity import formats, models
from tokparity.lint.oddities import odd

FLAGS = {"special": True, "normalized": False, "single_word": False, "lstrip": False, "rstrip": False}


def _odd(folder: Path, model: str, **files: Any) -> list[str]:
    """What is told of a model's tokenizer.json with these files beside it; of byte-level BPE, <s> is added first."""
    source = models.primary_source(models.load(model))
    formats.write(source, "tokenizer.json", folder / "tokenizer.json", alone=True)
    said = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    if model == "small-bpe":
        said["added_tokens"].append({"id": len(source.vocabulary), "content": "<s>", **FLAGS})
    (folder / "tokenizer.json").write_text(json.dumps(said), encoding="utf-8")
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        name = "chat_template.jinja" if name == "template" else f"{name}.json"
        (folder / name).write_text(text, encoding="utf-8")
    return list(odd(formats.read(folder / "tokenizer.json")))


@pytest.fixture(scope="module")
def bos() -> int:
    """The id of <s>."""
    return len(models.primary_source(models.load("small-bpe")).vocabulary)


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ({"content": "<b>", **FLAGS}, 'transformers adds "<b>" with a new id'),
        ({"content": "a", **FLAGS}, 'transformers gives "a" the id '),
        ({"content": "<s>", **FLAGS, "lstrip": True}, "tokenizer_config.json says lstrip true of"),
        ({"content": "<s>", **FLAGS}, ""),
    ],
)
def test_added_tokens(tmp_path: Path, bos: int, says: dict[str, object], told: str) -> None:
    """Another name for an id, other flags, and the same."""
    found = _odd(tmp_path, "small-bpe", tokenizer_config={"added_tokens_decoder": {str(bos): says}})
    assert bool(told) == any(told in line for line in found)
    assert bool(told) == bool(found)


def test_special_tokens(tmp_path: Path) -> None:
    """Two files name two tokens, of which one is unknown; the older wins where the newer lacks the added tokens."""
    both = {"tokenizer_config": {"eos_token": "<e>"}, "special_tokens_map": {"eos_token": {"content": "<s>"}}}
    found = _odd(tmp_path, "small-bpe", **both)
    assert found == [
        'the eos token is "<e>" in tokenizer_config.json and "<s>" in special_tokens_map.json; transformers obeys '
        "special_tokens_map.json, llama.cpp's converter tokenizer_config.json"
    ]
    both["tokenizer_config"]["added_tokens_decoder"] = {}  # type: ignore[assignment]
    found = _odd(tmp_path, "small-bpe", **both)
    assert "transformers obeys tokenizer_config.json" in found[0]
    assert found[1].startswith('the eos token "<e>" is not in tokenizer.json; transformers adds it with a new id')
    assert [] == _odd(tmp_path, "small-bpe", tokenizer_config={"eos_token": "<s>"}, special_tokens_map={})


@pytest.mark.parametrize("shift", [0, 1])
def test_generation_stops_elsewhere(tmp_path: Path, bos: int, shift: int) -> None:
    """The eos token has another id than those at which generation stops."""
    stops = {"eos_token_id": [5, bos + shift]}
    found = _odd(tmp_path, "small-bpe", tokenizer_config={"eos_token": "<s>"}, generation_config=stops)
    told = f'generation_config.json stops at 5, {bos + 1}, and the eos token is "<s>" [{bos}]'
    assert ([f"{told}; generation does not stop at it"] if shift else []) == found


@pytest.mark.parametrize(
    ("model", "name", "key", "value", "is_told"),
    [
        ("small-wordpiece", "BertTokenizer", "do_lower_case", None, True),
        ("small-wordpiece", "BertTokenizer", "strip_accents", None, True),
        ("small-wordpiece", "PreTrainedTokenizerFast", "do_lower_case", None, False),
        ("small-bpe", "GPT2Tokenizer", "add_prefix_space", True, True),
        ("small-bpe", "GPT2Tokenizer", "add_prefix_space", False, False),
        ("small-bpe", "LlamaTokenizer", "add_prefix_space", True, False),
    ],
)
def test_options_of_a_class(tmp_path: Path, model: str, name: str, key: str, value: bool | None, is_told: bool) -> None:
    """What the class obeys, and what none does; None is the other value than the file's."""
    told = f"says {key} "
    values = (True, False) if value is None else (value,)
    found = [_odd(tmp_path, model, tokenizer_config={"tokenizer_class": name, key: one}) for one in values]
    lines = [line for lines in found for line in lines if told in line]
    assert is_told == (len(lines) == 1)
    assert all(line.endswith(f'transformers obeys tokenizer_config.json for the class "{name}"') for line in lines)


def test_two_chat_templates(tmp_path: Path) -> None:
    """One in the configuration, and another one in a file of its own."""
    said = {"chat_template": "{{ messages[0].content }}"}
    assert [] == _odd(tmp_path, "small-bpe", tokenizer_config=said, template=said["chat_template"])
    (line,) = _odd(tmp_path, "small-bpe", tokenizer_config=said, template="{{ messages }}")
    assert line.startswith("tokenizer_config.json has another chat template than chat_template.jinja")


def test_files_beside_are_not_trusted(tmp_path: Path) -> None:
    """Long names, ids that are none, half a surrogate pair, and a file that is no JSON: said in few words."""
    decoder = {"9" * 5000: {"content": "x"}, "7": {"content": "<" * 5000}, "8": {"content": "\ud800"}, "x": None}
    said = {
        "tokenizer_class": "G" * 5000,
        "add_prefix_space": True,
        "added_tokens_decoder": decoder,
        "eos_token": "<s>",
    }
    found = _odd(tmp_path, "small-bpe", tokenizer_config=said, generation_config={"eos_token_id": [5] * 5000})
    assert 4 == len(found)
    assert all(len(line) < 400 for line in found)
    found = _odd(tmp_path, "small-bpe", tokenizer_config={}, generation_config="<html>")
    assert ["generation_config.json is not JSON" in line for line in found] == [True]
