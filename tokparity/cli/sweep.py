"""`tokparity sweep`: much text before many models, on as many processes and machines as there are."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, exit_codes, running
from tokparity.cli import options as declared
from tokparity.cli.console import complain, say, terminal
from tokparity.errors import EngineError, UsageError

if TYPE_CHECKING:
    from tokparity.cli.arguments import Named
    from tokparity.report.model import Header
    from tokparity.sweep.manifest import Manifest
    from tokparity.sweep.run import Options, Sweep, SweepResult
    from tokparity.sweep.texts import Text

HELP = "put gigabytes of text before models, on all cores or on a cluster of Dask; it can be interrupted and resumed"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity sweep --text 'corpus/*.txt.gz' gpt-2 --out night",
    "tokparity sweep --resume night",
    "tokparity sweep --text s3://b/t.jsonl gpt-2 --scheduler tcp://10.0.0.7:8786",
)
EXIT_1 = "new findings, or accepted ones that vanished"
_DASK = "where it is done"
_LEAST_MEMORY = 64 << 20
"""Bytes with which no worker gets as far as a text, whatever the model."""


def parameters() -> list[click.Parameter]:
    """Declare what sweep takes."""
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
        declared.Option("--out", type=declared.path(), metavar="DIR", help="where results and the report go"),
        declared.Option(
            "--resume", is_flag=True, help="go on with the sweep in --out DIR, or in the DIR that stands for MODEL"
        ),
        declared.Option("--scheduler", metavar="URL", title=_DASK, help="of Dask, such as tcp://10.0.0.7:8786"),
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
            help="such as 2GB: what a worker may take, and what each engine may need on top of its open model",
        ),
        declared.Option(
            "--shard", metavar="SIZE", title=_DASK, help="text of a unit (default: 16MB, more of terabytes)"
        ),
        declared.Option("-v", "--verbose", is_flag=True, help="also show what is known and accepted"),
        *declared.model_files(),
    ]


def main(args: argparse.Namespace) -> int:
    """Sweep and report; the exit code is the verdict's, or 3 where text was damaged or could not be put."""
    from tokparity.cli.heading import header
    from tokparity.cli.pulling import pull_missing
    from tokparity.cli.report_files import make_directory
    from tokparity.sweep import cluster
    from tokparity.sweep.run import Sweep

    cluster.check_installed()
    if args.scheduler:  # before anything of the sweep is written that is resumed only with the same command
        cluster.client_of(args.scheduler).close()
    arguments.check_engines(args.engine)
    options = _options(args)
    out, stored = _resumed(args)
    named = _models(args, stored)
    text = _text(args, stored)
    engines = tuple(dict.fromkeys(args.engine)) or (stored.engines if stored else ())
    options = replace(options, engines=engines)
    pull_missing([name.model for name in named])
    head = header(named, engines, 0, args.command)
    make_directory(out)
    _begin(out, head, named, args, text, stored, engines)
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
    with ended_by_signals() as stop:
        try:
            with Sweeping(console) as sweeping:
                sweep.put(sweeping, stop)
        except EngineError as error:
            raise EngineError(f"{error.message}; {_left(sweep, out)}", error.hint) from error
        except OSError:  # a full disk, mostly; what it is, is told where all such errors are
            complain(_left(sweep, out))
            raise
        except KeyboardInterrupt:  # a second Ctrl-C, which does not wait
            complain(f"interrupted: {_left(sweep, out)}")
            return exit_codes.INTERRUPTED
        if not stop.is_set():
            path = out / "report.jsonl"
            with listener(console) as listening:
                result = sweep.report(ReportWriter(path, head), listening, stop)
    if stop.is_set():
        complain(f"interrupted: {_left(sweep, out)}")
        return running.interrupted(stop.signal)
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
        say(f"{cost.model}: {cost.texts} texts ({cost.put} put), {cost.bytes / 1e6:.1f} MB; core-seconds: {each}")


