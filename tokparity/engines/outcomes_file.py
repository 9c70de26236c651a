"""An engine's outcomes as one Parquet file: a row for each question, and in the metadata what they were recorded with.

Such files come from anywhere: sizes, types and metadata are checked before anything is believed.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tokparity.engines.outcome_rows import rows_of
from tokparity.errors import FormatError, MissingDependencyError
from tokparity.outcome import Failure, FailureKind
from tokparity.questions import Decode, Encode, Spans, Stream

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Schema, Table
    from pyarrow.parquet import ParquetWriter

    from tokparity.case import AnyCase
    from tokparity.engines.results import Results

FORMAT = 2
_FORMATS = (1, 2)
"""Those that are read; in the first there are only texts."""
_KEY = b"tokparity"
_MAKE = "make it: tokparity record ENGINE MODEL -o FILE"
_MOST = 4 << 30
"""Bytes that a file may unpack to, as its metadata says and as what is unpacked shows."""
_MOST_ROWS = 1 << 24
"""Questions in a file; a row that repeats the one before takes no room in it."""
_ROWS = 1024  # unpacked at a time


@dataclass(frozen=True)
class Recorded:
    """With what a file was recorded. `models` maps a name to the SHA-256 of each of the model's files."""

    engine: str
    version: str
    tokparity: str
    unicode: str
    python: str
    recorded: str
    seed: int
    command: tuple[str, ...]
    models: Mapping[str, Mapping[str, str]]
    installed: tuple[str, ...] = ()
    """What the engine's environment holds, where it has one of its own: pins and the wheels' hashes."""
    questions: Mapping[str, int] = field(default_factory=dict)
    """How many rows each model has, so that it shows where some are gone; an earlier tokparity did not write it."""

    def to_json(self) -> dict[str, Any]:
        """Return the record as it is stored in the file's metadata."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Recorded:
        """What `to_json` wrote; KeyError, TypeError or ValueError where it is something else."""
        told = {field.name: said[field.name] for field in fields(cls) if field.name != "questions"}
        texts = ("engine", "version", "tokparity", "unicode", "python", "recorded")
        if not all(isinstance(told[name], str) for name in texts) or type(told["seed"]) is not int:
            raise TypeError("a text is not a string, or the seed is not a number")
        models = {str(name): dict(hashes) for name, hashes in told["models"].items()}
        questions = {str(name): int(rows) for name, rows in said.get("questions", {}).items()}
        lists = {name: tuple(map(str, told[name])) for name in ("command", "installed")}
        return cls(**{**told, **lists, "models": models, "questions": questions})


def schema() -> Schema:
    """The columns: the question, where it comes from, and the answer or the failure.

    Of ids that are decoded, `row` has these, and of a stream what `Stream.row` has; `text` is then empty. What a stream
    came to is in `decoded`, as it travels (see `streams.packed`), and so are spans.
    """
    import pyarrow as arrow

    return arrow.schema(
        [
            ("model", arrow.string()),
            ("text", arrow.binary()),
            ("add_special", arrow.bool_()),
            ("parse_special", arrow.bool_()),
            ("origin", arrow.string()),
            ("ids", arrow.list_(arrow.int32())),
            ("decoded", arrow.binary()),
            ("failure", arrow.string()),
            ("message", arrow.string()),
            ("signal", arrow.int32()),
            ("kind", arrow.string()),
            ("row", arrow.list_(arrow.int32())),
            ("skip_special", arrow.bool_()),
        ]
    )


def needs_pyarrow(path: Path) -> None:
    """Raise MissingDependencyError where the library is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        message = f"{str(path)!r}: recorded outcomes need pyarrow, which cannot be imported: {error}"
        raise MissingDependencyError(message, "install it: pip install 'tokparity[parquet]'") from error


class OutcomesWriter:
    """Writes a file batch by batch: the rows wait beside it, for how many they are stands before them."""

    def __init__(self, path: Path, recorded: Recorded) -> None:
        self._path, self._recorded = path, recorded
        self._questions = dict.fromkeys(recorded.models, 0)
        self._rows = tempfile.TemporaryFile(dir=path.parent)  # noqa: SIM115  (closed by `close`)
        self._file = _opened(self._rows, schema())

    def write(self, model: str, cases: Sequence[AnyCase], results: Results) -> None:
        """The outcomes of one batch; of what is encoded again, those of the plain questions on the way."""
        import pyarrow as arrow

        rows = list(rows_of(model, cases, results))
        self._file.write_table(arrow.Table.from_pylist(rows, schema()))
        self._questions[model] += len(rows)

    def close(self) -> None:
        """Write the file."""
        import pyarrow.parquet

        self._file.close()
        said = json.dumps(replace(self._recorded, questions=self._questions).to_json(), sort_keys=True)
        with self._rows:
            rows = pyarrow.parquet.ParquetFile(self._rows)
            with _opened(self._path, schema().with_metadata({_KEY: said})) as file:
                for group in range(rows.num_row_groups):
                    file.write_table(rows.read_row_group(group))


