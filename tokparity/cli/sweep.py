"""`tokparity sweep`: runs many models on much text, on all cores or on many machines."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, exit_codes, running
from tokparity.cli import options as declared
from tokparity.cli.console import complain, say, terminal
from tokparity.errors import EngineError, UnwritableError

if TYPE_CHECKING:
    from tokparity.report.model import Header
    from tokparity.sweep.run import Sweep, SweepResult

HELP = "Compare models on gigabytes of text, on all cores or on a Dask cluster"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity sweep --text 'corpus/*.txt.gz' gpt-2 --out night",
    "tokparity sweep --resume night",
    "tokparity sweep --text s3://b/t.jsonl gpt-2 --scheduler tcp://10.0.0.7:8786",
)
EXIT_1 = "there are new findings, or accepted findings that no longer occur"
_DASK = "where it runs"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity sweep`."""
    return [
        declared.models("known models, names in tokparity.toml, files, directories; none: as `run`"),
        *declared.engines(),
        declared.Option(
            "--text",
            multiple=True,
            metavar="T",
            help="a file, a folder, a pattern or a URL (again for more): lines, .jsonl or .parquet; .gz .bz2 .xz .zst",
        ),
        declared.Option("--field", metavar="NAME", help="the field or column that holds the text (default: text)"),
        declared.Option(
            "--decode",
            metavar="N",
            help="decode one text in N, or `all` (default: all texts up to 64 MB, else one in 8)",
        ),
        declared.Option("--out", type=declared.path(), metavar="DIR", help="folder of results and report"),
        declared.Option(
            "--resume", is_flag=True, help="continue the sweep in --out DIR, or in the DIR given instead of MODEL"
        ),
        declared.Option("--scheduler", metavar="URL", title=_DASK, help="Dask's, such as tcp://10.0.0.7:8786"),
        declared.Option(
            "--workers",
            callback=declared.count,
            metavar="N",
            title=_DASK,
            help="without --scheduler: processes here (default: one for each core)",
        ),
        declared.Option(
            "--memory",
            metavar="SIZE",
            title=_DASK,
            help="memory of a worker, and of each engine beyond its open model; such as 2GB",
        ),
        declared.Option(
            "--shard",
            metavar="SIZE",
            title=_DASK,
            help="text of one unit (default: 16MB, more for terabytes)",
        ),
        declared.verbose(),
        *declared.model_files(),
    ]


def main(args: argparse.Namespace) -> int:
    """Run a sweep and print its report; return the verdict's exit code, or 3 if text was damaged or not run."""
    from tokparity.cli.heading import header
    from tokparity.cli.pulling import pull_missing
    from tokparity.cli.report_files import make_directory
    from tokparity.cli.sweep_arguments import begin, engines_of, models_of, one_in, options_of, resumed, text_of_sweep
    from tokparity.sweep import cluster
    from tokparity.sweep.run import Sweep

    cluster.check_installed()
    if args.scheduler:  # before anything of the sweep is written that is resumed only with the same command
        cluster.client_of(args.scheduler).close()
    arguments.check_engines(args.engine)
    options = options_of(args)
    out, stored = resumed(args)
    engines = engines_of(args, stored)
    named = models_of(args, stored)
    text = text_of_sweep(args, stored)
    options = replace(options, engines=engines, decode_one_in=one_in(args.decode, text, stored))
    pull_missing([name.model for name in named])
    head = header(named, engines, 0, args.command)
    make_directory(out)
    begin(out, head, named, args, text, stored, options)
    sweep = Sweep([name.model for name in named], text, options, out)
    return _swept(sweep, head, out, args.verbose)


def _swept(sweep: Sweep, head: Header, out: Path, verbose: bool) -> int:
    """Do what is missing, and report; the exit code."""
    from tokparity.cli.progress import listener
    from tokparity.cli.report_files import show
    from tokparity.cli.signals import ended_by_signals
    from tokparity.cli.sweep_progress import Sweeping
    from tokparity.report.file import ReportWriter, read
    from tokparity.report.verdict import verdict

    console = terminal(stderr=True)
    path = out / "report.jsonl"
    with ended_by_signals(lambda: _left(sweep, out)) as stop:
        try:
            with Sweeping(console) as sweeping:
                sweep.put(sweeping, stop)
            if not stop.is_set():
                with listener(console) as listening:
                    result = sweep.report(ReportWriter(path, head), listening, stop)
            if stop.is_set():
                complain(f"interrupted: {_left(sweep, out)}")
                return running.interrupted(stop.signal)
        except EngineError as error:
            raise EngineError(f"{error.message}; {_left(sweep, out)}", error.hint) from error
        except OSError as error:  # a full disk, mostly
            message = f"cannot write to {str(out)!r}: {error.strerror}; {_left(sweep, out)}"
            raise UnwritableError(message, "make room, or make it writable, first") from error
    report = read(path)
    show(report, out, verbose)
    _show_costs(result)
    for where in result.damaged:
        complain(f"not compared: {where}")
    return exit_codes.NO_VERDICT if result.damaged else verdict(report).exit_code


def _left(sweep: Sweep, out: Path) -> str:
    state = sweep.state
    return f"{state.finished} of {state.units} units are done; `tokparity sweep --resume {out}` does the rest"


def _show_costs(result: SweepResult) -> None:
    """What each model took: texts, and core-seconds by engine."""
    for cost in result.costs:
        each = ", ".join(f"{name or 'reading and judging'} {taken:.1f}" for name, taken in cost.seconds.items())
        put = f"{cost.put} put, {cost.decoded} of them decoded again"
        say(f"{cost.model}: {cost.texts} texts ({put}), {cost.bytes / 1e6:.1f} MB; core-seconds: {each}")
