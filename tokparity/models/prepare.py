"""Gives an engine a model in a format that the engine can open: the model's own file, or an export by us.

Exports are kept in the user's cache (`exports`). Their key is made of the source's content, our version and our code.
So an export is made once and never outlives what made it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from tokparity import __version__, formats
from tokparity.errors import CannotExpressError
from tokparity.formats import Source, beside
from tokparity.models.cache import put, sha256
from tokparity.models.exports import exported
from tokparity.models.given import primary_format, primary_source
from tokparity.models.record import Model

DIRECTORY = "directory"
"""What AutoTokenizer opens: tokenizer.json and tokenizer_config.json in one folder."""

FILE_NAMES = {"gguf": "model.gguf", "sentencepiece": "tokenizer.model", "tokenizer.json": "tokenizer.json"}


@dataclass(frozen=True)
class Prepared:
    """What an engine opens: a file (or a directory), its format, whether we wrote it, and what it is told besides.

    `options` holds `prefix_ids` and `suffix_ids`, for engines that don't add them by themselves. It also holds what
    the format lacks (`pattern` and `special_tokens` of tiktoken).
    """

    path: Path
    format: str
    exported: bool
    options: Mapping[str, object]


def prepare(model: Model, accepts: Sequence[str], alone: bool = True) -> Prepared:
    """The model for an engine that opens the formats `accepts`, the best first.

    The model's own file in one of these formats (the oracle's first), else an export of its primary source. The export
    has the first format that can express it; CannotExpressError if none can. An engine is told by `options` what a
    format has no place for. An export that is not `alone` says it in files beside it.
    """
    for file in model.pulled:
        if file.path in model.sources.values():
            file.check()
    source = primary_source(model)
    behaviour = source.behaviour
    options: dict[str, object] = {"prefix_ids": behaviour.prefix_ids, "suffix_ids": behaviour.suffix_ids}
    options |= {key: source.metadata[key] for key in ("pattern", "special_tokens") if key in source.metadata}
    primary = primary_format(model)
    preferred = [format for format in (primary, *accepts) if format in accepts]
    for format in preferred:
        if format in model.sources:
            return Prepared(model.sources[format], format, False, options)
        if format == DIRECTORY and "tokenizer.json" in model.sources:
            path, exported = _directory(model, source, model.sources["tokenizer.json"])
            return Prepared(path, format, exported, options)
    refusals: list[CannotExpressError] = []
    for format in preferred:
        try:
            return Prepared(_export(model, source, format, alone), format, True, options)
        except CannotExpressError as error:
            refusals.append(error)
    raise (
        refusals[0]
        if refusals
        else CannotExpressError(f"{model.name} was to be exported, but no format was named", "name a format")
    )


def _export(model: Model, source: Source, format: str, alone: bool = True) -> Path:
    if format == DIRECTORY:
        return _directory(model, source, _export(model, source, "tokenizer.json"))[0]
    name = FILE_NAMES.get(format, format)
    around = {} if alone and format in FILE_NAMES else formats.companions(source, format, Path(name))
    writers = {name: lambda path: formats.write(source, format, path, alone=True)}
    writers |= {other.name: partial(put, data=data) for other, data in around.items()}
    return exported(_key(source.path, primary_format(model), " ".join(writers)), writers) / name


def _directory(model: Model, source: Source, tokenizer_json: Path) -> tuple[Path, bool]:
    """The directory for AutoTokenizer and whether we made it; the one of the file itself if it has a configuration.

    A config.json is always written: without one, transformers looks for the names of models in the directory's path.
    """
    if (tokenizer_json.parent / "tokenizer_config.json").is_file() and tokenizer_json.name == "tokenizer.json":
        return tokenizer_json.parent, False
    said = {**model.configuration}
    config = json.dumps({"model_type": said.pop("model_type", "")}).encode()
    tokenizer = json.dumps(dict(beside.spelled(source)) | said, indent=1).encode()
    writers = {
        "tokenizer.json": lambda path: put(path, tokenizer_json.read_bytes()),
        "tokenizer_config.json": lambda path: put(path, tokenizer),
        "config.json": lambda path: put(path, config),
    }
    return exported(_key(tokenizer_json, DIRECTORY, hashlib.sha256(tokenizer + config).hexdigest()), writers), True


def _key(source: Path, kind: str, what: str) -> str:
    names = (beside.CONFIGURATION, beside.TOKENS_MAP, beside.TEMPLATE)
    around = [sha256(file) for name in names if (file := source.with_name(name)).is_file()]
    said = f"{sha256(source)} {' '.join(around)} {kind} {what} {__version__} {_code()}"
    return hashlib.sha256(said.encode()).hexdigest()[:24]


@cache
def _code() -> str:
    """A hash of the code that writes exports, and of its tables."""
    package = Path(formats.__file__).parent.parent
    found = hashlib.sha256()
    for part in ("formats", "reference", "models"):
        for path in sorted(path for path in (package / part).iterdir() if path.suffix in (".py", ".txt")):
            found.update(path.read_bytes())
    return found.hexdigest()
