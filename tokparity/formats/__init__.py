"""Model files: one module per format, each of which reads it into a Source and, where the format allows, writes one.

A format module has `NAME` (as on the command line), `SUFFIXES`, `sniff(path) -> bool`, `read(path) -> Source` and,
where the format can be written, `write(source, path)`. `SHARES_IDS` is true where two added tokens may have one id.
A new format is a new file here, nothing else.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol, cast

from tokparity.behaviour import Behaviour
from tokparity.errors import CannotExpressError, FormatError, UsageError
from tokparity.garbage import never_collected
from tokparity.questions.json_text import literal
from tokparity.vocabulary import Vocabulary

_OLDER = ("vocab.json", "merges.txt", "vocab.txt")
"""What older models have in place of a tokenizer.json: their tokenizer is in the code of a class."""
_HEAD = 64  # bytes in which a pointer or a page says what it is
IN_A_DIRECTORY = ("tokenizer.json", "tekken.json", "*.model", "*.tiktoken", "*.gguf")
"""What is looked for in a directory, the first kind that is there wins."""


@dataclass(frozen=True)
class Source:
    """One file of a model: its contents, and how a tokenizer that obeys it behaves.

    `metadata` is what the format says beyond that, by the format's own names. `assumed` are keys, by the names of
    tokenizer_config.json, that the file lacks. They are assumed as most tokenizers of this kind have them.
    """

    format: str
    path: Path
    vocabulary: Vocabulary
    behaviour: Behaviour
    metadata: Mapping[str, object] = field(default_factory=dict)
    assumed: frozenset[str] = frozenset()
    disputed: Mapping[str, bool] = field(default_factory=dict)
    """What tokenizer_config.json says where the tokenizer beside it says otherwise."""


class FormatModule(Protocol):
    """The interface of a format's module in this folder; some also have `write(source, path)`."""

    NAME: str
    SUFFIXES: tuple[str, ...]

    def sniff(self, path: Path) -> bool:
        """Whether the file looks like this format, by its first bytes."""

    def read(self, path: Path) -> Source:
        """The file's content; a FormatError says what is wrong with it."""


@cache
def modules() -> Mapping[str, FormatModule]:
    """Every format by name, found by listing this folder."""
    found: dict[str, FormatModule] = {}
    for entry in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{entry.name}")
        if hasattr(module, "NAME"):
            found[module.NAME] = cast(FormatModule, module)
    return found


def names() -> tuple[str, ...]:
    """The names of all formats, sorted."""
    return tuple(sorted(modules()))


def named(name: str) -> FormatModule:
    """The format called `name`, be it as the option is (`tokenizer-json`); UsageError if there is none."""
    try:
        return modules()[name.replace("-", ".")]
    except KeyError:
        raise UsageError(f"unknown format {name!r}", f"known formats: {', '.join(names())}") from None


def writable() -> tuple[str, ...]:
    """The names of the formats that can be written, sorted."""
    return tuple(name for name in names() if hasattr(modules()[name], "write"))


def find_in(directory: Path) -> Path:
    """The tokenizer's file in a model's directory; UsageError if there is none or no single one."""
    for pattern in IN_A_DIRECTORY:
        found = sorted(directory.glob(pattern))
        if len(found) > 1:
            listed = ", ".join(path.name for path in found[:5])
            raise UsageError(f"{directory} holds {len(found)} files {pattern} ({listed})", "name one of them")
        if found:
            return found[0]
    raise nothing_in(directory)


def nothing_in(directory: Path) -> UsageError:
    """That a directory holds no file which can be read; of older files, how to write one that can."""
    older = [name for name in _OLDER if (directory / name).is_file()]
    hint = f"looked for {', '.join(IN_A_DIRECTORY)}"
    if older:
        hint = (
            f"how text is cut does not stand in {' and '.join(older)}; transformers writes a tokenizer.json: "
            f"AutoTokenizer.from_pretrained({str(directory)!r}).save_pretrained({str(directory) + '-new'!r})"
        )
    return UsageError(f"{directory} holds no tokenizer", hint)


