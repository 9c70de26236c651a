"""The reference against the engines that it checks: megabytes per second in one run, one thread, one pass.

Each engine with each model runs in a fresh process, so that the memo is empty and the peak memory its own. Seconds are
the processor's, those of all threads together: what else the machine does, and how many cores it has, matters less.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import time
from dataclasses import dataclass

from benchmarks import natural_text
from benchmarks.natural_text import MEGABYTE
from tokparity.errors import TokparityError
from tokparity.session.panel import Seat

NAME = "reference"
TITLE = "MB/s of the reference and of the engines, on natural and on hostile text"

_ENGINES = ("reference", "llama.cpp", "sentencepiece", "tokenizers")
_MODELS = ("llama-spm", "gpt-2", "nomic-bert-moe")  # SPM, BPE, UGM
_LOADED = "gemma-4"  # the largest vocabulary we know


@dataclass(frozen=True)
class Timing:
    """Processor seconds for each text (in order), to load the model, and the peak of the process's memory in MB."""

    seconds: list[float]
    load: float
    peak: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("words", nargs="*", metavar="MODEL", help=f"models (default: {', '.join(_MODELS)})")
    parser.add_argument("--stream-mb", type=int, default=50, help="size of the stream of distinct files (default 50)")


def main(args: argparse.Namespace) -> int:
    """Print the tables."""
    from rich.console import Console

    console = Console(highlight=False)
    for name in args.words or _MODELS:
        console.print(_throughput(name, args.stream_mb))
        console.print(_growth(name))
    seconds = _measure(_seat(_LOADED, "reference"), []).load
    console.print(f"loading {_LOADED} into a ready reference: {seconds:.2f} s (target: under 2)")
    return 0


def _throughput(model: str, megabytes: int) -> object:
    """One row for each text, one column for each engine, and the reference's ratio to the others."""
    from rich.table import Table

    texts = natural_text.texts()
    stream = natural_text.stream(megabytes * MEGABYTE)
    sizes = [*(len(text) for text in texts.values()), sum(map(len, stream))]
    timings: dict[str, Timing | TokparityError] = {}
    for engine in _ENGINES:
        try:
            timings[engine] = _measure(_seat(model, engine), [*([text] for text in texts.values()), stream])
        except TokparityError as error:
            timings[engine] = error
    table = Table(title=f"{model}: MB per processor second, one pass; ratio of the reference to each in brackets")
    for column in ("text", *_ENGINES, "reference's peak MB"):
        table.add_column(column, justify="left" if column == "text" else "right")
    own = timings["reference"]
    if isinstance(own, TokparityError):
        raise own
    for i, name in enumerate([*texts, f"{sizes[-1] / MEGABYTE:.0f} MB of files"]):
        cells = [_cell(timings[engine], i, sizes[i], own.seconds[i], engine == "reference") for engine in _ENGINES]
        table.add_row(name, *cells, f"{own.peak:.0f}" if i == len(texts) else "")
    return table


def _cell(timing: Timing | TokparityError, i: int, size: int, own: float, is_own: bool) -> str:
    if isinstance(timing, TokparityError):
        return "unavailable"
    rate = size / timing.seconds[i] / MEGABYTE
    return f"{rate:.2f}" if is_own else f"{rate:.2f} ({timing.seconds[i] / own:.2f})"


def _growth(model: str) -> object:
    """How time grows with the size of one text: ten times as much text takes how many times as long."""
    from rich.table import Table

    small, large = natural_text.texts(MEGABYTE)["code"], natural_text.texts(10 * MEGABYTE)["code"]
    rows = [("natural (1 MB, 10 MB)", small, large, 11)]
    tenth = natural_text.without_seams(MEGABYTE // 10)
    rows += [(f"{n} (100 KB, 1 MB)", tenth[n], text, 14) for n, text in natural_text.without_seams(MEGABYTE).items()]
    table = Table(title=f"{model}: growth of the reference's time")
    for column in ("text", "small, s", "ten times as large, s", "ratio", "target"):
        table.add_column(column, justify="left" if column == "text" else "right")
    for name, one, ten, target in rows:
        # Fresh processes: the larger text must not find its words in the memo.
        times = [_measure(_seat(model, "reference"), [[text]]).seconds[0] for text in (one, ten)]
        table.add_row(name, f"{times[0]:.3f}", f"{times[1]:.3f}", f"{times[1] / times[0]:.1f}", f"{target}")
    return table


def _seat(model: str, engine: str) -> Seat:
    from tokparity import models
    from tokparity.session.seats import seat_one

    return seat_one(models.resolve(model), engine)


def _measure(seat: Seat, jobs: list[list[bytes]]) -> Timing:
    """Load the model and encode each job (a list of texts, one call each) once, in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_in_process, (seat, jobs))


def _in_process(seat: Seat, jobs: list[list[bytes]]) -> Timing:
    from tokparity import engines
    from tokparity.engines.buffers import Texts

    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    engine = engines.get(seat.engine)
    started = time.process_time()
    opened = engine.open(seat.path, seat.options)
    load = time.process_time() - started
    seconds = []
    while jobs:
        batch = Texts.from_list(jobs.pop(0))  # so that only one copy of the text counts as the engine's memory
        started = time.process_time()
        opened.encode(batch, False, False)
        seconds.append(time.process_time() - started)
    return Timing(seconds, load, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
