"""What came of a unit as a Parquet file: counts, mismatches and controls, a row each, and who did it in the metadata.

Columns: record ("tally", "kind", "mismatch", "control"), engine, kind, line, count (of a mismatch: 1 if it is the
smallest of its kind; of a control: its checksum), and json, the noun as it stands in a report. The schema's metadata
has, under "tokparity", all that is of the unit as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokparity.errors import FormatError
from tokparity.finding import Control, Mismatch
from tokparity.report.record import from_record, to_record
from tokparity.report.tally import Tally
from tokparity.sweep.gathered import Chosen, Controls, Gathered, Kind, Placed
from tokparity.sweep.unit import About, Done

_METADATA = b"tokparity"
_MOST = 4 << 30
"""Bytes that a file may unpack to."""

if TYPE_CHECKING:
    from pyarrow import Schema

Row = tuple[str, str, str, int, int, str]


def to_parquet(done: Done) -> bytes:
    """The file's content."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = to_record(About(**{field.name: getattr(done, field.name) for field in fields(About)}))
    schema = _schema().with_metadata({_METADATA: json.dumps(about).encode()})
    rows = list(_rows(done.gathered))
    columns = {name: [row[place] for row in rows] for place, name in enumerate(schema.names)}
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns, schema=schema), sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def read(file: Path | bytes, known: Gathered | None = None) -> Done:
    """What a file, or its content, holds: the counts, and of the mismatches and controls what adds to `known`.

    Without `known` only what is counted of each kind. FormatError where the file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(pa.BufferReader(file) if isinstance(file, bytes) else file)
        if sum(source.metadata.row_group(i).total_byte_size for i in range(source.num_row_groups)) > _MOST:
            raise ValueError(f"it unpacks to more than {_MOST} bytes")
        about = from_record(About, json.loads(source.metadata.metadata[_METADATA]))
        if below := [name for name, value in vars(about).items() if isinstance(value, int) and value < 0]:
            raise ValueError(f"{below[0]} is less than nothing")
        names = ["record", "engine", "kind", "count"] if known is None else _schema().names
        table = source.read(names).replace_schema_metadata(None)
        table = table.cast(pa.schema([_schema().field(name) for name in names]))
        if any(table[name].null_count for name in names):
            raise ValueError("a row has a hole")
        gathered = _counted(table.to_pylist()) if known is None else _gathered(table.to_pylist(), about.shard, known)
        return Done(gathered=gathered, **{field.name: getattr(about, field.name) for field in fields(About)})
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError, RecursionError, FormatError) as error:
        name = "what a worker sent" if isinstance(file, bytes) else repr(str(file))
        message = f"{name} is not a result of a sweep, or a damaged one: {str(error)[:200]}".replace("\n", " ")
        raise FormatError(message, "delete it and run `tokparity sweep --resume` again") from error


def _schema() -> Schema:
    import pyarrow as pa

    columns = ("record", "engine", "kind"), ("line", "count"), ("json",)
    return pa.schema(
        [
            (name, kind)
            for names, kind in zip(columns, (pa.string(), pa.int64(), pa.string()), strict=True)
            for name in names
        ]
    )


def _rows(gathered: Gathered) -> Iterator[Row]:
    for engine, tally in gathered.tallies.items():
        yield "tally", engine, "", 0, tally.cases, json.dumps(asdict(tally))
    for (engine, name), kind in gathered.kinds.items():
        yield "kind", engine, name, 0, kind.count, ""
        for placed in kind.stored():
            yield (
                "mismatch",
                engine,
                name,
                placed.line,
                int(placed is kind.smallest),
                json.dumps(to_record(placed.mismatch)),
            )
    for engine, controls in gathered.controls.items():
        for one in controls.smallest():
            yield "control", engine, "", one.line, one.checksum, json.dumps(to_record(one.control))


def _counted(rows: list[dict[str, Any]]) -> Gathered:
    kinds = {(row["engine"], row["kind"]): Kind(row["count"]) for row in rows if row["record"] == "kind"}
    return Gathered(kinds=kinds)


def _gathered(rows: list[dict[str, Any]], shard: int, known: Gathered) -> Gathered:
    found = Gathered()
    full = {key for key, kind in known.kinds.items() if kind.is_full}
    limits = {engine: controls.limit for engine, controls in known.controls.items()}
    for row in rows:
        engine, line, count = row["engine"], row["line"], row["count"]
        match row["record"]:
            case "tally":
                found.tallies[engine] = from_record(Tally, json.loads(row["json"]))
            case "kind":
                found.kinds[engine, row["kind"]] = Kind(count)
            case "mismatch" if count or (engine, row["kind"]) not in full:  # of a full kind the smallest is of use
                mismatch = from_record(Mismatch, json.loads(row["json"]))
                if (mismatch.engine, mismatch.kind) != (engine, row["kind"]):
                    raise ValueError(f"a mismatch of {mismatch.engine!r} stands among those of {engine!r}")
                found.kinds[engine, row["kind"]].offer(Placed(shard, line, mismatch))
            case "control" if count <= limits.get(engine, count):
                control = from_record(Control, json.loads(row["json"]))
                chosen = Chosen(count, control.case.question.shown, shard, line, control)
                found.controls.setdefault(engine, Controls()).offer(chosen)
    if empty := [key for key, kind in found.kinds.items() if kind.smallest is None or kind.count < 1]:
        raise ValueError(f"there is no mismatch of {empty[0]!r}, which it counts")
    if others := ({engine for engine, _ in found.kinds} | {*found.controls}) - {*found.tallies}:
        raise ValueError(f"{min(others)!r:.100} is not among the engines that it has counts of")
    for engine, tally in found.tallies.items():
        if tally.found != sum(kind.count for (name, _), kind in found.kinds.items() if name == engine):
            raise ValueError(f"its counts of {engine!r:.100} do not add up")
    return found
