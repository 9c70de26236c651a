"""A directory for transformers whose configuration says what the engine's options say; of the standard library only."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from typing import Any

PLACED = ("tokenizer_class", "model_type")
"""Options of `transformers` that stand in a model's files."""


@contextlib.contextmanager
def placed(path: str, options: dict[str, Any]) -> Iterator[str]:
    """The directory with what these options say in its configuration; itself where none of them is given.

    With a class of its own, the type of model is what is given, or none. It then stands there as an empty one, because
    transformers looks for the names of models in the path of a directory that says nothing.
    """
    said = {name: str(options[name]) for name in PLACED if name in options}
    if not said or not os.path.isdir(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="tokenizer-") as folder:
        for name in set(os.listdir(path)) - {"tokenizer_config.json", "config.json"}:
            os.symlink(os.path.join(os.path.abspath(path), name), os.path.join(folder, name))
        config, tokenizer = (read_object(os.path.join(path, name)) for name in ("config.json", "tokenizer_config.json"))
        around = {"add_bos_token": bool(options.get("prefix_ids")), "add_eos_token": bool(options.get("suffix_ids"))}
        kept = "" if "tokenizer_class" in said else config.get("model_type", "")
        write_object(os.path.join(folder, "config.json"), {**config, "model_type": said.pop("model_type", kept)})
        write_object(os.path.join(folder, "tokenizer_config.json"), {**around, **tokenizer, **said})
        yield folder


def read_object(path: str) -> dict[str, Any]:
    """A JSON object in a file; an empty one where there is no file."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


def write_object(path: str, content: dict[str, Any]) -> None:
    """Write a JSON object."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
