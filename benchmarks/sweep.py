"""Sweeps over text as it lies on disk: 1 and 2 workers, cost as the text grows, memory, the bare engines beside it.

Core-seconds do not depend on what else the machine does; wall times do, and are compared within one run only. One
worker is held to one core, as a machine with one core would have it: unbound it has its engines use both.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import natural_text
from benchmarks.run import llama
from tokparity import models
from tokparity.cli.sweep_arguments import ONE_IN
from tokparity.session.seats import seat_one
from tokparity.sources import corpus
from tokparity.sweep.manifest import UNITS
from tokparity.sweep.merge import Cost
from tokparity.sweep.run import Options, Sweep
from tokparity.sweep.texts import text_of
from tokparity.sweep.unit_file import read

if TYPE_CHECKING:
    from rich.table import Table

    from tokparity.models import Model

NAME = "sweep"
TITLE = "throughput and cost of sweeps with 1 and 2 workers, beside a plain loop of the bare engines"

_ENGINES = ("tokenizers", "llama.cpp")
_WALL, _SCALING, _GROWTH, _MEMORY = 1.15, 1.8, 1.1, 500
_SHARDS = 8  # at least, so that two workers have the same to do


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("model", nargs="?", default="gpt-2", metavar="MODEL", help="a model (default: gpt-2)")
    parser.add_argument("--megabytes", type=int, nargs="+", default=[10, 100], metavar="N", help="default: 10 100")


@dataclass(frozen=True)
class Measured:
    """A sweep's `wall` seconds of putting texts, what it took of the processor, and the main process's peak in MB."""

    wall: float
    cost: Cost
    memory: float

    @property
    def processor(self) -> float:
        """Core-seconds of engines and of the processes around them."""
        return sum(self.cost.seconds.values())

    @property
    def per_megabyte(self) -> float:
        """Core-seconds per MB of text."""
        return self.processor / (self.cost.bytes / 1e6)


def main(args: argparse.Namespace) -> int:
    """Print what was measured."""
    from rich.console import Console

    model = models.resolve(args.model)
    console = Console(highlight=False)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = sorted(args.megabytes)
        with ProcessPoolExecutor(1) as apart:  # what is held to write texts is not to count as the sweep's memory
            paths = {size: apart.submit(_written, folder / f"{size}.txt", size * 1_000_000).result() for size in sizes}
        # The smallest text first: what the main process holds at its peak only grows.
        both = {size: _swept(model, paths[size], folder / f"both-{size}", 2, None) for size in sizes}
        one = _swept(model, paths[sizes[0]], folder / "one", 1, {0})
        every = _swept(model, paths[sizes[0]], folder / "every", 2, None, 1)
        plain = {engine: _plain(model, engine, paths[sizes[0]]) for engine in _ENGINES}
        console.print(_by_engine(both[sizes[0]], plain, args.model))
        loops = sum(encoding for encoding, _ in plain.values()), sum(decoding for _, decoding in plain.values())
        console.print(_figures(both, one, every, loops, sizes))
    return 0


def _written(path: Path, size: int) -> Path:
    """So many bytes of sources, documentation and locale data; where there is less of them, they come again."""
    parts = natural_text.stream(size)
    locale = b"\n".join(case.question.text for case in corpus.load("cldr"))
    with path.open("wb") as file:
        for part in cycle([locale, *parts]):
            file.write(b"%d\n" % file.tell() + part[: max(size - file.tell(), 0)] + b"\n")
            if file.tell() >= size:
                break
    return path


def _swept(model: Model, path: Path, out: Path, workers: int, cores: set[int] | None, one_in: int = ONE_IN) -> Measured:
    """A sweep on so many workers, held to these cores; one text in so many is decoded again."""
    every = os.sched_getaffinity(0)
    shard_bytes = min(max(path.stat().st_size // _SHARDS, 1), 16 << 20)
    options = Options(_ENGINES, workers=workers, decode_one_in=one_in)
    sweep = Sweep([model], text_of([str(path)], "text", shard_bytes), options, out)
    (out / UNITS).mkdir(parents=True)
    os.sched_setaffinity(0, cores or every)
    try:
        sweep.put(lambda state: None, threading.Event())
        wall = time.monotonic() - sweep.state.started
    finally:
        os.sched_setaffinity(0, every)
    cost = Cost(model.name)
    for file in (out / UNITS).iterdir():
        cost.add(read(file))
    return Measured(wall, cost, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _plain(model: Model, engine: str, path: Path) -> tuple[float, float]:
    """Core-seconds of a loop over all lines that has the bare library encode them; of one that decodes as well."""
    encode, decode = _bare(seat_one(model, engine).path, engine)
    lines = [line for line in path.read_bytes().split(b"\n") if len(line) < 1 << 16]
    for line in lines[:200]:
        decode(encode(line))

    def taken(work: Callable[[bytes], object]) -> float:
        started = time.process_time()
        for line in lines:
            work(line)
        return time.process_time() - started

    return taken(encode), taken(lambda line: decode(encode(line)))


def _bare(path: str, engine: str) -> tuple[Callable[[bytes], list[int]], Callable[[list[int]], object]]:
    if engine == "llama.cpp":
        return llama(path)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(path)

    def encode(text: bytes) -> list[int]:
        ids: list[int] = tokenizer.encode(text.decode("utf-8", "replace")).ids
        return ids

    return encode, lambda row: tokenizer.decode(row, skip_special_tokens=False)


def _by_engine(measured: Measured, plain: dict[str, tuple[float, float]], model: str) -> Table:
    from rich.table import Table

    size = measured.cost.bytes / 1e6
    table = Table(title=f"{model}, {size:.0f} MB, {measured.cost.texts} texts, {measured.cost.put} distinct")
    loops = "plain loop, encode", "plain loop, encode and decode"
    for title in ("core-seconds per MB", *loops, f"sweep, one in {ONE_IN} decoded"):
        table.add_column(title, justify="left" if title.startswith("core") else "right")
    for engine, seconds in measured.cost.seconds.items():
        own = [f"{loop / size:.3f}" for loop in plain[engine]] if engine in plain else ["", ""]
        table.add_row(engine or "reading and judging", *own, f"{seconds / size:.3f}")
    return table


def _figures(
    both: dict[int, Measured], one: Measured, every: Measured, loops: tuple[float, float], sizes: Sequence[int]
) -> Table:
    from rich.table import Table

    small, large = both[sizes[0]], both[sizes[-1]]
    plain, decoding = loops
    cores = min(os.cpu_count() or 1, 2)
    table = Table(title=f"sweeps, 2 workers on {os.cpu_count()} cores")
    for title in ("figure", "measured", "target"):
        table.add_column(title, justify="left" if title == "figure" else "right")
    table.add_row("MB/s, 2 workers", f"{small.cost.bytes / 1e6 / small.wall:.2f}", "")
    table.add_row("2 workers over 1 worker on 1 core", f"{one.wall / small.wall:.2f}", f"at least {_SCALING}")
    table.add_row("wall over the plain loop's time / cores", f"{small.wall * cores / plain:.2f}", f"at most {_WALL}")
    table.add_row("all decoded, over a loop that decodes as well", f"{every.wall * cores / decoding:.2f}", "")
    table.add_row("core-seconds over the plain loop's", f"{small.processor / plain:.2f}", "")
    growth = large.per_megabyte / small.per_megabyte
    table.add_row(f"cost per MB at {sizes[-1]} MB over {sizes[0]} MB", f"{growth:.2f}", f"at most {_GROWTH}")
    table.add_row(f"main process, peak MB at {sizes[-1]} MB", f"{large.memory:.0f}", f"below {_MEMORY}")
    return table
