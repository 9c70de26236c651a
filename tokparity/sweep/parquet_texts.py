"""Texts in a column of a Parquet file: a shard is a run of row groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tokparity.errors import FormatError, UsageError
from tokparity.sweep.shards import Shard, TextFile
from tokparity.sweep.streams import opened

if TYPE_CHECKING:
    from pyarrow.parquet import FileMetaData, ParquetFile

_ROWS = 2000  # read at a time


def row_group_ranges(file: TextFile, column: str, size: int) -> Iterator[tuple[int, int]]:
    """Runs of row groups whose column takes at least `size` bytes; FormatError where the file is damaged."""
    with opened(file) as stream:
        metadata = _parquet(file, stream).metadata
        place = _column(file, metadata, column)
        start = taken = 0
        for group in range(metadata.num_row_groups):
            taken += metadata.row_group(group).column(place).total_uncompressed_size
            if taken >= size:
                yield start, group + 1
                start, taken = group + 1, 0
        if start < metadata.num_row_groups:
            yield start, metadata.num_row_groups


def rows(shard: Shard) -> Iterator[list[tuple[int, bytes | None]]]:
    """Lists of (row of the file, text); None where a row has no text. Raises what pyarrow or the file system raises."""
    import pyarrow as pa

    with opened(shard.file) as stream:
        parquet = _parquet(shard.file, stream)
        stop = parquet.metadata.num_row_groups if shard.stop is None else shard.stop
        row = sum(parquet.metadata.row_group(group).num_rows for group in range(shard.start))
        groups = list(range(shard.start, stop))
        for batch in parquet.iter_batches(_ROWS, row_groups=groups, columns=[shard.field]):
            column = batch.column(0)
            binary = column.cast(pa.large_binary())
            texts = binary.to_pylist()
            yield list(enumerate(texts, row))
            row += len(texts)


def _parquet(file: TextFile, stream: object) -> ParquetFile:
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(stream)
    except Exception as error:  # pyarrow's own, and whatever the file system raises
        message = f"{file.name}: no Parquet file, or one that is cut off: {str(error)[:200]}"
        raise FormatError(message.replace("\n", " ")) from error


def _column(file: TextFile, metadata: FileMetaData, name: str) -> int:
    """The place of the column, which must hold texts; UsageError with those there are."""
    import pyarrow as pa

    schema = metadata.schema.to_arrow_schema()
    texts = [field.name for field in schema if _is_text(pa, field.type)]
    if name not in texts:
        has = f"texts are in {', '.join(texts)}" if texts else "it has no column of texts"
        raise UsageError(f"{file.name} has no column {name!r} of texts", f"{has}; give --field")
    return next(i for i in range(metadata.num_columns) if metadata.schema.column(i).path.split(".")[0] == name)


def _is_text(pa: object, kind: object) -> bool:
    types = pa.types  # type: ignore[attr-defined]
    if types.is_dictionary(kind):
        kind = kind.value_type  # type: ignore[attr-defined]
    text = (types.is_string, types.is_large_string, types.is_string_view)
    return any(check(kind) for check in (*text, types.is_binary, types.is_large_binary, types.is_binary_view))
