"""What came of a unit as a Parquet file: counts, mismatches and controls, a row each, and who did it in the metadata.

Columns: record ("tally", "kind", "mismatch", "control"), engine, kind, line, count (of a mismatch: 1 if it is the
smallest of its kind; of a control: its checksum), and json, the noun as it stands in a report. The schema's metadata
has, under "tokparity", all that is of the unit as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tokparity.errors import FormatError
from tokparity.finding import Control, Mismatch
from tokparity.report.record import from_record, to_record
from tokparity.session.tally import Tally
from tokparity.sweep.gathered import Chosen, Controls, Gathered, Kind, Placed
from tokparity.sweep.reading import Damage
from tokparity.sweep.unit import Done

_METADATA = b"tokparity"
_WHOLE = (
    *("model", "shard", "versions", "unavailable", "lines", "texts", "put", "decoded", "bytes", "damages"),
    "seconds",
)

Row = tuple[str, str, str, int, int, str]


def to_parquet(done: Done) -> bytes:
    """The file's content."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ("record", "engine", "kind", "line", "count", "json")
    kinds = (pa.string(), pa.string(), pa.string(), pa.int64(), pa.int64(), pa.string())
    about = {name: getattr(done, name) for name in _WHOLE} | {"told": [asdict(damage) for damage in done.told]}
    schema = pa.schema(list(zip(names, kinds, strict=True)), metadata={_METADATA: json.dumps(about).encode()})
    rows = list(_rows(done.gathered))
    columns = [[row[place] for row in rows] for place in range(len(names))]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(dict(zip(names, columns, strict=True)), schema=schema), sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def read(file: Path | bytes, known: Gathered | None = None) -> Done:
    """What a file, or its content, holds: the counts, and of the mismatches and controls what adds to `known`.

    Without `known` only what is counted of each kind. FormatError where the file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pa.BufferReader(file) if isinstance(file, bytes) else file
        table = pq.read_table(source, columns=["record", "engine", "kind", "count"] if known is None else None)
        about = json.loads(table.schema.metadata[_METADATA])
        told = tuple(Damage(**damage) for damage in about.pop("told"))
        gathered = _counted(table.to_pylist()) if known is None else _gathered(table.to_pylist(), about["shard"], known)
        return Done(gathered=gathered, told=told, **about)
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError, FormatError) as error:
        name = "what a worker sent" if isinstance(file, bytes) else repr(str(file))
        message = f"{name} is no result of a sweep, or a damaged one: {str(error)[:200]}".replace("\n", " ")
        raise FormatError(message, "delete it and run `tokparity sweep --resume` again") from error


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
                found.tallies[engine] = Tally(**json.loads(row["json"]))
            case "kind":
                found.kinds[engine, row["kind"]] = Kind(count)
            case "mismatch" if count or (engine, row["kind"]) not in full:  # of a full kind the smallest is of use
                mismatch = from_record(Mismatch, json.loads(row["json"]))
                found.kinds[engine, row["kind"]].offer(Placed(shard, line, mismatch))
            case "control" if count <= limits.get(engine, count):
                control = from_record(Control, json.loads(row["json"]))
                chosen = Chosen(count, control.case.question.shown, shard, line, control)
                found.controls.setdefault(engine, Controls()).offer(chosen)
    return found
