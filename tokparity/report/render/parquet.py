"""Two Parquet files with the columns and dtypes of `load_report`: every stored mismatch, and every finding."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from tokparity.errors import MissingDependencyError
from tokparity.report.file import mismatch_lines
from tokparity.report.model import Report
from tokparity.report.tables import Columns, finding_columns, mismatch_columns, whole

NAME = "parquet"
FILES = ("mismatches.parquet", "findings.parquet")
INSTALL = "pip install 'tokparity[parquet]'"
_ROWS = 1_000
"""Rows that are read at a time, for pyarrow reads less than 2 GB at once."""
_LISTS = {"quirks": 1, "alternatives": 2}
"""Columns that hold lists of names, and how deep."""


def is_installed() -> bool:
    """Whether there is what writes them."""
    return find_spec("pyarrow") is not None


def render(report: Report, path: Path) -> None:
    """Write both files into a directory; or one, the findings if the file's name begins with "findings"."""
    if not is_installed():
        raise MissingDependencyError("Parquet needs pyarrow", INSTALL)
    if path.is_dir() or path.suffix != ".parquet":
        path.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            render(report, path / name)
    elif path.name.startswith("findings"):
        _write(path, finding_columns(report.findings))
    else:
        _write(path, mismatch_columns(mismatch_lines(report), report))


def _write(path: Path, columns: Columns) -> None:
    """Write a table. Its values go through JSON: `pyarrow.array` imports pandas, which takes longer than all else."""
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([(name, _type(name, kind)) for name, (kind, _) in columns.items()])
    rows = zip(*(values for _, values in columns.values()), strict=True)
    lines = (json.dumps(dict(zip(columns, whole(list(row)), strict=True))).encode() for row in rows)
    empty = pyarrow.Table.from_batches([], schema)
    table = pyarrow.concat_tables([empty, *(_read(part, schema) for part in iter(lambda: [*islice(lines, _ROWS)], []))])
    for at, (kind, _) in enumerate(columns.values()):
        if kind == "category":  # a dictionary, which pandas reads as a category
            table = table.set_column(at, table.field(at).name, table.column(at).dictionary_encode())
    parquet.write_table(table, path, compression="zstd", compression_level=9)


def _read(lines: Sequence[bytes], schema: Any) -> Any:
    """A table of rows in JSON."""
    from pyarrow import json as arrow_json

    data = b"\n".join(lines)
    reading = arrow_json.ReadOptions(use_threads=False, block_size=len(data) + 1)
    parsing = arrow_json.ParseOptions(explicit_schema=schema)
    return arrow_json.read_json(io.BytesIO(data), read_options=reading, parse_options=parsing)


def _type(name: str, kind: str) -> Any:
    """A column's type."""
    import pyarrow

    found = {"bool": pyarrow.bool_(), "int64": pyarrow.int64()}.get(kind, pyarrow.string())
    for _ in range(_LISTS.get(name, 0)):
        found = pyarrow.list_(found)
    return found