def _opened(file: Path | IO[bytes], columns: Schema) -> ParquetWriter:
    import pyarrow.parquet

    return pyarrow.parquet.ParquetWriter(file, columns, compression="zstd")


def recorded_in(path: Path) -> Recorded:
    """With what a file was recorded; the rows are not read."""
    import pyarrow.parquet

    with _readable(path):
        found = pyarrow.parquet.read_metadata(path)
        size = sum(found.row_group(i).total_byte_size for i in range(found.num_row_groups))
        said = json.loads((found.metadata or {}).get(_KEY, b"null"))
        if said is None:
            raise ValueError("it was not written by `tokparity record`")
        if said["format"] not in _FORMATS:
            raise ValueError(f"it has format {said['format']!r}, and this tokparity reads formats up to {FORMAT}")
        if size > _MOST:
            raise ValueError(f"its rows unpack to {size} bytes, more than {_MOST}")
        if found.num_rows > _MOST_ROWS:
            raise ValueError(f"it has {found.num_rows} rows, more than {_MOST_ROWS}")
        return Recorded.from_json(said)


def rows_of_model(path: Path, model: str) -> Table:
    """The rows of one model, checked to have the columns of `schema`."""
    import pyarrow

    with _readable(path):
        table = pyarrow.Table.from_batches(_batches_of_model(path, model), schema()).combine_chunks()
        table.validate(full=True)
        if table["ids"].combine_chunks().flatten().null_count:
            raise ValueError("a row of ids has a hole")
        if any(table[name].null_count for name in ("text", "add_special", "parse_special", "skip_special", "kind")):
            raise ValueError("a question has a hole")
        if table["row"].combine_chunks().flatten().null_count or table["row"].null_count:
            raise ValueError("a row of ids that was asked about has a hole")
        if others := {*table["kind"].unique().to_pylist()} - {Encode.KIND, Decode.KIND, Stream.KIND, Spans.KIND}:
            raise ValueError(f"{min(others)!r:.40} is not a kind of question in a recording")
        return table


def _batches_of_model(path: Path, model: str) -> Iterator[RecordBatch]:
    """The rows of one model, a few at a time, for what is unpacked may be much larger than what is said."""
    import pyarrow.compute
    import pyarrow.parquet

    unpacked = 0
    for batch in pyarrow.parquet.ParquetFile(path).iter_batches(_ROWS, columns=schema().names):
        found = batch.filter(pyarrow.compute.equal(batch["model"], model))
        unpacked += found.nbytes
        if unpacked > _MOST:
            raise ValueError(f"the rows of {model} unpack to more than {_MOST} bytes")
        table = pyarrow.Table.from_batches([found]).replace_schema_metadata(None)
        for column, value in (("kind", Encode.KIND), ("row", []), ("skip_special", True)):
            if column not in table.column_names:  # an earlier tokparity recorded only texts
                filled = pyarrow.array([value] * len(table), schema().field(column).type)
                table = table.append_column(column, filled)
        yield from table.select(schema().names).cast(schema()).to_batches()


def failures_of(table: Table) -> dict[int, Failure]:
    """The failures among the rows, by row."""
    columns = (table[name].to_pylist() for name in ("failure", "message", "signal"))
    return {
        row: Failure(_kind(kind), message or "", signal)
        for row, (kind, message, signal) in enumerate(zip(*columns, strict=True))
        if kind is not None
    }


def _kind(name: str) -> FailureKind:
    if name not in FailureKind.__args__:  # type: ignore[attr-defined]
        raise FormatError(f"{name!r:.40} is not a kind of failure", "record again")
    return name  # type: ignore[return-value]


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turns whatever is wrong with a file into one line."""
    import pyarrow as arrow

    try:
        yield
    except FileNotFoundError as error:
        raise FormatError(
            f"there is no file {str(path)!r}", "make it: tokparity record ENGINE MODEL -o FILE"
        ) from error
    except (arrow.ArrowException, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = " ".join(str(error).split())[:200]
        raise FormatError(f"{str(path)!r} is not a recording of outcomes: {why}", _MAKE) from error
