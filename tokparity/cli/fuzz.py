"""`tokparity fuzz`: texts made to break tokenizers, before one model's engines."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokparity.cli import arguments, completion
from tokparity.cli import options as declared
from tokparity.cli.console import say, terminal
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.cli.report_files import directory, show
from tokparity.cli.running import interrupted
from tokparity.cli.signals import ended_by_signals
from tokparity.errors import EngineError, FormatError, UnwritableError, UsageError

if TYPE_CHECKING:
    from tokparity.cli.arguments import Named
    from tokparity.fuzz.run import FuzzResult, Options
    from tokparity.report.file import ReportWriter

HELP = "put generated texts before one model's engines, and shrink what they disagree on"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity fuzz small-unigram --seconds 3",
    "tokparity fuzz small-bpe --engine llama.cpp --cases 1000 --seed 7",
)
EXIT_1 = "findings that nobody has accepted; with --generated-models, groups that nothing explains"
STATE = "fuzz.json"


def parameters() -> list[click.Parameter]:
    """Declare what fuzz takes."""
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
        declared.Option(
            "--seconds",
            callback=declared.seconds,
            metavar="N",
            help="put texts for about so many seconds (default: 60); causes are looked for afterwards",
        ),
        declared.Option(
            "--cases",
            callback=declared.count,
            metavar="N",
            help="generated texts and rows of ids to put in all; with --generated-models: per model",
        ),
        declared.Option(
            "--seed",
            callback=declared.whole,
            default=0,
            metavar="S",
            help="the same seed makes the same texts",
        ),
        declared.Option(
            "--out", type=declared.path(), metavar="DIR", help="where the report goes (default: reports/<date-time>)"
        ),
        declared.keep(),
        declared.Option(
            "--resume", type=declared.path(), metavar="DIR", help="go on with the run whose report is there"
        ),
        declared.Option(
            "--generated-models",
            callback=declared.count,
            default=0,
            metavar="N",
            help="instead of MODEL: so many small random models",
        ),
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
    stored = None if args.resume is None else _stored(args.resume)
    if stored is not None:
        args.words = args.words or stored["words"]
        args.seed = stored["seed"]
    named, _ = arguments.one_model(args, texts=0)
    out = directory(args.resume or args.out)
    result, signal = _fuzz(args, named, out, stored)
    if signal:
        return interrupted(signal)
    lost = [pair for pair in result.pairs if pair.unavailable and pair.engine in args.engine]
    if lost:
        raise EngineError(f"engine {lost[0].engine!r} could not be run on {lost[0].model!r}: {lost[0].unavailable}")
    return DIFFERENT if result.new else 0


def _fuzz(
    args: argparse.Namespace, named: Named, out: Path, stored: Mapping[str, Any] | None
) -> tuple[FuzzResult, int]:
    from tokparity.cli.progress import listener
    from tokparity.cli.pulling import pull_missing
    from tokparity.fuzz.run import fuzz
    from tokparity.garbage import collected_rarely
    from tokparity.report.file import read

    pull_missing([named.model])
    path = out / "report.jsonl"
    resumed = None if stored is None else (stored, read(path).mismatches)
    options = _options(args, stored)
    writer = _writer(path, named, options, args, stored is not None)
    words = {"words": list(named.words), "engines": list(options.engines), "seed": options.seed}
    with listener(terminal(stderr=True)) as listening, ended_by_signals(writer.kept) as stop, collected_rarely():

        def save(state: Mapping[str, Any]) -> None:
            _save(out, {**state, **words})

        result = fuzz(named.model, options, writer, listening, stop, save, resumed)
    show(read(path), out)
    for line in _summary(result):
        say(line)
    return result, stop.signal


def _options(args: argparse.Namespace, stored: Mapping[str, Any] | None) -> Options:
    from tokparity.fuzz.run import KEEP, SECONDS, Options

    engines = tuple(dict.fromkeys(args.engine)) or tuple(stored["engines"] if stored else ())
    seconds = args.seconds or (SECONDS if args.cases is None else None)
    return Options(
        engines, tuple(dict.fromkeys(args.generator)), args.cases, seconds, args.seed, KEEP.raised(args.keep)
    )


def _writer(path: Path, named: Named, options: Options, args: argparse.Namespace, resumed: bool) -> ReportWriter:
    """The report to write on: the old one is added to, and is never shorter than it was."""
    from tokparity.cli.heading import header
    from tokparity.report.file import ReportWriter

    if resumed:
        return ReportWriter.resume(path)
    (path.parent / STATE).unlink(missing_ok=True)  # it belongs to the report that is written over
    return ReportWriter(path, header([named], options.engines, options.seed, args.command))


def _save(out: Path, state: Mapping[str, Any]) -> None:
    """Put the state in the place of the one before, at once: whoever reads it finds a whole one."""
    new = out / f"{STATE}.new"
    try:
        new.write_text(json.dumps(state), encoding="utf-8")
        new.replace(out / STATE)
    except OSError as error:
        hint = f"what was found is kept in {str(out / 'report.jsonl')!r}; make room and run again"
        raise UnwritableError(f"cannot write {str(out / STATE)!r}: {error.strerror}", hint) from error


def _summary(result: FuzzResult) -> list[str]:
    """Coverage, and one line per group: engine and kind, how often, the shortest text."""
    shares = [f"{name} {share.reached}/{share.of}" for name, share in result.coverage.items()]
    lines = [f"coverage: {', '.join(shares)}"]
    for finding in result.findings:
        note = f" ({finding.standing}, {finding.cases})" if finding.unexamined else f" ({finding.standing})"
        text = finding.smallest.case.question.literal
        lines.append(f"{finding.mismatches:8} {finding.name}{note}: {text if len(text) < 120 else text[:117] + '...'}")
    return lines


def _stored(folder: Path) -> dict[str, Any]:
    """What an earlier run left to go on with."""
    path = folder / STATE
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"cannot go on with {str(folder)!r}: {path.name}: {error.strerror}"
        raise UsageError(message, "name the --out of a run of fuzz") from error
    except ValueError as error:
        raise FormatError(f"{str(path)!r} is damaged: {error}", "start again without --resume") from error
    if not isinstance(stored, dict) or not {"words", "seed", "search", "tallies", "counts"} <= stored.keys():
        raise FormatError(f"{str(path)!r} is no state of a run of fuzz", "start again without --resume")
    return stored
