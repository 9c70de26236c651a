"""GGUF, llama.cpp's model files: the tokenizer in their metadata."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokparity.formats import Source
from tokparity.formats.gguf_keys import PREFIX, Keys
from tokparity.formats.gguf_metadata import MAGIC, read_metadata
from tokparity.formats.gguf_tokenizer import tokenizer_of
from tokparity.formats.gguf_writer import keys_of, write_keys

NAME = "gguf"
SUFFIXES = (".gguf",)

BIG = frozenset(PREFIX + key for key in ("tokens", "scores", "token_type", "merges", "precompiled_charsmap"))
"""Keys that the vocabulary and the behavior hold; the metadata leaves them out."""


def sniff(path: Path) -> bool:
    """Whether the file begins with GGUF's magic."""
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def read(path: Path, changes: Mapping[str, Any] | None = None) -> Source:
    """The tokenizer in a GGUF file, also in one with tensors; FormatError if there is none or it is damaged.

    With `changes` it is read as if these keys said so; a key that is None is left out.
    """
    fields = read_metadata(path).fields
    said = {**{key: field.value for key, field in fields.items()}, **(changes or {})}
    values = {key: value for key, value in said.items() if value is not None}
    vocabulary, behaviour = tokenizer_of(Keys(path, values))
    metadata = {
        key: value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        for key, value in values.items()
        if key not in BIG
    }
    return Source(NAME, path, vocabulary, behaviour, metadata)


def write(source: Source, path: Path) -> None:
    """Write a vocabulary-only GGUF that llama.cpp loads; CannotExpressError names what GGUF cannot express."""
    write_keys(keys_of(source), path)
