"""Turns the words of a command line into models, sources and texts."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli.options import FILES, on_hub_if_online
from tokparity.errors import FormatError, UsageError
from tokparity.questions import json_text
from tokparity.sources.lines import numbered

if TYPE_CHECKING:
    from tokparity.formats import Source
    from tokparity.models import Model
    from tokparity.models.repository import Repository


class Arguments(argparse.Namespace):
    """The arguments of a command: its options by name, the other words, and the whole line as it was typed."""

    words: list[str]
    command: tuple[str, ...]


@dataclass(frozen=True)
class Named:
    """A model, the words that name it on the command line, and the tokparity.toml that it stands in, if it does."""

    model: Model
    words: tuple[str, ...]
    own: Repository | None = None


def check_engines(names: Sequence[str]) -> None:
    """Raise UsageError for an engine that nobody knows, before anything is started."""
    from tokparity import engines

    for name in names:
        engines.get(name)


def from_files(args: argparse.Namespace) -> Named | None:
    """The model that --gguf and the like give; None where there is none of them."""
    from tokparity import models

    given = {name: getattr(args, name) for name in FILES if getattr(args, name) is not None}
    if not given:
        return None
    words = [word for name, path in given.items() for word in (f"--{name.replace('_', '-')}", path)]
    return Named(models.from_files(**given), tuple(words))


def one_model(args: argparse.Namespace, texts: int = 0) -> tuple[Named, list[str]]:
    """The model, and the words that are left: as many as `texts`."""
    from tokparity.cli.against import held_against

    words = list(args.words)
    named = from_files(args)
    if named is None and words and getattr(args, "against", None) is not None:
        named = held_against([words.pop(0)], args.against)
    if named is None:
        if not words:
            raise UsageError("no model", "name a known model, a file, a directory, or give --gguf FILE and the like")
        named = named_model(on_hub_if_online(words.pop(0), args.online), repository(args))
    if len(words) != texts:
        raise UsageError(
            f"expected {texts} {'text' if texts == 1 else 'texts'} after the model, found {len(words)}: {words!r:.80}",
            "put quotes around a text with spaces; put -- before one that begins with a dash",
        )
    return named, words


def repository(args: argparse.Namespace) -> Repository | None:
    """The user's own models: of --models, or of the tokparity.toml that is here; None where there is none."""
    from tokparity.models import repository

    return repository.find(getattr(args, "models", None))


def named_model(word: str, own: Repository | None = None) -> Named:
    """The model that a word names; the names of the user's own models come before paths, as all names do."""
    from tokparity import models

    if own is not None and word in own.names:
        return Named(own.model(word), (*own.words, word), own)
    return Named(models.resolve(word), (word,))


def source(word: str) -> Source:
    """What the file says that a word names: a path, a model (its most trustworthy file) or the hub's hf:NAME."""
    from tokparity import formats, models
    from tokparity.models import repository

    own = repository.find()
    named = word in models.names() or (own is not None and word in own.names)  # names come before paths
    return formats.read(word) if Path(word).exists() and not named else models.primary_source(model(word))


def model(word: str) -> Model:
    """The known model, or that of the user's own list, with this name; its files are fetched."""
    from tokparity.cli.pulling import pull_missing
    from tokparity.models import repository

    found = named_model(word, repository.find()).model
    pull_missing([found])
    return found


def text_of(word: str) -> bytes:
    """The text that a word of the shell is, byte by byte; "-" reads one line of JSON from standard input."""
    if word != "-":
        return os.fsencode(word)
    for _, text in texts_of_input():
        return text
    raise FormatError("standard input is empty", 'write a JSON string or {"base64": "..."}')


def texts_of_input() -> Iterator[tuple[int, bytes]]:
    """The numbered texts of standard input, one JSON value per line."""
    for number, line in lines_of_input():
        try:
            yield number, json_text.parse(line)
        except FormatError as error:
            raise FormatError(f"standard input line {number}: {error.message}", error.hint) from error


def plain_lines_of_input() -> Iterator[bytes]:
    """The lines of standard input as they are, without the newlines that end them."""
    return (line for _, line in _raw_lines())


def lines_of_input() -> Iterator[tuple[int, str]]:
    """The numbered lines of standard input, which must be UTF-8; only a newline ends a line."""
    for number, line in _raw_lines():
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"standard input line {number} is not UTF-8: {line[:40]!r}"
            raise FormatError(message, 'write such bytes as {"base64": "..."}') from error


def ids_of(word: str) -> list[int]:
    """The ids that a word represents: a JSON array."""
    try:
        row = json.loads(word)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{word[:60]!r} is not JSON", "write an array of ids, e.g. [1, 15043]") from error
    if not isinstance(row, list) or not all(type(i) is int and -(2**31) <= i < 2**31 for i in row):
        raise FormatError(f"{word[:60]!r} is not an array of ids", "write e.g. [1, 15043]")
    return row


def _raw_lines() -> Iterator[tuple[int, bytes]]:
    if sys.stdin is None:
        raise FormatError(
            "standard input is closed", "send the lines to standard input; for no lines, write < /dev/null"
        )
    yield from numbered(sys.stdin.buffer, "standard input")
