"""How long a large report takes to be read as tables, written as CSV, Parquet and HTML, and how large that page is.

Seconds are the processor's; what else the machine does matters less. The mismatches are made by counting, so that every
run measures the same.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import tokparity
from tokparity.case import Origin, text_case
from tokparity.cli.console import say
from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.report.file import read, write
from tokparity.report.model import Footer, Header, Pair, Report
from tokparity.report.render import csv, html, parquet

NAME = "report"
TITLE = "seconds to read a large report as tables, and to write it as CSV, Parquet and HTML"

_TARGET = 3.0  # seconds for 300,000 rows
_ENGINES = 8
_WORDS = ("The quick brown fox", "日本語のトークン", "привет мир", "naïve  café", "a\tb\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("--rows", type=int, default=300_000, help="mismatches (default: 300000)")
    parser.add_argument("--tables-only", action="store_true", help="leave out what is written")


def main(args: argparse.Namespace) -> int:
    """Print a line for each."""
    with tempfile.TemporaryDirectory(prefix="tokparity-") as name:
        folder = Path(name)
        path = folder / "report.jsonl"
        write(_report(args.rows), path)
        say(f"{args.rows} mismatches, {path.stat().st_size / 1e6:.0f} MB")
        seconds = min(_seconds(lambda: tokparity.load_report(path)) for _ in range(3))
        say(f"load_report  {seconds:6.2f} s  the best of 3 (target: under {_TARGET:.0f} s for 300000)")
        if not args.tables_only:
            report = read(path)
            for renderer in (csv, *([parquet] if parquet.is_installed() else [])):
                say(f"{renderer.NAME:11}  {_seconds(partial(renderer.render, report, folder)):6.2f} s")
            page = folder / html.FILES[0]
            seconds = _seconds(partial(html.render, report, page))
            say(f"html         {seconds:6.2f} s  {page.stat().st_size / 1e6:.1f} MB")
    return 0


def _seconds(work: Callable[[], object]) -> float:
    """The processor's seconds that it takes."""
    started = time.process_time()
    work()
    return time.process_time() - started


def _report(rows: int) -> Report:
    """So many mismatches, dealt out to a few engines, each with one finding."""
    engines = [f"engine-{number}" for number in range(_ENGINES)]
    mismatches = tuple(_mismatch(number, engines[number % _ENGINES]) for number in range(rows))
    return Report(
        Header("0", "15.0", dict.fromkeys(engines, "1"), {}, 0, ("tokparity", "bench"), "2026-01-01T00:00:00+00:00"),
        tuple(Pair("model", engine, "oracle", "1", cases=rows, mismatches=rows) for engine in engines),
        mismatches,
        tuple(Finding(m.engine, "model", m.engine, "oracle", "unexplained", m, rows) for m in mismatches[:_ENGINES]),
        {("model", engine): tuple(range(number, rows, _ENGINES)) for number, engine in enumerate(engines)},
        footer=Footer("complete", 1.0),
    )


def _mismatch(number: int, engine: str) -> Mismatch:
    text = " ".join(_WORDS[(number + step) % len(_WORDS)] for step in range(3)) + f" {number}"
    pieces = tuple(word.encode() for word in text.split())
    ids = tuple(range(1000, 1000 + len(pieces)))
    case = text_case(text.encode(), number % 3 > 0, number % 5 == 0, Origin("generator", f"made_{number % 9}", number))
    expected, actual = Encoding(ids), Encoding((*ids[:-1], 7))
    return Mismatch(case, "model", engine, "oracle", expected, actual, Difference("ids", len(ids) - 1), pieces, pieces)
