"""The folder that transformers opens: known data files of a model's folder, and a configuration that names no other.

This module imports nothing but the standard library, for each environment's Python runs it, 3.8 or later.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

PLACED = ("tokenizer_class", "model_type")
"""Options of `transformers` that stand in a model's files."""

DATA = (
    *("tokenizer.json", "tokenizer.*.json", "special_tokens_map.json", "added_tokens.json", "tekken.json"),
    *("*.model", "*.spm", "*.tiktoken", "*vocab.json", "vocab-*.json", "*vocab.txt", "merges.txt", "bpe.codes"),
    *("dict.txt", "emoji.json", "normalizer.json", "prophetnet.tokenizer", "word_shape.json"),
    *("word_pronunciation.json", "artists.json", "genres.json", "lyrics.json", "chat_template.jinja"),
)
"""Files that transformers' tokenizers read as JSON, text or SentencePiece's own format. No file in another format, no
weights and no code is among them."""

CONFIGURATION = ("config.json", "tokenizer_config.json")
"""Written anew, without what leads out of the folder or to code."""

_LEADS_OUT = re.compile(
    r"auto_map|trust_remote_code|custom_pipelines|init_inputs|mecab_option|.*name_or_path|.*_(files?|paths?|dir|folder|url)"
)
_MAY_BE_PATHS = ("vocab", "merges")
"""Settings that are the pieces themselves, or the path of a file with them."""

_CLASSES = ("tokenizer_class", "tokenizer_type", "model_type")
_UNPICKLES = "transfoxl"
"""How the names of the class and type that read their vocabulary with pickle begin, in lower case, letters alone."""


@contextlib.contextmanager
def placed(path: str, options: dict[str, Any]) -> Iterator[str]:
    """A folder of links to the model's data files, with these options in its configuration, and the network off.

    With a class of its own, the type of model is what is given, or none. It then stands there as an empty one, because
    transformers looks for the names of models in the path of a folder that says nothing. ValueError for a class that
    unpickles.
    """
    work_offline()
    said = {name: str(options[name]) for name in PLACED if name in options}
    config, tokenizer = (_inside(read_object(os.path.join(path, name))) for name in CONFIGURATION)
    if said:
        around = {"add_bos_token": bool(options.get("prefix_ids")), "add_eos_token": bool(options.get("suffix_ids"))}
        kept = "" if "tokenizer_class" in said else config.get("model_type", "")
        config = {**config, "model_type": said.pop("model_type", kept)}
        tokenizer = {**around, **tokenizer, **said}
    refuse_pickles([config, tokenizer, options])
    with tempfile.TemporaryDirectory(prefix="tokenizer-") as folder:
        for name in os.listdir(path):
            source = os.path.join(os.path.abspath(path), name)
            if os.path.isfile(source) and any(fnmatchcase(name, known) for known in DATA):
                os.symlink(source, os.path.join(folder, name))
        for name, content in {CONFIGURATION[0]: config, CONFIGURATION[1]: tokenizer}.items():
            if content:
                write_object(os.path.join(folder, name), content)
        yield folder


def work_offline() -> None:
    """Switch the hub off, also where its library is imported already and has read its settings."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        os.environ[name] = "1"
    for module, name in (
        ("huggingface_hub.constants", "HF_HUB_OFFLINE"),
        ("transformers.utils.hub", "_is_offline_mode"),
    ):
        if hasattr(sys.modules.get(module), name):
            setattr(sys.modules[module], name, True)


def refuse_pickles(said: Any, key: str = "") -> None:
    """ValueError where a class or type of model is named that reads its vocabulary with pickle."""
    if isinstance(said, (dict, list)):
        for name, value in said.items() if isinstance(said, dict) else ((key, value) for value in said):
            refuse_pickles(value, name)
    elif key in _CLASSES and re.sub("[^a-z]", "", str(said).lower()).startswith(_UNPICKLES):
        raise ValueError(f"{key} is {said!r}, which reads its vocabulary with pickle, and a pickle runs code")


def _inside(said: Any) -> Any:
    """A configuration without what leads out of the folder, to the network or to code, at every depth."""
    if isinstance(said, list):
        return [_inside(value) for value in said]
    if not isinstance(said, dict):
        return said
    kept = {name: value for name, value in said.items() if not _leads_out(name, value)}
    found = {name: value if name in _MAY_BE_PATHS else _inside(value) for name, value in kept.items()}
    if isinstance(versioned := said.get("fast_tokenizer_files"), list):
        found["fast_tokenizer_files"] = [name for name in versioned if name == os.path.basename(str(name))]
    return found


def _leads_out(name: str, value: Any) -> bool:
    return bool(_LEADS_OUT.fullmatch(name)) or (name in _MAY_BE_PATHS and isinstance(value, str))


def read_object(path: str) -> dict[str, Any]:
    """A JSON object in a file; an empty one where there is no file."""
    if not os.path.isfile(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


def write_object(path: str, content: dict[str, Any]) -> None:
    """Write a JSON object."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
