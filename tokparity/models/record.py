"""A model: its files, its oracle, and the findings that were accepted for it. One .toml for each known model."""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from tokparity.errors import FormatError, UsageError
from tokparity.models.archive import LLAMA_CPP, Archive, named
from tokparity.models.cache import location, sha256

FOLDER = Path(__file__).parent
EMBEDDED = FOLDER / "embedded"
PULLED = "pulled"


@dataclass(frozen=True)
class AcceptedFinding:
    """A disagreement that is known and stays: which engine, what explains it, an example, why, and where it is told.

    `quirks` is empty if none explains it. Then `text` (a smallest text, as a JSON literal) identifies it. If that
    takes a megabyte, `origins` does: cases of corpora, which not every run has. `told` is what all its texts have in
    common, in the words of a finding. Without it, the entry is about its text, and texts that contain it. `gives` says
    what the engine gives on some texts, and `damage` what it does to the right answers. `cases` says how many of those
    put show it. A finding on the text that is otherwise is new. What is wrong in a file is told by the `key` of its
    GGUF and the `value` there, and is about no engine.
    """

    engine: str = ""
    reason: str = ""
    quirks: tuple[str, ...] = ()
    text: str = ""
    kind: str = "ids"
    link: str = ""
    origins: tuple[str, ...] = ()
    told: str = ""
    gives: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    cases: str = ""
    date: str = ""
    key: str = ""
    value: str = ""


@dataclass(frozen=True)
class PulledFile:
    """A file that `tokparity models pull` fetches, with its size and hash; `member` is its path in the archive."""

    member: str
    sha256: str
    size: int
    archive: Archive = LLAMA_CPP

    @property
    def name(self) -> str:
        """The name of the file, without its folder."""
        return PurePosixPath(self.member).name

    @property
    def path(self) -> Path:
        """Where it is once it has been fetched."""
        return location(PULLED) / self.archive.folder / self.name

    @property
    def is_sound(self) -> bool:
        """Whether it is there and what it must be."""
        return self.path.is_file() and self.path.stat().st_size == self.size and sha256(self.path) == self.sha256

    def check(self) -> None:
        """FormatError if it has not been fetched, or is damaged."""
        if not self.path.is_file():
            raise FormatError(f"{self.path.name} has not been downloaded yet", "run `tokparity models pull`")
        if not self.is_sound:
            raise FormatError(
                f"{self.path} is damaged: it has {self.path.stat().st_size} bytes and SHA-256 {sha256(self.path)}, "
                f"not {self.size} and {self.sha256}",
                "run `tokparity models pull` to fetch it again",
            )


@dataclass(frozen=True)
class Model:
    """A model and what is known of it.

    `sources` maps the name of a format to the file in that format. `oracle` is the engine that is right by definition.
    `engines` are those that can open the model, None for all. `pulled` are the files that have to be fetched first.
    `expected`, if there is one, is a file of texts and one of their ids (llama.cpp's .inp and .out). `disputed` are
    texts in it whose ids are not those of the model's own tokenizer, and `notes` say why. `pinned` is true where the
    files are known to be right, because tokparity ships them or knows their hashes. `configuration` is what the
    family's tokenizer_config.json and config.json say of the class, the type of model and flags. `license` names the
    terms of the files, of a package and of the vocabulary in it. Models of one `family` have nearly the same
    vocabulary. `origin` is the repository that the configuration is of.
    """

    name: str
    sources: Mapping[str, Path]
    oracle: str
    engines: tuple[str, ...] | None = None
    accepted: tuple[AcceptedFinding, ...] = ()
    notes: str = ""
    pulled: tuple[PulledFile, ...] = ()
    expected: tuple[Path, Path] | None = None
    disputed: tuple[str, ...] = ()
    embedded: bool = field(default=False, compare=False)
    pinned: bool = field(default=False, compare=False)
    configuration: Mapping[str, object] = field(default_factory=dict)
    license: str = ""
    family: str = ""
    origin: str = ""

    @property
    def missing(self) -> tuple[PulledFile, ...]:
        """The files that are still to be fetched, or to be fetched again because they are damaged."""
        return tuple(file for file in self.pulled if not file.is_sound)

    @property
    def is_here(self) -> bool:
        """Whether every file exists, and those that were pulled have the right hash."""
        return all(path.is_file() for path in self.sources.values()) and not self.missing


@cache
def names() -> tuple[str, ...]:
    """The names of all known models, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load(name: str) -> Model:
    """The known model of this name."""
    path = FOLDER / f"{name}.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        return _model(name, data)
    except (KeyError, TypeError) as error:
        raise UsageError(
            f"{path} is not a description of a model: {error!r}", "compare it with other models' files"
        ) from error


def _model(name: str, data: Mapping[str, Any]) -> Model:
    sources: dict[str, Path] = {}
    pulled: list[PulledFile] = []
    for format, place in data["sources"].items():
        sources[format] = _place(place, pulled)
    for place in data.get("beside", ()):
        _place(place, pulled)
    expected = data.get("expected")
    known = {"sources", "oracle", "engines", "notes", "accepted", "expected", "configuration"}
    known |= {"beside", "license", "family"}
    if data.keys() - known:
        raise TypeError(f"unknown key {sorted(data.keys() - known)[0]!r}")
    return Model(
        name=name,
        sources=sources,
        oracle=data["oracle"],
        engines=tuple(data["engines"]) if "engines" in data else None,
        accepted=tuple(_accepted(entry) for entry in data.get("accepted", ())),
        notes=data.get("notes", "").strip(),
        expected=(_place(expected["texts"], pulled), _place(expected["ids"], pulled)) if expected else None,
        disputed=tuple(expected.get("disputed", ())) if expected else (),
        pulled=tuple(pulled),
        embedded=any("embedded" in place for place in data["sources"].values()),
        pinned=True,
        configuration={key: value for key, value in data.get("configuration", {}).items() if key != "source"},
        origin=str(data.get("configuration", {}).get("source", "")).partition(";")[0],
        license=data.get("license", ""),
        family=data.get("family", ""),
    )


def _accepted(entry: Mapping[str, Any]) -> AcceptedFinding:
    return AcceptedFinding(
        **{**entry, **{name: tuple(entry.get(name, ())) for name in ("quirks", "origins", "gives", "damage")}}
    )


def _place(place: Mapping[str, Any], pulled: list[PulledFile]) -> Path:
    """The path of a file: shipped with tokparity, part of an installed package, or fetched."""
    if "embedded" in place:
        return EMBEDDED / str(place["embedded"])
    if "package" in place:
        return _package(str(place["package"])) / str(place["file"])
    archive, member = named(place)
    file = PulledFile(member, place["sha256"], place["size"], archive)
    pulled.append(file)
    return file.path


@cache
def _package(name: str) -> Path:
    """The folder of an installed package, without importing it; a folder that doesn't exist if it is not installed."""
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found and found.origin else Path(f"{name} is not installed")