def _options(args: argparse.Namespace) -> Options:
    from tokparity.session.panel import MEMORY
    from tokparity.sweep.run import Options

    workers = (os.cpu_count() or 1) if args.workers is None else args.workers
    if workers < 1:
        raise UsageError(f"--workers {workers} does nothing", "give 1 or more")
    if args.scheduler and args.workers is not None:
        raise UsageError("--workers and --scheduler contradict each other", "start workers with `dask worker`")
    memory = _size("--memory", args.memory)
    if memory is not None and memory < _LEAST_MEMORY:
        raise UsageError(f"--memory {args.memory!r} is less than a worker takes to start", "give 500MB or more")
    return Options((), args.scheduler, workers, args.memory or "auto", memory or MEMORY)


def _size(option: str, word: str | None) -> int | None:
    from dask.utils import parse_bytes

    try:
        size = None if word is None else int(parse_bytes(word))
    except ValueError:
        size = 0
    if size is not None and size < 1:
        raise UsageError(f"{option} {word!r} is no size", "write it as 500MB or 2GiB")
    return size


def _resumed(args: argparse.Namespace) -> tuple[Path, Manifest | None]:
    """Where the results go, and what the sweep there is about if it is to be resumed."""
    from tokparity.sweep import manifest

    if args.resume and args.out is None:
        folder = next((word for word in args.words if (Path(word) / manifest.NAME).is_file()), None)
        if folder is None:
            raise UsageError("--resume finds no sweep", "name the folder: `tokparity sweep --resume DIR`")
        args.words.remove(folder)
        args.out = Path(folder)
    if args.out is None:
        raise UsageError("--out is missing", "name the folder that the results are to go to")
    if args.resume:
        return args.out, manifest.read(args.out)
    if (args.out / manifest.NAME).exists():
        raise UsageError(f"there is a sweep in {str(args.out)!r} already", "go on with it by --resume, or delete it")
    return args.out, None


def _models(args: argparse.Namespace, stored: Manifest | None) -> list[Named]:
    """The models that were named, or those of the sweep that is resumed."""
    if stored is not None and arguments.from_files(args) is None and not args.words:
        return running.distinct([_named(words) for words in stored.arguments.values()])
    return running.models_of(args)


def _named(words: Sequence[str]) -> Named:
    """The model that these words of a command line named."""
    from tokparity import models
    from tokparity.cli.arguments import Named, named_model
    from tokparity.models import repository

    given = dict(zip(words[::2], words[1::2], strict=False)) if words[0].startswith("--") else {}
    if "--models" in given or not given:
        return named_model(words[-1], repository.find(given.get("--models")))
    return Named(models.from_files(**{name[2:].replace("-", "_"): path for name, path in given.items()}), tuple(words))


def _text(args: argparse.Namespace, stored: Manifest | None) -> Text:
    from tokparity.sweep.texts import text_of

    if not args.text and stored is None:
        raise UsageError("--text is missing", "name the files, patterns or URLs that hold it")
    if stored is not None:
        args.text = args.text or list(stored.text)
        args.field = args.field or stored.field
        args.shard = _size("--shard", args.shard) or stored.shard_bytes
    else:
        args.shard = _size("--shard", args.shard)
    args.field = args.field or "text"
    return text_of(args.text, args.field, args.shard)


def _begin(
    out: Path, head: Header, named: Sequence[Named], args: argparse.Namespace, text: Text, stored: Manifest | None,
    engines: tuple[str, ...],
) -> None:  # fmt: skip
    """Write down what the sweep is about, or hold it against what was written."""
    from tokparity.sweep.manifest import Manifest

    files = {file.path: file.state for file in text.files}
    arguments = {name.model.name: name.words for name in named}
    now = Manifest(
        head.tokparity, head.models, arguments, engines, head.engines, tuple(args.text), files, args.field, args.shard
    )
    if stored is None:
        now.write(out)
    else:
        now.check(stored, out)
