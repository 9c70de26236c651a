"""Planted faults: every quirk on toy, embedded and real models, found by our search and by llama.cpp's generators.

The other side are the five generators that `tests/test-tokenizer-random.py` of llama.cpp runs by default,
reimplemented from their description, in the order in which it runs them. They are given at least as many cases and as
much time as we needed, so that "we are not behind" is known; more than that would only make their misses dearer.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.fault_streams import Streams
from benchmarks.planting import TOYS, Planted, planted
from benchmarks.recorded import Find, Tried
from tokparity import quirks
from tokparity.errors import TokparityError
from tokparity.questions import Encode
from tokparity.session.in_process import InProcess
from tokparity.session.judge import REFERENCE, Judge
from tokparity.session.shrink import shrunk

if TYPE_CHECKING:
    from rich.table import Table

    from tokparity.finding import Mismatch

NAME = "faults"
TITLE = "every quirk planted: found or not, how soon, and how short the text is"

EMBEDDED = ("small-spm", "small-unigram", "small-bpe", "small-wordpiece")
REAL = ("llama-spm", "gpt-2", "nomic-bert-moe")

_DOUBTED = 20_000
"""After so many of our cases without a find, the corpora and the other generators are asked whether there is any."""

_THEIR_SECONDS = 1.0
_LONG = 12  # code points; what a shrunk text is to have at most


@dataclass(frozen=True)
class Row:
    """One quirk on one model. `shrunk` is the shortest text; `silent` counts the cases if none showed anything.

    `length` is that of the shortest text in code points, a special token that is spelled in it counted as one: nothing
    in it can be left out.
    """

    model: str
    quirk: str
    ours: Find | Tried
    theirs: Find | Tried | None
    shrunk: bytes | None
    length: int
    silent: int = 0


@dataclass
class Planting:
    """What came of one model: a row for each fault, and why others were not tried; `left_out`: the model was not."""

    model: str
    rows: list[Row] = field(default_factory=list)
    inert: dict[str, list[str]] = field(default_factory=dict)
    left_out: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    choice = (TOYS, *EMBEDDED, *REAL)
    parser.add_argument("words", nargs="*", metavar="MODEL", help=f"models (default: {', '.join(choice)})")
    parser.add_argument("--quirk", action="append", default=[], metavar="Q", help="only this quirk (again for more)")
    parser.add_argument("--seconds", type=float, default=30.0, metavar="N", help="budget for each fault (default 30)")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="models at a time")
    parser.add_argument("--ours-only", action="store_true", help="leave the other generators out")


def main(args: argparse.Namespace) -> int:
    """Plant, search, shrink, print; exit 1 if a fault was missed that some text shows."""
    from rich.console import Console

    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=140)
    started = time.monotonic()
    for name in args.quirk:
        quirks.get(name)
    rows: list[Row] = []
    # The models that take longest come first, so that no process is left alone with one at the end.
    names = args.words or (*REAL, *EMBEDDED, TOYS)
    with ProcessPoolExecutor(max(1, args.jobs), get_context("spawn")) as pool:
        for found in pool.map(partial(_model, args), names):
            if found.left_out:
                console.print(f"{found.model}: left out, {found.left_out}", markup=False)
                continue
            console.print(_table(found.model, [row for row in found.rows if not row.silent]))
            for line in _nothing(found):
                console.print(line, markup=False, soft_wrap=True)
            rows += found.rows
    for line in _summary(rows, args):
        console.print(line, markup=False, soft_wrap=True)
    console.print(f"{time.monotonic() - started:.0f} s in all, {args.jobs} models at a time")
    return int(any(isinstance(row.ours, Tried) and not row.silent for row in rows))


def _model(args: argparse.Namespace, name: str) -> Planting:
    """All faults in one model."""
    found = Planting(name)
    streams: Streams | None = None
    chosen = [quirks.get(quirk) for quirk in args.quirk] or list(quirks.all_quirks())
    try:
        for each in planted(name, chosen):
            if each.inert:
                found.inert.setdefault(each.inert, []).append(each.quirk.name)
                continue
            if streams is None or streams.tokenizer is not each.tokenizer:
                streams = Streams(name, each.tokenizer, args.seed)
            found.rows.append(_row(name, each, streams, args))
    except TokparityError as error:
        found.left_out = str(error)
    return found


def _row(name: str, each: Planted, streams: Streams, args: argparse.Namespace) -> Row:
    quirk = each.quirk
    fault = each.tokenizer.with_behaviour(quirk.flip(each.tokenizer.behaviour))
    engine = f"{REFERENCE}+{quirk.name}"
    judge = streams.judge
    # A toy is made to show its quirk, so there is no doubt.
    doubted = None if name == TOYS else _DOUBTED
    ours = streams.ours.find(fault, judge, engine, args.seconds, most=doubted)
    theirs = None
    if not args.ours_only:
        theirs = streams.theirs.find(fault, judge, engine, max(_THEIR_SECONDS, ours.seconds), least=ours.cases)
    silent = 0
    if isinstance(ours, Tried) and doubted is not None:
        theirs_or_corpora = theirs
        if not isinstance(theirs, Find):
            theirs_or_corpora = streams.corpora.find(fault, judge, engine, args.seconds, least=sys.maxsize)
        if isinstance(theirs_or_corpora, Find):
            ours = streams.ours.find(fault, judge, engine, args.seconds)
        else:
            silent = sum(tried.cases for tried in (ours, theirs, theirs_or_corpora) if tried is not None)
    short = None
    if isinstance(ours, Find):
        panel = InProcess({REFERENCE: each.tokenizer, engine: fault})
        short = _shrunk(ours.mismatch, panel, judge, args.seconds)
    length = 0 if short is None else _length(short, each.tokenizer.vocabulary.special_contents)
    return Row(name, quirk.name, ours, theirs, short, length, silent)


def _shrunk(mismatch: Mismatch, panel: InProcess, judge: Judge, seconds: float) -> bytes:
    """The smallest text that shows the same fault, as far as there is time."""
    end = time.monotonic() + seconds
    question = shrunk(mismatch, panel, judge, lambda: time.monotonic() >= end).case.question
    return question.text if isinstance(question, Encode) else b""


def _table(name: str, rows: Sequence[Row]) -> Table:
    from rich.table import Table

    table = Table(title=f"faults planted in {name}; a special token in a text counts as one code point")
    for title in ("quirk", "cases", "seconds", "shrunk to", "text", "their cases", "their seconds"):
        table.add_column(title, justify="left" if title in ("quirk", "text") else "right", no_wrap=True)
    for row in rows:
        text = "" if row.shrunk is None else ascii(row.shrunk.decode("utf-8", "surrogateescape"))
        length = "-" if row.shrunk is None else str(row.length)
        text = text if len(text) < 30 else text[:27] + "..."
        table.add_row(row.quirk, *_shown(row.ours), length, text, *_shown(row.theirs))
    return table


def _shown(search: Find | Tried | None) -> tuple[str, str]:
    """Cases and seconds to the first find; more than these where there was none."""
    if search is None:
        return "-", "-"
    more = "" if isinstance(search, Find) else "not in "
    return f"{more}{search.cases}", f"{more}{search.seconds:.2f}"


def _nothing(found: Planting) -> Iterator[str]:
    """What changes nothing on this model, and how that is known."""
    for reason, names in found.inert.items():
        yield f"{found.model}: {len(names)} change nothing, {reason}: {', '.join(names)}"
    silent = [f"{row.quirk} ({row.silent} cases)" for row in found.rows if row.silent]
    if silent:
        yield f"{found.model}: {len(silent)} change nothing that a text shows: {', '.join(silent)}"


def _length(text: bytes, specials: frozenset[str]) -> int:
    """Code points of a text, each special token that is spelled in it being one."""
    decoded = text.decode("utf-8", "surrogateescape")
    for special in sorted(filter(None, specials), key=len, reverse=True):
        decoded = decoded.replace(special, "x")
    return len(decoded)


def _summary(rows: Sequence[Row], args: argparse.Namespace) -> Iterator[str]:
    rows = [row for row in rows if not row.silent]
    finds = [(row, row.ours) for row in rows if isinstance(row.ours, Find)]
    yield f"found {len(finds)} of {len(rows)} planted faults that change something within {args.seconds:g} s each"
    if finds:
        seconds = sorted(find.seconds for _, find in finds)
        lengths = [row.length for row in rows if row.shrunk is not None]
        yield (
            f"to the first find: median {median(seconds):.2f} s, at most {seconds[-1]:.2f} s, median "
            f"{median(find.cases for _, find in finds):g} cases; shrunk to median {median(lengths):g}, at most "
            f"{max(lengths)} code points, a special token counted as one"
        )
        long = [row for row in rows if row.length > _LONG]
        told = (f"{row.quirk} in {row.model} ({row.length})" for row in long)
        yield f"shrunk to more than {_LONG}: {', '.join(told) or 'none'}"
    theirs = [row for row in rows if isinstance(row.theirs, Find)]
    behind = [row for row in theirs if _later(row, lambda find: find.cases) and _later(row, lambda find: find.seconds)]
    if not args.ours_only:
        yield (
            f"the five generators, given {_THEIR_SECONDS:g} s and at least what we needed: found {len(theirs)}; "
            f"of these in fewer cases and less time than we: {len(behind)}"
        )
    for row in rows:
        if isinstance(row.ours, Tried):
            yield f"not found: {row.quirk} in {row.model}"
    for row in behind:
        yield f"found later than by the five generators: {row.quirk} in {row.model}"


def _later(row: Row, of: Callable[[Find | Tried], float]) -> bool:
    """Whether the others were ahead in this."""
    return row.theirs is not None and of(row.theirs) < of(row.ours)