def all_in(directory: Path) -> list[Path]:
    """The tokenizer's files in a model's directory, one of each kind, in the order in which they are looked for."""
    found = [list(directory.glob(pattern)) for pattern in IN_A_DIRECTORY]
    return [paths[0] for paths in found if len(paths) == 1]


def detect(path: Path) -> FormatModule:
    """The format of a file, by its content; a file that is none but has a format's suffix is left to that format."""
    check_file(path)
    try:
        _check_fetched(path)
        return _sniffed(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def check_file(path: Path) -> None:
    """UsageError for what is not a regular file: opening a named pipe would wait for somebody who writes."""
    if not os.path.exists(path):  # unlike Path.exists, it takes any name, however long
        raise UsageError(f"there is no file {str(path)!r}", "check the path")
    if not path.is_file():
        raise UsageError(f"{str(path)!r} is not a regular file", "give a file that holds a model")


def _check_fetched(path: Path) -> None:
    """FormatError for what stands in for a file that was never fetched."""
    with path.open("rb") as file:
        head = file.read(_HEAD).lstrip().lower()
    if head.startswith(b"version https://git-lfs"):
        raise FormatError(f"{path} is a Git LFS pointer, not the file itself", "fetch the file: git lfs pull")
    if head.startswith((b"<!doctype html", b"<html")):
        raise FormatError(f"{path} is an HTML page, not a tokenizer", "fetch it again; log in if its host asks")


def _unreadable(path: Path, error: OSError) -> FormatError:
    return FormatError(f"{path} can't be read: {error.strerror or error}", "check its permissions")


def _sniffed(path: Path) -> FormatModule:
    for module in modules().values():
        if module.sniff(path):
            return module
    by_suffix = [module for module in modules().values() if path.suffix in module.SUFFIXES]
    if len(by_suffix) == 1:
        return by_suffix[0]
    with path.open("rb") as file:
        head = file.read(16)
    raise FormatError(
        f"{path} is not a tokenizer that tokparity can read: it begins with {head!r}",
        f"give a file in one of the formats {', '.join(names())}",
    )


def read(path: Path | str, format: str | None = None) -> Source:
    """Read a model's file, or the tokenizer's file in a directory, in the given format or in the one it looks like."""
    path = Path(path)
    if path.is_dir():
        path = find_in(path)
    check_file(path)
    module = named(format) if format else detect(path)
    try:
        _check_fetched(path)
        with never_collected():  # a vocabulary is a million objects, and none of them is garbage
            return module.read(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def check_target(path: Path) -> None:
    """Raise UsageError where a file at this path would take the place of a device, a pipe or a directory."""
    if path.exists() and not path.is_file():
        raise UsageError(f"{str(path)!r} is not a regular file, and is not replaced by one", "choose another name")


def companions(source: Source, format: str, path: Path) -> dict[Path, bytes]:
    """Return the paths and contents of files that hold what this format has no place for."""
    module = named(format)
    found: dict[Path, bytes] = module.companions(source, path) if hasattr(module, "companions") else {}
    return found


def write(source: Source, format: str, path: Path | str, alone: bool = False) -> None:
    """Write a source in another format, `alone` or with what stands beside it; the file appears whole or not at all.

    CannotExpressError names what the format cannot express.
    """
    path, module = Path(path), named(format)
    if not hasattr(module, "write"):
        raise CannotExpressError(f"{format} can't be written", f"formats that can: {', '.join(writable())}")
    if source.vocabulary.shared_ids and not getattr(module, "SHARES_IDS", False):
        told = literal(next(iter(source.vocabulary.shared_ids.values()))[0])
        raise CannotExpressError(
            f"{format} cannot express two added tokens with one id (one of them is {told})",
            "give each token its own id in the model's file",
        )
    check_target(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(8)}")
    try:
        module.write(source, temporary)
        for other, said in ({} if alone else companions(source, format, path)).items():
            check_target(other)
            if other.exists() and other.read_bytes() != said:
                raise UsageError(f"{str(other)!r} already exists with other content", "choose another folder")
            other.write_bytes(said)
        temporary.replace(path)
    except OSError as error:
        raise UsageError(f"can't write {str(path)!r}: {error.strerror or error}", "choose another place") from error
    finally:
        if temporary.exists():
            temporary.unlink()
