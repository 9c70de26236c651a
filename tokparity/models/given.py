"""Models that the user gives: files, a directory, a model of the hub."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from tokparity import formats
from tokparity.engines import engine_name
from tokparity.errors import MissingDependencyError, TokparityError, UsageError
from tokparity.formats import Source
from tokparity.models.misspelt import nearest
from tokparity.models.record import Model, load, names
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Vocabulary

ORACLES: Mapping[str, str] = {
    "sentencepiece": "sentencepiece",
    "tokenizer.json": "tokenizers",
    "tiktoken": "tiktoken",
    "tekken": "mistral-common",
    "gguf": "",
}
"""The engine that is right for each format, the more trustworthy format first. A GGUF alone names none."""

HUB_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "*.model",
    "tekken.json",
    "*.tiktoken",
)
HUB = "hf:"
"""What a word begins with that means a model of the Hugging Face hub; no other word asks the network."""

_SUFFIXES = {Path(pattern).suffix for pattern in formats.IN_A_DIRECTORY}
"""A word that ends in one is a file's name, and no known model's."""

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


def read_source(path: Path, format: str) -> Source:
    """A source, read once as long as it stays as it is and among the last few."""
    if not path.is_file():
        return formats.read(path, format)  # which says what is wrong
    status = path.stat()
    return _read_source(path, format, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _read_source(path: Path, format: str, modified: int, size: int) -> Source:
    return formats.read(path, format)


def primary_format(model: Model) -> str:
    """The format of the file that the oracle opens, or the most trustworthy one that the model has."""
    for format, engine in ORACLES.items():
        if format in model.sources and engine == engine_name.parse(model.oracle).base:
            return format
    return next(format for format in ORACLES if format in model.sources)


def primary_path(model: Model) -> Path:
    """The model's most trustworthy file; of one that was fetched it is made sure that it is the right one."""
    path = model.sources[primary_format(model)]
    for file in model.pulled:
        if file.path == path:
            file.check()
    return path


def primary_source(model: Model) -> Source:
    """What the model's most trustworthy file says."""
    return read_source(primary_path(model), primary_format(model))


def other_vocabularies(model: Model) -> Iterator[Vocabulary]:
    """The vocabularies of the model's other sources, as far as they can be read; a GGUF is made of one, and is none.

    It has rows beyond its source, to make its tensors larger. What it should say, its keys are compared for.
    """
    for format, path in model.sources.items():
        if format not in (primary_format(model), "gguf"):
            with suppress(TokparityError):  # the engine that opens the file says why it cannot be read
                yield read_source(path, format).vocabulary


def from_files(
    gguf: Path | str | None = None,
    tokenizer_json: Path | str | None = None,
    sentencepiece: Path | str | None = None,
    tiktoken: Path | str | None = None,
    tekken: Path | str | None = None,
    name: str = "",
) -> Model:
    """A model made of files, any of them; its oracle is the engine that belongs to the most trustworthy one."""
    given = {
        "sentencepiece": sentencepiece,
        "tokenizer.json": tokenizer_json,
        "tiktoken": tiktoken,
        "tekken": tekken,
        "gguf": gguf,
    }
    sources = {format: Path(path) for format, path in given.items() if path is not None}
    if not sources:
        raise UsageError("no file was given", "give at least one of a GGUF, a tokenizer.json, a .model")
    for path in sources.values():
        formats.check_file(path)
    first = next(iter(sources))
    return Model(name or _name(sources[first]), sources, ORACLES[first] or oracle_of_gguf(sources[first]))


def oracle_of_gguf(path: Path) -> str:
    """The engine a GGUF's tokenizer was trained with, which opens our export of it.

    SentencePiece has no added tokens beside its pieces. No library can open an export of such a model that has some
    (Phi-3). So the reference judges it, which equals SentencePiece on everything else.
    """
    source = read_source(path, "gguf")
    if source.behaviour.segment not in (spm, ugm):
        return "tokenizers"
    return "reference" if any(not token.special for token in source.vocabulary.added) else "sentencepiece"


def from_path(path: Path) -> Model:
    """A model that is one file, or all the files in a directory."""
    if not path.is_dir():
        formats.check_file(path)
        return of_formats({formats.detect(path).NAME: path}, _name(path))
    found: dict[str, Path] = {}
    for pattern in formats.IN_A_DIRECTORY:
        for candidate in sorted(path.glob(pattern)):
            format = formats.detect(candidate).NAME
            if format in found:
                raise UsageError(
                    f"{path} holds several files in the format {format}: {found[format].name}, {candidate.name}",
                    "name one of them",
                )
            found[format] = candidate
    if not found:
        raise formats.nothing_in(path)
    return of_formats(found, path.resolve().name)


def of_formats(files: Mapping[str, Path], name: str = "") -> Model:
    """A model made of files by the names of their formats, in either spelling: tokenizer.json or tokenizer-json."""
    given: dict[str, Path] = {re.sub("[.-]", "_", format): path for format, path in files.items()}
    return from_files(**given, name=name)


def _name(path: Path) -> str:
    usual = path.name in ("tokenizer.json", "tokenizer.model", "tekken.json", "spiece.model")
    return (path.resolve().parent.name if usual else path.stem) or "model"


def resolve(name: str) -> Model:
    """The model that a word on the command line means: a known model, a file, a directory or hf:NAME."""
    if name.startswith(HUB):
        return from_hub(name.removeprefix(HUB))
    if name in names():
        return load(name)
    path = Path(name)
    if os.path.lexists(name):  # unlike Path.exists, it takes any name, however long
        return from_path(path)
    if "/" in name or path.suffix.lower() in _SUFFIXES:
        raise _no_path(name)
    close = difflib.get_close_matches(name, names(), n=3, cutoff=0.5)
    meant = f"did you mean {', '.join(close)}? " if close else ""
    raise UsageError(f"unknown model {name!r}", meant + "`tokparity models list` lists the known ones")


def _no_path(name: str) -> UsageError:
    """The error for a word that looks like a path, or like a model of the hub."""
    near = nearest(Path(name))
    hints = [f"the nearest path is {str(near)!r}"] if near != Path() else []
    hints += [f"`{HUB}{name}` asks the Hugging Face hub"] if _HUB_ID.fullmatch(name) else []
    return UsageError(f"there is no file or directory {name!r}", ", ".join(hints) or "check the path")


def from_hub(hub_id: str) -> Model:
    """A model of the Hugging Face hub; only the tokenizer's data files are fetched, and no code."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError as error:
        raise MissingDependencyError(
            f"fetching {hub_id!r} needs a library: {error}", "pip install 'tokparity[huggingface]'"
        ) from error
    try:
        folder = snapshot_download(hub_id, allow_patterns=list(HUB_FILES))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise UsageError(
            f"the Hugging Face hub could not give {hub_id!r}: {reason}",
            "check the name and the connection, or give files",
        ) from error
    model = from_path(Path(folder))
    return Model(hub_id, model.sources, model.oracle)
