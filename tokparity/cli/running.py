"""What `run` and `check` share: their options, the run itself, the files of the report."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, completion
from tokparity.cli import options as declared
from tokparity.cli.against import as_asked, held_against, hint_at_against
from tokparity.cli.arguments import Named
from tokparity.cli.console import complain, terminal
from tokparity.cli.heading import header
from tokparity.cli.one_model import demand_own_sources
from tokparity.cli.pulling import pull_known, pull_missing
from tokparity.cli.report_files import directory, show
from tokparity.cli.signals import ended_by_signals
from tokparity.errors import EngineError, TokparityError, UsageError
from tokparity.session import ASKED, CASES, SAMPLED, THINNED

if TYPE_CHECKING:
    from tokparity.report.file import ReportWriter
    from tokparity.report.model import Report
    from tokparity.session.one_model import Options
    from tokparity.session.run import RunResult


def parameters(sampled: Sequence[str] = ()) -> list[click.Parameter]:
    """Declare the options of what puts questions; some kinds are `sampled` where --ask is missing."""
    return [
        declared.models(
            "known models, names in tokparity.toml, files, directories, hf:NAME; none: all of tokparity.toml, if "
            "one is here, else all known models"
        ),
        *declared.engines(),
        declared.Option(
            "--corpus",
            multiple=True,
            metavar="C",
            help="a corpus or a file (again for more); none: all",
            shell_complete=completion.corpora,
        ),
        declared.ask(ASKED, sampled),
        declared.Option(
            "--seconds",
            callback=declared.seconds,
            metavar="N",
            help="end after about N seconds, diagnosis included; the probe set is always run whole",
        ),
        declared.Option(
            "--cases",
            callback=declared.count,
            metavar="N",
            help="number of random texts for each model, beside the corpora; fewer take less of the largest corpora "
            f"(default: {CASES})",
        ),
        declared.Option(
            "--seed",
            callback=declared.whole,
            default=0,
            metavar="S",
            help="seed of the random texts",
        ),
        declared.Option(
            "--out", type=declared.path(), metavar="DIR", help="folder of the report (default: reports/<date-time>)"
        ),
        declared.keep(),
        declared.wait(),
        declared.Option(
            "--jobs",
            callback=declared.whole,
            metavar="N",
            help="models at a time (default: one a core, up to 4, with 4 GiB of memory for each)",
        ),
        declared.verbose(),
        *declared.model_files(),
    ]


@dataclass(frozen=True)
class Finished:
    """The result of a run: its report, the models, the signal that ended it (0: none), and what could not run."""

    report: Report
    named: Sequence[Named]
    signal: int
    lost: TokparityError | None

    def demand_all(self) -> None:
        """Raise for a model, or an engine that was named, that could not be run."""
        if self.lost is not None:
            raise self.lost


def run(
    args: argparse.Namespace, look: Callable[[Sequence[Named]], None] = lambda named: None, stress: bool = False
) -> Finished:
    """Run what the arguments say, print the verdict, write all files; `look` is shown the models first."""
    from tokparity.session.seats import begin

    named = models_of(args)
    if len(named) == 1:  # more are run by processes that open engines themselves
        begin(named[0].model, args.engine, getattr(args, "quick", False))

    from tokparity.doctor import about_files, file_faults
    from tokparity.models.family import represented
    from tokparity.report.file import ReportWriter, read
    from tokparity.report.verdict import no_source
    from tokparity.session.one_model import KEEP
    from tokparity.session.pairs import has_own_source

    options = replace(options_of(args), keep=KEEP.raised(args.keep), stress=stress)
    look(named)
    for model in (one.model for one in named):
        if not has_own_source(model):  # there will be no verdict, which nobody should have to wait for
            complain(no_source(model.name))
    out = directory(args.out)
    named, left_out = fetched(named, args.words)
    demand_own_sources(named)
    faults, vanished, mended = file_faults([name.model for name in named])
    asked = [] if args.engine else [name.model for name in named if name.own is None]
    options = replace(options, faults=tuple(as_asked(faults, named)), mended=mended, about_files=about_files(asked))
    for fault in options.faults if options.quick else ():
        if not (fault.reason or fault.unsaid):  # who waits for a verdict knows now what it is about
            complain(f"{fault.model}: {fault.sentence}; now the engines")
    all_put = bool(args.words) or args.cases is not None or options.quick
    instead = {} if all_put else represented([one.model for one in named])
    options = replace(options, thinned=frozenset(instead))
    path = out / "report.jsonl"
    writer = ReportWriter(path, header(named, options.engines, options.seed, args.command, options.kinds))
    for one in vanished:
        writer.vanished(one)
    for name, reason in left_out.items():
        writer.note(f"{name} was left out: {reason}")
    if instead:
        told = ", ".join(f"{name} ({other})" for name, other in instead.items())
        few = f"the probe set and one in {THINNED} of the other texts"
        writer.note(f"these models got {few}, because another model has their vocabulary: {told}")
    result, signal = run_all(named, options, writer)
    report = read(path)
    show(report, out, args.verbose, tables=not options.quick, thin=args.keep is None)
    return Finished(report, named, signal, _lost(result, args.engine))


def _lost(result: RunResult, engines: Sequence[str]) -> TokparityError | None:
    """The error that says which model, or which of the engines that were named, could not be run."""
    for model, error in result.lost.items():
        return type(error)(f"{model} could not be run: {error.message}", error.hint)
    for pair in result.pairs:
        if pair.unavailable and pair.engine in engines:
            return EngineError(f"engine {pair.engine!r} could not be run on {pair.model!r}: {pair.unavailable}")
    return None


def options_of(args: argparse.Namespace) -> Options:
    """Return the options of a run, after checking every name in them, so that nothing starts with a wrong name."""
    from tokparity.engines.engine_name import parse
    from tokparity.engines.process.usage import models_at_a_time
    from tokparity.session.one_model import Options
    from tokparity.session.outage import WAIT
    from tokparity.sources import corpus

    arguments.check_engines(args.engine)
    for name in args.corpus:
        corpus.load(name)
    quick, asked = getattr(args, "quick", False), getattr(args, "ask", ASKED)
    # A recording answers nothing but what was recorded, of which a sample may be another one.
    samples = asked is None and not quick and not any(parse(name).is_replay for name in args.engine)
    jobs = models_at_a_time() if args.jobs is None else args.jobs
    if jobs < 1:
        raise UsageError(f"--jobs {jobs} starts no process", "give 1 or more")
    return Options(
        engines=tuple(dict.fromkeys(args.engine)),
        corpora=None if quick else tuple(dict.fromkeys(args.corpus)),
        cases=CASES if args.cases is None else args.cases,
        seconds=args.seconds,
        seed=args.seed,
        jobs=jobs,
        quick=quick,
        ask=ASKED if asked is None else asked,
        sampled=SAMPLED if samples else (),
        wait=WAIT if args.wait is None else args.wait,
    )


def models_of(args: argparse.Namespace) -> list[Named]:
    """The models, each once; files that the user gave are read now, so that errors appear at once."""
    from tokparity import models

    if getattr(args, "against", None) is not None:
        return [held_against(args.words, args.against)]
    own = arguments.repository(args)
    named = [arguments.named_model(word, own) for word in dict.fromkeys(args.words)]
    files = arguments.from_files(args)
    named += [files] if files else []
    if not named:
        named = [arguments.named_model(name, own) for name in (own.names if own else models.names())]
    named = distinct(named)
    hint_at_against(named)
    for name in named:
        if not name.model.pulled:
            models.primary_source(name.model)
    return named


def fetched(named: Sequence[Named], words: Sequence[str]) -> tuple[list[Named], dict[str, str]]:
    """Return the models with their files downloaded; of all known models, those that can't be downloaded are left out,
    each with a message."""
    every = [one.model for one in named]
    if words:
        pull_missing(every)
        return list(named), {}
    _, lost = pull_known(every)
    return [one for one in named if one.model.name not in lost], lost


def distinct(named: Sequence[Named]) -> list[Named]:
    """The models with a name of its own for each: several files of one name are told apart by their folders."""
    taken = Counter(name.model.name for name in named)
    found = [_with_folders(name) if taken[name.model.name] > 1 and not name.model.pinned else name for name in named]
    again = [name for name, times in Counter(name.model.name for name in found).items() if times > 1]
    if again:
        raise UsageError(f"two models are called {again[0]!r}", "run them one after the other")
    return found


def _with_folders(named: Named) -> Named:
    folder = next(iter(named.model.sources.values())).parent
    name = named.model.name
    longer = folder if folder.name == name else folder / name
    return replace(named, model=replace(named.model, name=longer.as_posix()))


def run_all(named: Sequence[Named], options: Options, writer: ReportWriter) -> tuple[RunResult, int]:
    from tokparity.cli.progress import listener
    from tokparity.session.run import run as run_models

    with listener(terminal(stderr=True)) as listening, ended_by_signals(writer.kept) as stop:
        result = run_models([name.model for name in named], options, writer, listening, stop)
    return result, stop.signal


def interrupted(signal: int) -> int:
    """The exit code that a shell uses for a program that a signal ended."""
    return 128 + signal
