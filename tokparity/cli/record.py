"""`tokparity record`: writes an engine's answers to a file, which can replace the engine later."""

from __future__ import annotations

import time
import unicodedata
from typing import TYPE_CHECKING

import click

from tokparity import __version__
from tokparity.cli import options, running
from tokparity.cli.arguments import Arguments, Named, check_engines
from tokparity.cli.console import say
from tokparity.cli.heading import hashes
from tokparity.cli.pulling import pull_missing
from tokparity.cli.signals import ended_by_signals
from tokparity.errors import UsageError
from tokparity.questions import Render
from tokparity.report.rule import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokparity.engines.outcomes_file import Recorded
    from tokparity.session.one_model import Options

HELP = "Save an engine's answers in one file, which `--engine replay:FILE` reads"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity record tokenizers@0.19.1 gpt-2 -o old.parquet",
    "tokparity compare replay:old.parquet tokenizers gpt-2",
)
EXIT_1 = ""
_OF_RUN = ("ask", "corpus", "cases", "seed", "wait")


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity record`."""
    out = options.Option("-o", "--output", type=options.path(), metavar="FILE", help="the Parquet file to write")
    shared = [parameter for parameter in running.parameters() if parameter.name in _OF_RUN]
    words = options.Words("ENGINE MODEL...", "an engine, and the models to run it on")
    return [words, out, *shared, *options.model_files()]


def main(args: Arguments) -> int:
    """Run the questions of `run` on an engine, and write its answers."""
    from tokparity.engines.outcomes_file import needs_pyarrow
    from tokparity.session.record import record

    if not args.words:
        raise UsageError("no engine", "name one, and a model: tokparity record ENGINE MODEL -o FILE")
    if args.output is None:
        raise UsageError("no file to write", "give -o FILE.parquet")
    needs_pyarrow(args.output)
    engine, *words = args.words
    args.words = [options.on_hub_if_online(word, args.online) for word in words]
    check_engines([engine])
    asked = _asked(args)
    named = running.models_of(args) if args.words or _has_files(args) else _no_model(engine)
    pull_missing([name.model for name in named])
    recorded = _recorded(engine, named, args)
    with ended_by_signals() as stop:
        counts = record(engine, [name.model for name in named], asked, recorded, args.output, stop)
    for counted in counts:
        failures = f", {counted.failures} of them without an answer" if counted.failures else ""
        say(f"{engine} on {counted.model}: {count(counted.questions, 'question')}{failures}")
    if counts:
        say(f"{args.output}: {args.output.stat().st_size / 1e6:.1f} MB; {recorded.version}")
    return running.interrupted(stop.signal) if stop.signal else 0


def _has_files(args: Arguments) -> bool:
    return any(getattr(args, name) is not None for name in options.FILES)


def _no_model(engine: str) -> list[Named]:
    raise UsageError(f"no model to record {engine!r} on", "name one, or give --gguf FILE and the like")


def _asked(args: Arguments) -> Options:
    if Render.KIND in args.ask:
        raise UsageError("a recording holds no prompts", f"leave {Render.KIND} out of --ask")
    args.engine, args.seconds, args.jobs = [], None, 1
    return running.options_of(args)


def _recorded(engine: str, named: Sequence[Named], args: Arguments) -> Recorded:
    """With what it is recorded; EngineError for an engine that cannot be had."""
    import platform

    from tokparity import engines
    from tokparity.engines.environment.pinned import installed
    from tokparity.engines.outcomes_file import Recorded
    from tokparity.session.seats import seat_one

    version = engines.get(engine).version()
    for name in named:
        seat_one(name.model, engine)
    return Recorded(
        engine=engine,
        version=version,
        tokparity=__version__,
        unicode=unicodedata.unidata_version,
        python=platform.python_version(),
        recorded=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        seed=args.seed,
        command=args.command,
        models={name.model.name: hashes(name.model) for name in named},
        installed=installed(engine),
    )
