"""`tokparity fuzz`: runs one model's engines on texts made to break tokenizers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, completion
from tokparity.cli import options as declared
from tokparity.cli.console import say, terminal
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.cli.report_files import directory, show
from tokparity.cli.running import interrupted
from tokparity.cli.signals import ended_by_signals
from tokparity.errors import EngineError, UnwritableError, UsageError
from tokparity.session import ASKED

if TYPE_CHECKING:
    from tokparity.cli.arguments import Named
    from tokparity.finding import Mismatch
    from tokparity.fuzz.run import FuzzResult, Options
    from tokparity.fuzz.state import State
    from tokparity.report.file import ReportWriter

HELP = "Search for texts on which the engines of one model differ, and shrink them"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity fuzz small-unigram --seconds 3",
    "tokparity fuzz small-bpe --engine llama.cpp --cases 1000 --seed 7",
)
EXIT_1 = "there are findings that nobody has accepted; with --generated-models, groups without a cause"
STATE = "fuzz.json"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity fuzz`."""
    return [
        declared.Words("[MODEL]", "a known model, a file, a directory or hf:NAME"),
        *declared.engines(),
        declared.Option(
            "--generator",
            multiple=True,
            metavar="G",
            help="a generator (again for more); none: all",
            shell_complete=completion.generators,
        ),
        declared.ask(ASKED),
        declared.Option(
            "--seconds",
            callback=declared.seconds,
            metavar="N",
            help="end after about N seconds (default: 60), diagnosis included; the probe set is always run whole",
        ),
        declared.Option(
            "--cases",
            callback=declared.count,
            metavar="N",
            help="number of generated texts and rows of ids in all; with --generated-models, for each model",
        ),
        declared.Option(
            "--seed",
            callback=declared.whole,
            default=0,
            metavar="S",
            help="the same seed makes the same texts",
        ),
        declared.Option(
            "--out", type=declared.path(), metavar="DIR", help="folder of the report (default: reports/<date-time>)"
        ),
        declared.keep(),
        declared.wait(),
        declared.Option("--resume", type=declared.path(), metavar="DIR", help="continue the run in DIR"),
        declared.Option(
            "--generated-models",
            callback=declared.count,
            default=0,
            metavar="N",
            help="instead of MODEL: N small random models",
        ),
        declared.verbose(),
        *declared.model_files(),
    ]


def main(args: argparse.Namespace) -> int:
    """Fuzz and report; exit 1 if there is a finding that nobody has accepted."""
    from tokparity import generators

    arguments.check_engines(args.engine)
    for name in args.generator:
        generators.get(name)
    if args.generated_models:
        from tokparity.cli.fuzz_models import fuzz_models

        return fuzz_models(args)
    stored = None if args.resume is None else _resumed(args)
    named, _ = arguments.one_model(args, texts=0)
    out = directory(args.resume or args.out)
    result, signal = _fuzz(args, named, out, stored)
    if signal:
        return interrupted(signal)
    lost = [pair for pair in result.pairs if pair.unavailable and pair.engine in args.engine]
    if lost:
        raise EngineError(f"engine {lost[0].engine!r} could not be run on {lost[0].model!r}: {lost[0].unavailable}")
    return DIFFERENT if result.new else 0


def _fuzz(args: argparse.Namespace, named: Named, out: Path, stored: State | None) -> tuple[FuzzResult, int]:
    from tokparity.cli.progress import listener
    from tokparity.cli.pulling import pull_missing
    from tokparity.fuzz.run import fuzz
    from tokparity.garbage import collected_rarely
    from tokparity.report.file import read

    pull_missing([named.model])
    path = out / "report.jsonl"
    resumed = None if stored is None else (stored, _found(path, named))
    options = _options(args)
    writer = _writer(path, named, options, args, stored is not None)
    with listener(terminal(stderr=True)) as listening, ended_by_signals(writer.kept) as stop, collected_rarely():

        def save(state: State) -> None:
            _save(out, replace(state, words=named.words, engines=options.engines, seed=options.seed))

        result = fuzz(named.model, options, writer, listening, stop, save, resumed)
    show(read(path), out, args.verbose)
    say(_coverage(result))
    return result, stop.signal


def _resumed(args: argparse.Namespace) -> State:
    """What an earlier run left; `args` then say what it was about, as far as a file may say it."""
    from tokparity.fuzz.state import read
    from tokparity.models.trusted import engines_of_file, model_of_file, plain_folder

    plain_folder(args.resume)
    path = args.resume / STATE
    stored = read(path)
    again = ["tokparity", "fuzz", "--resume", str(args.resume)]
    args.engine = list(engines_of_file(stored.engines, path, again, args.engine))
    args.seed = stored.seed
    if not args.words and arguments.from_files(args) is None:
        own = arguments.repository(args)
        args.words = [model_of_file(stored.words, path, again, own)]
    return stored


def _found(path: Path, named: Named) -> Sequence[Mismatch]:
    """What the report holds that is gone on with; UsageError where it is about another model."""
    from tokparity.cli.heading import hashes
    from tokparity.report.file import read

    report, name = read(path), named.model.name
    if (theirs := report.header.models.get(name, {})) != hashes(named.model):
        message = f"{str(path)!r} is about another model or model file than {name!r}: {theirs!r:.200}"
        raise UsageError(message, "name the model that it is about, or start again without --resume")
    return report.mismatches


def _options(args: argparse.Namespace) -> Options:
    from tokparity.fuzz.run import KEEP, SECONDS, Options
    from tokparity.session.outage import WAIT

    engines = tuple(dict.fromkeys(args.engine))
    seconds = args.seconds or (SECONDS if args.cases is None else None)
    names, keep = tuple(dict.fromkeys(args.generator)), KEEP.raised(args.keep)
    wait = WAIT if args.wait is None else args.wait
    return Options(engines, names, args.cases, seconds, args.seed, keep, wait=wait, ask=args.ask)


def _writer(path: Path, named: Named, options: Options, args: argparse.Namespace, resumed: bool) -> ReportWriter:
    """The report to write on: the old one is added to, and is never shorter than it was."""
    from tokparity.cli.heading import header
    from tokparity.report.file import ReportWriter

    if resumed:
        return ReportWriter.resume(path)
    (path.parent / STATE).unlink(missing_ok=True)  # it belongs to the report that is written over
    return ReportWriter(path, header([named], options.engines, options.seed, args.command, options.ask))


def _save(out: Path, state: State) -> None:
    """Put the state in the place of the one before, at once: whoever reads it finds a whole one."""
    from tokparity.report.record import to_record

    new = out / f"{STATE}.new"
    try:
        new.write_text(json.dumps(to_record(state)), encoding="utf-8")
        new.replace(out / STATE)
    except OSError as error:
        hint = f"what was found is kept in {str(out / 'report.jsonl')!r}; make room and run again"
        raise UnwritableError(f"cannot write {str(out / STATE)!r}: {error.strerror}", hint) from error


def _coverage(result: FuzzResult) -> str:
    """How much of the vocabulary's rules the texts reached."""
    return f"coverage: {', '.join(f'{name} {share.reached} of {share.of}' for name, share in result.coverage.items())}"
