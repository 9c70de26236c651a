"""What streams cost: rows of ids decoded one after another and judged, beside decoding the same rows at once.

An engine takes longer to decode ids one after another than at once, whoever asks. So the engine's own stream is timed
as well, in this process and without any judging: what tokparity adds is the difference.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from tokparity import engines, models
from tokparity.engines.buffers import Ids
from tokparity.engines.process.client import Client
from tokparity.engines.process.frames import Kind
from tokparity.generators.subject import Subject
from tokparity.questions import Stream
from tokparity.session.seats import seat_one
from tokparity.sources.streams import stream_cases

if TYPE_CHECKING:
    from tokparity.engines.protocol import StreamingModel

NAME = "streams"
TITLE = "how many times as long streams take as decoding the same rows"
_ROUNDS = 3
_AT_A_TIME = 2000


@dataclass(frozen=True)
class Cost:
    """Seconds of the quickest of several rounds, and how many of the streams break a law."""

    decoding: float
    alone: float
    streams: float
    broken: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--model", action="append", help="a known model (default: gpt-2 and small-spm)")
    parser.add_argument("--engine", action="append", help="default: tokenizers, llama.cpp and reference")
    parser.add_argument("--rows", type=int, default=20_000)


def main(args: argparse.Namespace) -> int:
    """One line for each model and engine: seconds, ratios, and how many streams break a law."""
    print(f"{'model':12} {'engine':12} {'rows':>7} {'decoding':>9} {'own stream':>17} {'judged':>17} {'broken':>7}")
    for name in args.model or ["gpt-2", "small-spm"]:
        for engine in args.engine or ["tokenizers", "llama.cpp", "reference"]:
            cost = measure(models.load(name), engine, args.rows)
            told = [f"{taken:7.2f} s {taken / cost.decoding:6.1f}x" for taken in (cost.alone, cost.streams)]
            seconds = f"{cost.decoding:7.2f} s {told[0]} {told[1]}"
            print(f"{name:12} {engine:12} {args.rows:7,} {seconds} {cost.broken:7,}", flush=True)
    return 0


def measure(model: models.Model, engine: str, rows: int) -> Cost:
    """Both in turn, round by round, so that other work on the machine troubles both alike."""
    source = models.primary_source(model)
    cases = stream_cases(Subject(source.vocabulary, source.behaviour), 0, rows)
    streams = [case.question for _, case in zip(range(rows), cases, strict=False)]
    seconds: dict[Kind, list[float]] = {Kind.DECODE: [], Kind.STREAM: []}
    seat, broken, alone = seat_one(model, engine), 0, []
    opened = cast("StreamingModel", engines.get(seat.engine).open(seat.path, seat.options))
    with Client(seat.engine, seat.path, seat.options, lanes=1) as client:
        client.wait_ready()
        for _ in range(_ROUNDS):
            started = time.perf_counter()
            for one in streams:
                with suppress(Exception):  # it is counted where it is judged
                    deque(opened.stream(one.prefill, one.ids, True), 0)
            alone.append(time.perf_counter() - started)
            for kind, taken in seconds.items():
                started = time.perf_counter()
                broken = sum(_asked(client, streams[i : i + _AT_A_TIME], kind) for i in range(0, rows, _AT_A_TIME))
                taken.append(time.perf_counter() - started)
    return Cost(min(seconds[Kind.DECODE]), min(alone), min(seconds[Kind.STREAM]), broken)


def _asked(client: Client, streams: list[Stream], kind: Kind) -> int:
    """How many of some streams break a law, or fail; 0 where they are only decoded."""
    rows = [one.row if kind is Kind.STREAM else one.row[1:] for one in streams]
    found = client.submit_decode(Ids.from_list(rows), True, kind).result()
    if kind is Kind.DECODE:
        return 0
    from tokparity.engines.streams import broken

    return len(found.failures) + sum(1 for _ in broken(found.packed)) if found.packed is not None else 0
