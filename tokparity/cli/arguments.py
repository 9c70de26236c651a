"""Arguments that several commands share, and what they mean."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokparity.errors import FormatError, UsageError
from tokparity.questions import json_text

if TYPE_CHECKING:
    from tokparity.models import Model

FILES = ("gguf", "tokenizer_json", "sentencepiece", "tiktoken", "tekken")
_LINE_LIMIT = 256 << 20  # characters; a longer line on standard input is a mistake


@dataclass(frozen=True)
class Named:
    """A model and the words that name it on the command line."""

    model: Model
    words: tuple[str, ...]


def add_words(parser: argparse.ArgumentParser, metavar: str, help: str) -> None:
    """Declare what stands between the options."""
    parser.add_argument("words", nargs="*", metavar=metavar, help=help)


def add_model_files(parser: argparse.ArgumentParser) -> None:
    """Declare the options that give a model as files, instead of MODEL."""
    group = parser.add_argument_group("files instead of MODEL, any of them")
    for name in FILES:
        group.add_argument(f"--{name.replace('_', '-')}", metavar="FILE")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Declare --no-special and --parse-special."""
    parser.add_argument("--no-special", action="store_true", help="add no BOS, EOS and the like")
    parser.add_argument("--parse-special", action="store_true", help="recognise special tokens spelled in the text")


def add_engines(parser: argparse.ArgumentParser) -> None:
    """Declare --engine, which may be given several times."""
    parser.add_argument("--engine", action="append", default=[], metavar="E", help="an engine (again for more)")


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


def one_model(args: argparse.Namespace, texts: int) -> tuple[Named, list[str]]:
    """The model, and the words that are left: as many as `texts`."""
    words = list(args.words)
    named = from_files(args)
    if named is None:
        if not words:
            raise UsageError("no model", "name a known model, a file, a directory, or give --gguf FILE and the like")
        named = named_model(words.pop(0))
    if len(words) != texts:
        raise UsageError(
            f"expected {texts} {'text' if texts == 1 else 'texts'} after the model, found {len(words)}: {words!r:.80}",
            "put quotes around a text with spaces; put -- before one that begins with a dash",
        )
    return named, words


def named_model(word: str) -> Named:
    """The model that a word names."""
    from tokparity import models

    return Named(models.resolve(word), (word,))


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


def lines_of_input() -> Iterator[tuple[int, str]]:
    """The numbered lines of standard input, which must be UTF-8; only a newline ends a line."""
    number = 0
    while line := sys.stdin.buffer.readline(_LINE_LIMIT):
        number += 1
        if len(line) == _LINE_LIMIT:
            raise FormatError(f"standard input line {number} is longer than {_LINE_LIMIT} bytes", "split it")
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"standard input line {number} is no UTF-8: {line[:40]!r}"
            raise FormatError(message, 'write such bytes as {"base64": "..."}') from error


def ids_of(word: str) -> list[int]:
    """The ids that a word stands for: a JSON array."""
    try:
        row = json.loads(word)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{word[:60]!r} is no JSON", "write an array of ids, e.g. [1, 15043]") from error
    if not isinstance(row, list) or not all(type(i) is int and -(2**31) <= i < 2**31 for i in row):
        raise FormatError(f"{word[:60]!r} is no array of ids", "write e.g. [1, 15043]")
    return row
