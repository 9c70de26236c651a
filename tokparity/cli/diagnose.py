"""`tokparity diagnose`: findings from a stored report, or from a recording of an engine's ids.

It needs the models' files and no engines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments, Named
from tokparity.cli.console import say
from tokparity.cli.pulling import pull_missing
from tokparity.errors import FormatError, UsageError
from tokparity.questions.json_text import plain

if TYPE_CHECKING:
    from tokparity.diagnose import Found
    from tokparity.finding import Control
    from tokparity.formats import Source
    from tokparity.models import Model
    from tokparity.report.model import Pair, Report
    from tokparity.sources.recording import Recorded

HELP = "Explain the mismatches of a stored report, or of recorded ids"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity diagnose reports/today/report.jsonl --out explained",
    "tokparity diagnose recorded.jsonl.gz llama-spm",
    "tokparity diagnose results.jsonl --vectors gpt-2.vectors.json",
)
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity diagnose`."""
    return [
        options.Words(
            "REPORT|RECORDING.jsonl [MODEL]...",
            "a report that run, check or fuzz wrote, or its folder, with its models that are files or folders; "
            'or a recording and its model. A recording (.jsonl or .jsonl.gz) has {"text": ..., "ids": [...]} on each '
            'line. The text is a string or {"base64": ...}. "add_special", "parse_special" (false if left out) and '
            '"decoded" may follow. If no line has "add_special", and all ids begin with the BOS id, it is true.',
            shell_complete=None,
        ),
        options.Option(
            "--vectors",
            type=options.path(),
            metavar="FILE",
            help="the first word has the results of a runner on these test vectors (docs/vectors.md)",
        ),
        options.Option("--out", type=options.path(), metavar="DIR", help="write the report again, with these findings"),
        options.verbose(),
        *options.model_files(),
    ]


def main(args: Arguments) -> int:
    """Explain every pair of the report, print the findings, and write the new report if asked."""
    from tokparity.report.json_lines import file_at
    from tokparity.report.model import Pair
    from tokparity.sources.recording import is_recording

    if not args.words:
        raise UsageError("diagnose takes a report or a recording", "see `tokparity diagnose --help`")
    path = file_at(Path(args.words.pop(0)))
    if args.vectors is not None:
        report, right, named = _of_results(path, args)
    else:
        report, right, named = _of_recording(path, args) if is_recording(path) else _of_report(path, args)
    if report.truncated:
        say("The report is truncated: only the mismatches that it contains are diagnosed.")
    found: list[Found] = []
    pairs = {(pair.model, pair.engine): pair for pair in report.pairs}
    for mismatch in {(m.model, m.engine): m for m in report.mismatches}.values():
        # A run that was cut short may not have come to write its counts.
        unknown = Pair(mismatch.model, mismatch.engine, mismatch.oracle)
        model = _model(report, mismatch.model, named)
        found += _of_pair(report, pairs.get((mismatch.model, mismatch.engine), unknown), model, right)
    if not found:
        where = "No mismatches" if args.vectors is None else "No mismatches of a text or a row of ids"
        say(f"{where}: there is nothing to diagnose.")
    if args.out is not None:
        _write(report, found, args.out, args.verbose)
    return 0


def _of_report(path: Path, args: Arguments) -> tuple[Report, Sequence[Control], Mapping[str, Named]]:
    """What is stored, and its models: those that the command line names, and what the report itself may name."""
    from tokparity.cli.running import models_of
    from tokparity.models.trusted import model_of_file
    from tokparity.report.file import read

    report = read(path)
    given = bool(args.words) or arguments.from_files(args) is not None
    named = {name.model.name: name for name in (models_of(args) if given else ())}
    wanted = dict.fromkeys(mismatch.model for mismatch in report.mismatches)
    if others := named.keys() - report.header.models.keys() - wanted.keys():
        raise UsageError(f"{str(path)!r} is not about {min(others)!r}", f"it is about {', '.join(wanted) or 'nothing'}")
    own = arguments.repository(args)
    for name in (name for name in wanted if name not in named):
        words = report.header.arguments.get(name, (name,))
        word = model_of_file(words, path, ["tokparity", "diagnose", str(path)], own)
        named[name] = arguments.named_model(word, own)
    return report, (), named


def _of_results(path: Path, args: Arguments) -> tuple[Report, Sequence[Control], Mapping[str, Named]]:
    """The report on what a runner wrote, and all that the engine has right; first the faults that the vectors name."""
    from tokparity.cli.vectors import of_these_files
    from tokparity.vectors.file import read
    from tokparity.vectors.naming import judge, sentences
    from tokparity.vectors.results import read_results, recorded

    vectors = read(args.vectors)
    if not args.words and arguments.from_files(args) is None:
        args.words = [_known_model(vectors.model, args)]
    named, _ = arguments.one_model(args)
    pull_missing([named.model])
    of_these_files(vectors, named.model, args.vectors)
    answers = read_results(path, vectors)
    outcomes = [(part, judge(part, answers)) for part in vectors.parts]
    failed = sum(len(outcome.failed) for _, outcome in outcomes)
    say(f"{len(answers)} of {vectors.size} cases have a result, {failed} of them are wrong")
    for sentence in (one for part, outcome in outcomes for one in sentences(part, outcome)):
        say(sentence)
    return _judged(path, named, args, recorded(vectors, answers, path.name))


