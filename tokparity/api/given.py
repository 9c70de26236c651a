"""What people give as a model: a name, a path, or files by format."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tokparity import models
from tokparity.errors import UsageError
from tokparity.models import Model, repository
from tokparity.models.checked import FILES

Given = str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]]
"""A known model's name or one of the tokparity.toml that is here, a file, a directory, hf:NAME; or files by format,
with the names of the command line: {"gguf": "model.gguf", "tokenizer-json": "tokenizer.json"}."""


def model_of(given: Given) -> tuple[Model, tuple[str, ...]]:
    """The model, and the words that name it on a command line."""
    if isinstance(given, Mapping):
        return _of_files(given)
    word = os.fspath(given)
    own = repository.find()
    if own is not None and word in own.names:
        return own.model(word), (word,)
    return models.resolve(word), (word,)


def _of_files(given: Mapping[str, str | os.PathLike[str]]) -> tuple[Model, tuple[str, ...]]:
    files = {key.replace("_", "-").replace(".", "-"): Path(path) for key, path in given.items()}
    if unknown := sorted(files.keys() - set(FILES)):
        raise UsageError(f"{unknown[0]!r} is not a format of a file", f"give some of {', '.join(FILES)}")
    words = tuple(word for key, path in files.items() for word in (f"--{key}", str(path)))
    return models.of_formats(files), words


def fetched(model: Model) -> Model:
    """The model, after its missing files were fetched."""
    if model.missing:
        from tokparity.models.pull import pull

        pull(model.missing)
    return model
