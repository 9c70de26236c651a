"""The text of a sweep: files that words name, cut into shards that do not depend on who reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokparity.errors import FormatError, MissingDependencyError, UsageError
from tokparity.sweep.parquet_texts import row_group_ranges
from tokparity.sweep.shards import Layout, Shard, TextFile

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

SHARD_BYTES = 16 << 20
_MOST_SHARDS = 10_000
"""Of larger texts the shards are larger: each is a file of results, and a task of the scheduler."""

_COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".lzma": "xz", ".zst": "zstd", ".zstd": "zstd"}
_LAYOUTS: dict[str, Layout] = {".jsonl": "json", ".ndjson": "json", ".json": "json", ".parquet": "parquet"}
_STATES = ("size", "mtime", "LastModified", "last_modified", "updated", "ETag", "etag", "md5", "Content-MD5", "Digest")
"""What file systems tell of a file that changes when its content does."""


@dataclass(frozen=True)
class Text:
    """All shards in order, and what could not be cut because it is damaged: the file and why."""

    files: tuple[TextFile, ...]
    shards: tuple[Shard, ...]
    damaged: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> int:
        """Bytes of all files as they lie there, as far as that is known."""
        return sum(file.size or 0 for file in self.files)


def text_of(words: Sequence[str], field: str, shard_bytes: int | None = None) -> Text:
    """The text that words name, in shards."""
    return cut(files_of(words), field, shard_bytes)


def files_of(words: Sequence[str]) -> list[TextFile]:
    """The files that paths, patterns, folders and URLs name, none of them read; UsageError where one names nothing."""
    return list({file.path: file for word in words for file in _files(word)}.values())


def cut(files: Sequence[TextFile], field: str, shard_bytes: int | None) -> Text:
    """The files in shards."""
    total = sum(file.size or 0 for file in files)
    size = shard_bytes or max(SHARD_BYTES, total // _MOST_SHARDS)
    shards: list[Shard] = []
    damaged: list[tuple[str, str]] = []
    for file in files:
        try:
            for start, stop in _ranges(file, field, size):
                shards.append(Shard(len(shards), file, field, start, stop))
        except FormatError as error:
            damaged.append((file.name, str(error)))
    return Text(tuple(files), tuple(shards), tuple(damaged))


def state_of(file: TextFile) -> str:
    """What tells whether the file is as it was, as it is now; OSError and the like where it cannot be reached."""
    fs, path = _file_system(file.path)
    return _state(fs.info(path))


def _files(word: str) -> Iterator[TextFile]:
    fs, root = _file_system(word)
    try:
        # In the address of a web page "?" is not a wildcard, and asking whether it is a folder would read all of it.
        web = "http" in _protocols(fs)
        if any(character in word for character in ("*" if web else "*?[")) and not fs.exists(root):
            found = sorted(path for path in fs.glob(root) if not fs.isdir(path))
        elif word.endswith("/") if web else fs.isdir(root):
            found = sorted(fs.find(root))
        else:
            found = [root]
        infos = [(path, fs.info(path)) for path in found]
    except Exception as error:  # each file system raises what its library raises
        raise UsageError(
            f"--text {word!r} cannot be read: {_told(error)}", "name a file, a pattern or a URL"
        ) from error
    if not infos:
        raise UsageError(
            f"--text {word!r} names no file", "put quotes around a pattern; it is looked up from the working directory"
        )
    local = "file" in _protocols(fs)
    for path, info in infos:
        relative = local and not os.path.isabs(word.removeprefix("file://"))
        name = os.path.relpath(path) if relative else path if local else fs.unstrip_protocol(path)
        yield _described(path if local else fs.unstrip_protocol(path), name, info)


def _described(path: str, name: str, info: dict[str, Any]) -> TextFile:
    stem, suffix = os.path.splitext(name.partition("?")[0].lower())
    compression = _COMPRESSIONS.get(suffix, "")
    layout = _LAYOUTS.get(os.path.splitext(stem)[1] if compression else suffix, "lines")
    size = info.get("size")
    # A server that cannot send a part of a file sends it whole, from its beginning.
    whole = info.get("partial") is False
    return TextFile(path, name, layout, compression, None if whole or size is None else int(size), _state(info))


def _ranges(file: TextFile, field: str, size: int) -> Iterator[tuple[int, int | None]]:
    if file.layout == "parquet" and not file.compression:
        yield from row_group_ranges(file, field, size)
    elif file.compression or file.size is None:
        yield 0, None
    else:
        yield from ((start, min(start + size, file.size)) for start in range(0, file.size, size))


def _file_system(word: str) -> tuple[AbstractFileSystem, str]:
    import fsspec

    try:
        fs, path = fsspec.core.url_to_fs(word)
    except ImportError as error:
        raise MissingDependencyError(
            f"--text {word!r}: {error}", "install the package that the message names"
        ) from error
    except ValueError as error:
        raise UsageError(f"--text {word!r}: {error}", "name a file, a pattern or a URL that fsspec knows") from error
    return fs, path


def _protocols(fs: AbstractFileSystem) -> tuple[str, ...]:
    return (fs.protocol,) if isinstance(fs.protocol, str) else tuple(fs.protocol)


def _state(info: dict[str, Any]) -> str:
    return "; ".join(f"{name} {info[name]}" for name in _STATES if info.get(name) is not None)


def _told(error: BaseException) -> str:
    if error.__cause__ is not None:  # fsspec raises FileNotFoundError for whatever keeps it from asking a server
        error = error.__cause__
    return f"{type(error).__name__}: {error}".replace("\n", " ")[:200]
