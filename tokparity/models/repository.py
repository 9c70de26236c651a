"""A user's own models: tokparity.toml in their repository.

[models.my-model]                          the name on the command line
gguf = "model.gguf"                        files, relative to this one: gguf, tokenizer-json, sentencepiece, ...
tokenizer-json = "tokenizer.json"
oracle = "tokenizers"                      who is right; left out: the engine of the most trustworthy file
engines = ["llama.cpp"]                    left out: all that can open it
notes = "what a reader should know"

[[models.my-model.accepted]]               a finding that is known and stays; `tokparity check --update` writes these
engine = "llama.cpp"
quirks = ["cleans_up_spaces"]              what explains it, if anything does
text = '" !"'                              the smallest text that shows it, as a JSON literal
told = "over 64 bytes"                     without quirks: what all that belongs to it has in common, as a report says
gives = ['" !": [1], not [1, 2]']           what the engine gives on some texts, and what is right
damage = ["the last id is missing"]        what it does to the right answers
cases = "64 of 19503"                      how many of the cases that were put show it
kind = "round_trip"                        what differs: ids (if left out), decode, round_trip or failure
reason = "Removes spaces before punctuation when decoding"
link = "https://..."
date = 2026-11-22

[[models.my-model.accepted]]               a key of the GGUF that does not say what the other file says
key = "tokenizer.ggml.pre"
value = "llama-bpe"
reason = "until the next release"
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tokparity.errors import FormatError, UsageError
from tokparity.models import toml_text
from tokparity.models.checked import Checker, Entry
from tokparity.models.given import of_formats
from tokparity.models.record import AcceptedFinding, Model
from tokparity.models.toml_lines import lines_of

NAME = "tokparity.toml"


@dataclass(frozen=True)
class Repository:
    """What a tokparity.toml holds; `words` are what names it on a command line, none where it is found by itself."""

    path: Path
    text: str
    words: tuple[str, ...]
    _checker: Checker
    _entries: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its models, in its order."""
        return tuple(self._entries)

    def line(self, name: str) -> int:
        """The number of the line on which a model begins, from 1 on."""
        return self._checker.line(("models", name))

    def accepted_line(self, name: str, index: int) -> int:
        """The line on which an accepted finding of a model begins."""
        return self._checker.line(("models", name, "accepted", index))

    def accepted(self, name: str) -> tuple[AcceptedFinding, ...]:
        """What is accepted for a model."""
        return self._entries[name].accepted

    def model(self, name: str) -> Model:
        """One of its models; UsageError with the line where a file is missing."""
        entry = self._entries[name]
        for key, path in entry.files.items():
            if not os.path.isfile(path):  # unlike Path.is_file, it takes any name, however long
                raise self._checker.wrong(
                    ("models", name, key), f"there is no file {str(path)!r}", f"paths are relative to {self.path.name}"
                )
        model = of_formats(entry.files, name)
        return replace(
            model,
            oracle=entry.oracle or model.oracle,
            engines=entry.engines,
            accepted=entry.accepted,
            notes=entry.notes,
        )


def place(where: str | None = None) -> Path:
    """Where a tokparity.toml is looked for: in a directory or at a path; without either, here."""
    path = Path(where or "")
    return path / NAME if where is None or os.path.isdir(path) else path


def find(where: str | None = None) -> Repository | None:
    """The tokparity.toml in a directory or at a path, which must be there; without either the one that is here."""
    path = place(where)
    if where is None and not os.path.isfile(path):
        if os.path.lexists(path):
            raise UsageError(
                f"{NAME} exists in this directory, but cannot be read as a file",
                "is it a directory, or a link to a file that is gone? tokparity must know which models to check",
            )
        return None
    return read(path, () if where is None else ("--models", where))


def read(path: Path, words: tuple[str, ...] = ()) -> Repository:
    """The models that a file lists; UsageError or FormatError with the line where it says something wrong."""
    try:
        text = _content(path).decode("utf-8")
    except OSError as error:
        raise UsageError(
            f"cannot read {str(path)!r}: {error.strerror}", "`tokparity init FILE...` writes a first one"
        ) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8: byte {error.start}", "save it as UTF-8") from error
    return parsed(path, text, words)


def _content(path: Path) -> bytes:
    """The bytes of a file that is to be a list of models; UsageError or FormatError where it can't be one."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise UsageError(
            f"{str(path)!r} is not a regular file", "give a tokparity.toml, or the directory that holds it"
        )
    with path.open("rb") as file:
        content = file.read(toml_text.MAX_BYTES + 1)
    if len(content) > toml_text.MAX_BYTES:
        raise FormatError(f"{path} has more than {toml_text.MAX_BYTES} bytes", "give a tokparity.toml")
    return content


def parsed(path: Path, text: str, words: tuple[str, ...] = ()) -> Repository:
    """The models that a text lists which stands, or is to stand, at a path; errors as for `read`."""
    try:
        data = toml_text.parsed(text)
    except toml_text.TomlError as error:
        raise FormatError(f"{path} {error}", "correct that line") from error
    checker = Checker(path, lines_of(text))
    return Repository(path, text, words, checker, checker.entries(data))