def _known_model(name: str, args: Arguments) -> str:
    from tokparity.models.trusted import model_of_file

    command = ["tokparity", "diagnose", *args.command[2:]]
    return model_of_file([name], args.vectors, command, arguments.repository(args))


def _of_recording(path: Path, args: Arguments) -> tuple[Report, Sequence[Control], Mapping[str, Named]]:
    """The report on a recording, and all that it has right."""
    named, _ = arguments.one_model(args)
    pull_missing([named.model])
    return _judged(path, named, args, None)


def _judged(
    path: Path, named: Named, args: Arguments, lines: Iterable[Recorded] | None
) -> tuple[Report, Sequence[Control], Mapping[str, Named]]:
    """The report on a recording, or on lines that were read of it; who judged it is said."""
    from tokparity.cli.heading import header
    from tokparity.outcome import TIMEOUT
    from tokparity.session.recording import judged

    head = header([named], [named.model.oracle], 0, args.command)
    found = judged(path, named.model, head, TIMEOUT, lines)
    for line in found.told(named.model):
        say(plain(line))
    return found.report, found.right, {named.model.name: named}


def _of_pair(report: Report, pair: Pair, model: Model, right: Sequence[Control]) -> list[Found]:
    from tokparity.session.acceptance import accepted
    from tokparity.session.explain_report import of_report

    explained = of_report(report, model, pair.engine, _sources(model, pair), right)
    found = accepted(model, report, explained)
    for line in _lines(pair, found):
        say(line)
    return found


def _sources(model: Model, pair: Pair) -> list[Source]:
    """What the oracle and the engine read of the model, which may be different files."""
    from tokparity import models
    from tokparity.session.explain import read_by

    opened = [str(path) for path in model.sources.values() if path.name == pair.source]
    source = models.primary_source(model)
    return read_by(source, model, opened[0] if opened else str(source.path))


def _model(report: Report, name: str, named: Mapping[str, Named]) -> Model:
    """The model of that name; FormatError if its files are not those that the report is about."""
    from tokparity.models.cache import sha256

    model = named[name].model
    pull_missing([model])
    known = report.header.models.get(name, {})
    for path in model.sources.values():
        if path.name in known and path.is_file() and sha256(path) != known[path.name]:
            raise FormatError(
                f"{str(path)!r} is not the file that the report is about: the file was changed or replaced",
                "run the comparison again",
            )
    return model


def _lines(pair: Pair, found: Sequence[Found]) -> Iterator[str]:
    """What is known now about one engine on one model."""
    from tokparity import quirks
    from tokparity.report.render.causes import alternatives
    from tokparity.report.render.proof import proof
    from tokparity.report.render.text import answers
    from tokparity.report.render.visible import pointed

    yield ""
    yield f"{plain(pair.model)} / {plain(pair.engine)} against {plain(pair.oracle)}"
    for one in found:
        finding = one.finding
        if finding.instead:
            yield f"  {plain(finding.instead)}"
        name = " + ".join(finding.quirks) or plain(finding.name)
        yield f"  {'predicted' if finding.is_predicted else finding.status}: {name}"
        yield f"    {finding.cases}; the shortest {pointed(finding.smallest.case.question, 100)}"
        if finding.quirks:
            yield f"    reproduces {finding.verified} of them, run one by one, and {finding.controls} controls"
            yield from (f"    {sentence}" for sentence in list(proof(finding))[1:])
        yield from (f"    or {entry}" for entry in alternatives(finding))
        if finding.separating is not None:
            yield f"    to tell them apart, ask the engine for {finding.separating.literal[:100]}"
        known = (name for name in finding.quirks if name in quirks.names())
        yield from (f"    to mend {name}: {quirks.get(name).fix}" for name in known)
        yield from (f"    {plain(trait.sentence)}" for trait in finding.character)
        if finding.nearest:
            yield f"    nearest: {finding.nearest}"
        if finding.why_unexplained:
            yield f"    {plain(finding.why_unexplained)}"
        if not finding.quirks:
            yield from (f"    {plain(line)}" for line in answers(finding.smallest))


def _write(report: Report, found: Sequence[Found], out: Path, every: bool) -> None:
    from tokparity.cli.report_files import make_directory, show
    from tokparity.report.file import write

    findings = [one.finding for one in found]
    members = {(one.finding.model, one.finding.name): one.members for one in found}
    make_directory(out)
    new = replace(report, findings=tuple(findings), members=members)
    write(new, out / "report.jsonl")
    show(new, out, every)
