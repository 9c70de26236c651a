"""What a sweep is about, written before it begins: it is resumed only with the same text, models and engines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tokparity.errors import FormatError, UnwritableError, UsageError
from tokparity.models.cache import put
from tokparity.report.record import from_record

NAME = "sweep.json"
UNITS = "units"
FORMAT = 2


@dataclass(frozen=True)
class Manifest:
    """All that the results depend on.

    `models` maps a name to the SHA-256 of its files, `arguments` to the words that name it. `engines` are those that
    were named, `versions` those of all that reported theirs. `text` are the words of --text, `files` what each file
    was when the sweep began, `shard_bytes` the size of shards. One text in `decode_one_in` has its ids decoded, too.
    """

    tokparity: str
    models: Mapping[str, Mapping[str, str]]
    arguments: Mapping[str, tuple[str, ...]]
    engines: tuple[str, ...]
    versions: Mapping[str, str]
    text: tuple[str, ...]
    files: Mapping[str, str]
    field: str
    shard_bytes: int | None
    decode_one_in: int

    def write(self, folder: Path) -> None:
        """Write it where the results go; UnwritableError where that cannot be."""
        try:
            (folder / UNITS).mkdir(exist_ok=True)
            put(folder / NAME, json.dumps({"format": FORMAT, **asdict(self)}, indent=1).encode())
        except OSError as error:
            message = f"cannot write to {str(folder)!r}: {error.strerror}"
            raise UnwritableError(message, "make room, make it writable, or give another --out") from error

    def check(self, stored: Manifest, folder: Path) -> None:
        """UsageError where what is stored is about something else than this."""
        for name, ours, theirs in self._differences(stored):
            raise _other(folder, name, ours, theirs)

    def check_files(self, files: Mapping[str, str], folder: Path) -> None:
        """UsageError where these are not the files that the sweep was about, or one is not as it was."""
        for key in (*self.files, *files):
            if files.get(key) != self.files.get(key):
                raise _other(folder, f"text, {key}", files.get(key), self.files.get(key))

    def _differences(self, stored: Manifest) -> Iterator[tuple[str, object, object]]:
        nouns = {
            "tokparity": "version of tokparity",
            "models": "model or model file",
            "engines": "list of engines",
            "versions": "version of an engine",
            "field": "--field",
            "shard_bytes": "--shard",
            "decode_one_in": "--decode",
        }
        for name, noun in nouns.items():
            ours, theirs = getattr(self, name), getattr(stored, name)
            if isinstance(ours, Mapping):
                for key in (*theirs, *ours):
                    if ours.get(key) != theirs.get(key):
                        yield f"{noun}, {key}", ours.get(key), theirs.get(key)
            elif ours != theirs:
                yield noun, ours, theirs


def _other(folder: Path, what: str, ours: object, theirs: object) -> UsageError:
    message = f"the sweep in {str(folder)!r} had another {what}: {theirs!r:.120}, not {ours!r:.120}"
    return UsageError(message, "give --out another folder to begin a new one")


def read(folder: Path) -> Manifest:
    """The manifest in a folder; UsageError where there is none, FormatError where it is damaged."""
    path = folder / NAME
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        message = f"there is no sweep in {str(folder)!r}: {path.name}: {error.strerror}"
        raise UsageError(message, "name the --out of a sweep, or leave --resume out to begin one") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{str(path)!r} is damaged: {error}", "start again with another --out") from error
    try:
        if found.pop("format") != FORMAT:
            raise UsageError(f"{str(path)!r} was written by another version of tokparity", "use that version")
        manifest = from_record(Manifest, found)
        if manifest.decode_one_in < 1 or (manifest.shard_bytes or 1) < 1:
            raise ValueError("a number that is less than 1")
    except (KeyError, TypeError, AttributeError, ValueError, FormatError) as error:
        why = error.message if isinstance(error, FormatError) else repr(error)
        raise FormatError(
            f"{str(path)!r} is not the record of a sweep: {why:.200}", "start again with another --out"
        ) from error
    return manifest


def unit_path(folder: Path, model: str, shard: int) -> Path:
    """Where the result of a unit is once it is whole."""
    digest = hashlib.sha256(model.encode("utf-8", "surrogateescape")).hexdigest()[:8]  # a name may be a long path
    return folder / UNITS / f"{quote(Path(model).name, safe='')[:80]}-{digest}-{shard:06d}.parquet"
