"""Faults of released engines as data: the files of found/, one for each engine.

An answer is written as people write it: ids with a space between two, a decoded text as a JSON literal, or FAILURE.
Where the question is how the time grows with the text, it is SQUARE or LINEAR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from tokparity.errors import FormatError, UsageError
from tokparity.models import toml_text
from tokparity.questions import Decode, Encode, json_text

FAILURE = "an error"
NO_IDS = "no ids"
SQUARE = "square time"
LINEAR = "linear time"


@dataclass(frozen=True)
class Package:
    """An engine's package: where it comes from, and which version the faults are of.

    `script` is how a program of its users encodes TEXT, and `decode_script` how it decodes it, where that is no Python.
    """

    engine: str
    package: str
    registry: str
    version: str
    project: str
    script: str = ""
    decode_script: str = ""


@dataclass(frozen=True)
class Fault:
    """What an engine answers to one question, and what the model's oracle and a second engine answer.

    `version` is the package's, if none is named. `file` is what a script opens, if it is not the usual one. `until` is
    the release in which the fault was healed. `lengths` are two numbers of times that the text is repeated, where the
    fault is how the time grows from one to the other. `script` is what users run, if it is not the usual one.
    """

    name: str
    title: str
    hurts: str
    model: str
    given: str
    right: str
    oracle: str
    second: str
    second_gives: str
    cause: str
    fix: str
    text: str = ""
    ids: tuple[int, ...] = ()
    add_special: bool = False
    parse_special: bool = True
    skip_special: bool = False
    lengths: tuple[int, ...] = ()
    script: str = ""
    quirks: tuple[str, ...] = ()
    version: str = ""
    file: str = ""
    since: str = ""
    until: str = ""
    reported: str = ""

    @property
    def question(self) -> Encode | Decode:
        """What is asked: the ids of a text, or the text of ids."""
        if self.text:
            return Encode(json_text.parse(self.text), self.add_special, self.parse_special)
        return Decode(self.ids, self.skip_special)

    @property
    def printed_by(self) -> str:
        """The script that prints the answer: the fault is in a layer of the package that its adapter does not use."""
        return "" if self.lengths else self.script

    @property
    def asked(self) -> str:
        """The text, or the ids, as people write it."""
        times = f" x {' and '.join(f'{length:,}' for length in self.lengths)}" if self.lengths else ""
        return f"{self.text}{times}" if self.text else f"ids {list(self.ids)}"


@dataclass(frozen=True)
class Found:
    """One file: a package and its faults."""

    package: Package
    faults: tuple[Fault, ...]


_Kind = TypeVar("_Kind", Package, Fault)


def folder(path: Path) -> list[Found]:
    """All files of a folder, by name."""
    return [read(file) for file in sorted(path.glob("*.toml"))]


def read(path: Path) -> Found:
    """One file; UsageError says what is wrong in it."""
    try:
        if path.stat().st_size > toml_text.MAX_BYTES:
            raise UsageError(f"{str(path)!r} is larger than {toml_text.MAX_BYTES} bytes", "name a file of found/")
        record = toml_text.parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error}", "name a file of found/") from error
    faults = record.pop("fault", [])
    if not isinstance(faults, list) or not faults:
        raise UsageError(f"{str(path)!r} has no [[fault]]", "see the files of found/")
    package = _made(Package, record, path)
    found = (_fault(one, path) for one in faults)
    return Found(package, tuple(replace(one, version=one.version or package.version) for one in found))


def _fault(record: object, path: Path) -> Fault:
    fault = _made(Fault, record, path)
    if fault.text and fault.ids:
        raise UsageError(f"{str(path)!r}: the fault {fault.name!r} has a text and ids", "name one of them")
    if fault.lengths and (len(fault.lengths) != 2 or not fault.text):
        raise UsageError(
            f"{str(path)!r}: lengths of {fault.name!r} are not two, of a text", "name a text and two lengths"
        )
    try:
        fault.question  # noqa: B018 (its text is read here)
    except FormatError as error:
        raise UsageError(f"{str(path)!r}: the text of {fault.name!r}: {error.message}", error.hint) from error
    return fault


def _made(kind: type[_Kind], record: object, path: Path) -> _Kind:
    """A record with exactly the keys and types of its class."""
    known = {field.name: field for field in fields(kind)}
    found: Mapping[str, Any] = record if isinstance(record, dict) else {}
    lacks = [name for name, field in known.items() if field.default is MISSING and name not in found]
    wrong = [name for name, value in found.items() if name not in known or not _is_of(value, str(known[name].type))]
    if lacks or wrong:
        message = f"{str(path)!r}: {kind.__name__.lower()} {found.get('name', '')!r}"
        raise UsageError(f"{message} lacks {lacks}, and has wrong {wrong}", "see the files of found/")
    plain: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in found.items()}
    return kind(**plain)


def _is_of(value: object, type_name: str) -> bool:
    if type_name.startswith("tuple"):
        each: type = int if "int" in type_name else str
        return isinstance(value, list) and all(isinstance(one, each) for one in value)
    return type(value).__name__ == type_name


def spelled_ids(ids: Sequence[int]) -> str:
    """Ids as an answer is written."""
    return " ".join(map(str, ids)) or NO_IDS
