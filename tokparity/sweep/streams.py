"""The bytes of a file of texts from a place on, decompressed, in chunks; and the lines in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import IO, Any

from tokparity.errors import FormatError
from tokparity.sweep.shards import TextFile

CHUNK = 1 << 20
LONGEST = 8 << 20
"""Bytes of the longest line that is put to an engine; a longer one is told, and passed over without being held."""


@contextmanager
def opened(file: TextFile, cache: str = "readahead") -> Iterator[IO[bytes]]:
    """The file as it lies there; with the cache "none" just what is asked for is read of one that lies elsewhere."""
    import fsspec

    with fsspec.open(file.path, "rb", **({"cache_type": cache} if "://" in file.path else {})) as stream:
        yield stream


def chunks(file: TextFile, start: int) -> Iterator[bytes]:
    """The file's bytes from `start` on; raises whatever its file system or its compression raises."""
    # Each read is a chunk already; a compressed file is read in smaller pieces.
    with opened(file, "readahead" if file.compression else "none") as raw:
        if start:
            raw.seek(start)
        with closing(_decompressed(raw, file.compression)) as stream:
            # Of a damaged file all that unpacks is taken, not only what fills whole chunks.
            read = stream.read1 if file.compression else stream.read
            while chunk := read(CHUNK):
                yield bytes(chunk)


def _decompressed(raw: IO[bytes], compression: str) -> Any:
    match compression:
        case "gzip":
            import gzip

            return gzip.GzipFile(fileobj=raw)
        case "bz2":
            import bz2

            return bz2.BZ2File(raw)
        case "xz":
            import lzma

            return lzma.LZMAFile(raw)
        case "zstd":
            import pyarrow as pa

            return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")
        case "":
            return raw
    raise FormatError(f"{compression!r} is not a compression that is known here")


class Lines:
    """The lines that begin before `stop`, in lists; a line longer than LONGEST is None.

    `at` is the offset of the next line's first byte in the decompressed file. It shows how far reading came when
    `chunks` raises.
    """

    def __init__(self, chunks: Iterator[bytes], at: int, stop: int | None) -> None:
        self.at = at
        self._chunks = chunks
        self._stop = stop
        self._held = b""  # the beginning of a line whose end has not been read
        self._dropped = 0  # bytes of a line that is too long to be held

    def __iter__(self) -> Iterator[list[tuple[int, bytes | None]]]:
        """Lists of (place, line)."""
        for chunk in self._chunks:
            pieces = (self._held + chunk).split(b"\n")
            self._held = pieces.pop()
            found = self._placed(pieces)
            if len(self._held) > LONGEST:
                self._dropped += len(self._held)
                self._held = b""
            yield found
            if self._is_over:
                return
            if self._dropped and self._stop is not None and self._read >= self._stop:
                # It ends in another shard, which looks for its end; here nothing more begins.
                yield [(self.at, None)]
                return
        if self._stop is not None and self._read < self._stop:
            raise EOFError(f"it ends {self._stop - self._read} bytes before the end that was promised")
        if self._held or self._dropped:  # the last line of a file need not end
            yield self._placed([self._held])

    @property
    def _read(self) -> int:
        """The place up to which bytes were read."""
        return self.at + self._dropped + len(self._held)

    @property
    def _is_over(self) -> bool:
        return self._stop is not None and self.at >= self._stop

    def _placed(self, pieces: list[bytes]) -> list[tuple[int, bytes | None]]:
        found: list[tuple[int, bytes | None]] = []
        for piece in pieces:
            if self._is_over:
                break
            is_long = self._dropped or len(piece) > LONGEST
            found.append((self.at, None if is_long else piece))
            self.at += self._dropped + len(piece) + 1
            self._dropped = 0
        return found
