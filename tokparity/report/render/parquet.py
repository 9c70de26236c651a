"""Two Parquet files with the columns and dtypes of `load_report`: every stored mismatch, and every finding."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tokparity.errors import MissingDependencyError
from tokparity.report.file import mismatch_lines
from tokparity.report.model import Report
from tokparity.report.tables import Columns, finding_columns, mismatch_columns, whole

NAME = "parquet"
FILES = ("mismatches.parquet", "findings.parquet")
INSTALL = "pip install 'tokparity[parquet]'"
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
    import pyarrow
    from pyarrow import parquet

    arrays = {name: pyarrow.array(whole(values), _type(name, kind)) for name, (kind, values) in columns.items()}
    parquet.write_table(pyarrow.table(arrays), path, compression="zstd", compression_level=9)


def _type(name: str, kind: str) -> Any:
    """A column's type; a category is a dictionary, which pandas reads as a category."""
    import pyarrow

    text = pyarrow.string()
    plain = {"category": pyarrow.dictionary(pyarrow.int32(), text), "bool": pyarrow.bool_(), "int64": pyarrow.int64()}
    found = plain.get(kind, text)
    for _ in range(_LISTS.get(name, 0)):
        found = pyarrow.list_(found)
    return found
