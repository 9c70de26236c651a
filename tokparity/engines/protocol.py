"""What an engine promises: its name, what it can be asked, and how it opens a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Protocol

from tokparity.engines.buffers import Ids, Texts
from tokparity.errors import MissingDependencyError, UsageError
from tokparity.outcome import Spanning

Options = Mapping[str, object]
"""What an engine is told beside the path, as JSON-able values; each engine documents the keys it reads.

`prefix_ids` and `suffix_ids` (lists of ids) are what add_special adds in an engine whose library has no notion of it.
"""


ANY = ("any",)
"""The formats of an engine that says none: it is given the model's own file."""


@dataclass(frozen=True)
class Capabilities:
    """The questions that an engine can answer; the others are `unsupported`, never a mismatch.

    `formats` are the formats it opens, the preferred one first ("gguf", "sentencepiece", "tokenizer.json", "tiktoken",
    "tekken", "directory"; or ANY). An engine that is not `general` takes part by itself only if the model has a file
    in the first of them. Otherwise it must be named, on the command line or in the model's file. `add_special`,
    `parse_special` and `skip_special` list the values that it honors.
    """

    formats: tuple[str, ...]
    general: bool = True
    invalid_utf8: bool = False
    add_special: tuple[bool, ...] = (False, True)
    parse_special: tuple[bool, ...] = (False, True)
    decodes: bool = True
    skip_special: tuple[bool, ...] = (False, True)
    streams: bool = False
    """Whether it has a way of its own to decode ids one after another (`OpenModel.stream`)."""
    spans: bool = False
    """Whether it says which characters of a text each id comes from."""


class OpenModel(Protocol):
    """A model that an engine has opened; an exception of `encode` or `decode` becomes a Failure of the guilty text."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """One list of ids for each text, in order."""
        ...

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """One text for each list of ids, in order, without clean-up of our own."""
        ...


class StreamingModel(OpenModel, Protocol):
    """A model of an engine that `streams`; an exception becomes a Failure of the guilty row."""

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """One delta for each id that comes after those of a prompt, and a last one."""
        ...


class SpanningModel(OpenModel, Protocol):
    """A model of an engine that gives `spans`; an exception becomes a Failure of the guilty text."""

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """The ids of a text, and the first character of each and the one behind its last, counted in code points."""
        ...


class RenderingModel(Protocol):
    """Makes prompts of conversations; an exception becomes a Failure of the question that raised it."""

    def render(self, questions: Texts) -> Texts:
        """One packed `Rendering` for each packed `Render`, in order."""
        ...


class Engine(Protocol):
    """A tokenizer library. Its module imports the library only inside `open`, which runs in the worker."""

    @property
    def NAME(self) -> str:
        """The name on the command line and in reports."""
        ...

    @property
    def CAPABILITIES(self) -> Capabilities: ...

    def version(self) -> str:
        """The library and its version; raises MissingDependencyError, without importing it, if it is not installed."""
        ...

    def open(self, path: str, options: Options) -> OpenModel:
        """Open a model; raises EngineError where the library refuses it."""
        ...


def installed_version(distribution: str, engine: str, extra: str) -> str:
    """The version of an installed distribution; MissingDependencyError with the extra to install if there is none."""
    try:
        return f"{distribution} {metadata.version(distribution)}"
    except metadata.PackageNotFoundError as error:
        message = f"engine {engine!r} needs {distribution}, which is not installed"
        raise MissingDependencyError(message, f"install it: pip install 'tokparity[{extra}]'") from error


def flag(options: Options, key: str, default: bool) -> bool:
    """An option that is true or false; UsageError where it is anything else."""
    value = options.get(key, default)
    if not isinstance(value, bool):
        raise UsageError(f"option {key} is {value!r}", f"write {key}=true or {key}=false")
    return value


def id_list(options: Options, key: str) -> tuple[int, ...]:
    """The ids that an option lists; none where the option is missing."""
    values = options.get(key, ())
    if not isinstance(values, list | tuple):
        raise TypeError(f"option {key} is {values!r}, not a list of ids")
    return tuple(int(value) for value in values)
