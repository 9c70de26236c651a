"""A word of a file as the name of an engine or a model: taken only where it names what tokparity itself brings.

Recordings, reports and the states of runs come from anybody. A word in them becomes no program, path, URL or
requirement for an installer, unless the user has typed that very word.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, NoReturn

from tokparity import engines
from tokparity.engines import engine_name
from tokparity.engines.environment.released import RELEASED
from tokparity.errors import UsageError
from tokparity.models.record import names
from tokparity.questions.shell import command_line

if TYPE_CHECKING:
    from tokparity.models.repository import Repository

_LONGEST = 200
"""Characters of a name of an engine: with options and quirks."""

_VERSION = re.compile(r"([a-z][a-z-]{0,30}-)?\d{1,9}(\.\d{1,9}){0,5}((a|b|rc)\d{1,4})?(\.post\d{1,4})?(\.dev\d{1,4})?")
"""A public version, perhaps behind the name of the library that it is of: no path, no requirement, no URL."""


def engine_of_file(word: str, file: object, instead: Sequence[str], typed: Collection[str] = ()) -> str:
    """The word, if it names an engine that tokparity brings, at a plain version, or is one of those `typed`.

    UsageError says how to type it: as the last word of the command `instead`.
    """
    if word not in typed and not _is_ours(word):
        _refuse("engine", word, file, "a built-in engine with a plain version", [*instead, word])
    return word


def engines_of_file(
    words: Collection[str], file: object, instead: Sequence[str], typed: Collection[str]
) -> tuple[str, ...]:
    """The engines that the state of a run lists; where others were typed, both do not belong together."""
    if typed and {*typed} != {*words}:
        theirs = ", ".join(words) or "none was named"
        message = f"{str(file)!r} was made with other engines: {theirs:.200}, not {', '.join(typed):.200}"
        raise UsageError(message, "leave --engine out, or name exactly these")
    again = [word for name in words for word in ("--engine", name)]
    for word in words:
        if word not in typed and not _is_ours(word):
            _refuse("engine", word, file, "a built-in engine with a plain version", [*instead, *again])
    return tuple(dict.fromkeys(words))


def model_of_file(words: Sequence[str], file: object, instead: Sequence[str], own: Repository | None) -> str:
    """The name of a known model, or of one in `own`, which the user has named or keeps here; UsageError otherwise."""
    mine = own is not None and words[-1:] and words[-1] in own.names and tuple(words[:-1]) in ((), own.words)
    if not mine and (len(words) != 1 or words[0] not in names()):
        _refuse("model", " ".join(words), file, "a known model", [*instead, *words])
    return words[-1]


def path_of_file(word: str, file: object, instead: Sequence[str]) -> str:
    """A path of this machine, of which the file tells what it was; UsageError for a URL, or a chain of them."""
    if ":" in word:
        _refuse("text", word, file, "a path", instead)
    return word


def plain_folder(folder: Path) -> None:
    """UsageError where a run's folder holds links, pipes or devices: files are written there, and read."""
    for where, folders, files in os.walk(folder):
        plain_files(Path(where, name) for name in (*folders, *files))


def plain_files(paths: Iterable[Path]) -> None:
    """UsageError where one of the paths is a link, a pipe or a device; those that are not there are plain."""
    for path in paths:
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue
        if not S_ISREG(mode) and not S_ISDIR(mode):
            message = f"{str(path)!r} is a link, a pipe or a device, which no run makes in its folder"
            raise UsageError(message, "check what it is, and delete it")


def _is_ours(word: str) -> bool:
    """Whether the word can name nothing but an engine of this package: in its form, and by its name."""
    if len(word) > _LONGEST:
        return False
    try:
        name = engine_name.parse(word)
    except UsageError:
        return False
    if name.is_outside or name.base not in {*RELEASED, *engines.names()}:
        return False
    plain = all(not isinstance(value, str) for _, value in name.options)  # a string may name a class or a commit
    return plain and (not name.version or _VERSION.fullmatch(name.version) is not None)


def _refuse(what: str, word: str, file: object, plain: str, command: Sequence[str]) -> NoReturn:
    message = f"{str(file)!r} names the {what} {word!r:.200}, and a file may name only {plain}"
    if sum(map(len, command)) > 10 * _LONGEST:
        raise UsageError(message, f"name the {what} on the command line")
    raise UsageError(message, f"if you trust it, type it: {command_line(command)}")
