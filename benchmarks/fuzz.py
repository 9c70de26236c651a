"""Our fuzz loop against the bare engines: wall time, the engines' own time on the same texts, the overhead, memory.

The loop is all of it: generation, four engines and the reference, comparison, grouping, what is kept for a diagnosis,
coverage, steering. The bare time of an engine is that of one process that does nothing but answer the same batches,
encode and decode; it is processor time, so that other work on the machine plays no part. The wall time of the loop
means something only where there is none; what the loop's own process takes of a processor is told as well.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import time
from collections.abc import Sequence

from tokparity import engines as all_engines
from tokparity import generators, models
from tokparity.errors import TokparityError
from tokparity.fuzz.run import KEEP
from tokparity.fuzz.steered import Steered
from tokparity.fuzz.steering import Steering
from tokparity.garbage import collect_rarely
from tokparity.generators.subject import Subject
from tokparity.questions import Encode
from tokparity.session.judge import REFERENCE, Judge
from tokparity.session.panel import EnginePanel, Seat
from tokparity.session.recorder import Recorder
from tokparity.session.seats import seat_one
from tokparity.session.writer import Unwritten

NAME = "fuzz"
TITLE = "cases/s of the fuzz loop against the engines' own time, and memory"

_ENGINES = ("llama.cpp", "sentencepiece", "tokenizers", "transformers", REFERENCE)
_MODEL = "llama-spm"

Asked = tuple[list[bytes], bool, bool]
"""(texts, add_special, parse_special) of one batch."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("words", nargs="*", metavar="MODEL", help=f"models (default: {_MODEL})")
    parser.add_argument("--cases", type=int, default=100_000, help="cases (default 100000)")


def main(args: argparse.Namespace) -> int:
    """Print one table for each model."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    cores = os.cpu_count() or 1
    collect_rarely()
    for name in args.words or (_MODEL,):
        seats = _seats(name)
        wall, own_process, cases, batches, peaks = _loop(name, seats, args.cases)
        table = Table(title=f"{name}: {cases} cases, {cores} cores")
        for title in ("engine", "own seconds", "cases/s alone"):
            table.add_column(title, justify="left" if title == "engine" else "right")
        total = 0.0
        for seat in seats:
            own = _bare(seat, batches)
            total += own
            table.add_row(seat.engine, f"{own:.2f}", f"{cases / own:.0f}")
        console.print(table)
        console.print(
            f"loop: {wall:.2f} s, {cases / wall:.0f} cases/s; engines' own time over {cores} cores: "
            f"{total / cores:.2f} s; "
            f"ratio {wall * cores / total:.2f} (target: at most 1.25)",
            soft_wrap=True,
        )
        console.print(
            f"the loop's own process: {own_process:.2f} s of processor time, {1e6 * own_process / cases:.0f} us a "
            f"case, {own_process / total:.2f} of the engines' own time",
            soft_wrap=True,
        )
        console.print(
            f"memory of the loop's process: {peaks[0]} MB after a tenth of the cases, {peaks[1]} MB at the end"
        )
    return 0


def _seats(name: str) -> list[Seat]:
    """The engines that can open the model."""
    model = models.resolve(name)
    found = []
    for engine in _ENGINES:
        try:
            found.append(seat_one(model, engine))
        except TokparityError:
            continue  # it has no row in the table
    return found


def _loop(name: str, seats: Sequence[Seat], cases: int) -> tuple[float, float, int, list[Asked], tuple[int, int]]:
    """Wall and processor seconds of the loop, its cases, what was asked, peak memory in MB early and at the end."""
    source = models.primary_source(models.resolve(name))
    subject = Subject(source.vocabulary, source.behaviour)
    shown = [seat.engine for seat in seats]
    recorder = Recorder(Judge(name, REFERENCE, source.vocabulary.pieces), shown, Unwritten(), KEEP)
    search = Steered(subject, REFERENCE, Steering(subject, generators.names(), 0), most=cases)
    asked: list[Asked] = []
    early = 0
    with EnginePanel(seats, timeout=60.0) as engines:
        started, started_here = time.perf_counter(), time.process_time()
        for batch in engines.results(search.batches(), lambda: False):
            search.learn(batch, recorder.take(batch))
            questions = [case.question for case in batch.cases if isinstance(case.question, Encode)]
            asked.append(([each.text for each in questions], questions[0].add_special, questions[0].parse_special))
            if not early and search.cases >= cases // 10:
                early = _peak()
        wall, here = time.perf_counter() - started, time.process_time() - started_here
    return wall, here, search.cases, asked, (early, _peak())


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _bare(seat: Seat, batches: Sequence[Asked]) -> float:
    """Processor seconds that one process with this engine alone takes for the same batches."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(seat.engine, seat.path, dict(seat.options), list(batches), sender))
    process.start()
    sender.close()
    seconds: float = receiver.recv()
    process.join()
    return seconds


def _answer(engine: str, path: str, options: dict[str, object], batches: Sequence[Asked], sender: object) -> None:
    """Open the model, answer all batches that the engine can be asked, send the seconds."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    from tokparity.engines.buffers import Texts, valid_utf8

    found = all_engines.get(engine)
    able = found.CAPABILITIES
    model = found.open(path, options)
    seconds = 0.0
    for texts, add_special, parse_special in batches:
        if add_special not in able.add_special or parse_special not in able.parse_special:
            continue
        flat = Texts.from_list(texts)
        if not able.invalid_utf8:
            flat = Texts.from_list([text for text, valid in zip(texts, valid_utf8(flat), strict=True) if valid])
        started = time.process_time()
        ids = model.encode(flat, add_special, parse_special)
        model.decode(ids, True in able.skip_special)
        seconds += time.process_time() - started
    sender.send(seconds)  # type: ignore[attr-defined]
