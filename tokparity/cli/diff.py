"""`tokparity diff`: one text on all engines, side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from tokparity.case import AnyCase, Case, Origin
from tokparity.cli import arguments, chat, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import complain, flush, say, shown, terminal
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.cli.pulling import pull_missing
from tokparity.errors import EngineError, FormatError, UsageError
from tokparity.questions import Again, Decode, Encode, Question, Spans, Stream, from_json
from tokparity.questions.json_text import is_utf8, literal

if TYPE_CHECKING:
    from tokparity.finding import Finding, Mismatch
    from tokparity.models import Model
    from tokparity.session.batch import Batch
    from tokparity.session.judge import Judge
    from tokparity.session.panel import EnginePanel
    from tokparity.session.seats import Seating

HELP = "My engine returns other ids. Why? Compare one text on all engines, side by side"
SECTION = "Three questions"
EXAMPLES = (
    'tokparity diff small-bpe "naïve café"',
    'tokparity diff small-bpe --engine reference+greedy_longest_match --why "a b"',
    "tokparity diff small-spm --engine llama.cpp --no-special -- '-1 + 1'",
)
EXIT_1 = "an engine differs from the model's oracle"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity diff`."""
    return [
        options.Words("MODEL TEXT", 'a model and a text; "-" reads it as one line of JSON from standard input'),
        *options.engines(),
        *options.flags(),
        options.Option("--ids", is_flag=True, help="TEXT is a JSON array of ids, to be decoded"),
        options.Option("--stream", is_flag=True, help="TEXT is a JSON array of ids, to be decoded one after another"),
        options.Option("--prefill", metavar="IDS", help="with --stream: a JSON array of the ids of the prompt before"),
        options.Option("--again", is_flag=True, help="encode TEXT, decode its ids, and encode what they decode to"),
        options.Option("--keep-special", is_flag=True, help="show special tokens in text that ids are decoded to"),
        options.Option("--spans", is_flag=True, help="which characters of TEXT does each id come from?"),
        options.Option(
            "--chat",
            metavar="CONVERSATION.json",
            help="no TEXT: the prompt of each renderer, as `tokparity chat` has it",
        ),
        chat.whole(),
        options.Option(
            "--after",
            multiple=True,
            metavar="JSON",
            help='a question to put first, in the same process: {"text": "a"}, or as a report writes it',
        ),
        options.Option(
            "--beside",
            multiple=True,
            metavar="JSON",
            help="a question that stands before TEXT in the same request",
        ),
        options.Option("--why", is_flag=True, help="find the cause of each difference"),
        options.against(),
        *options.model_files(),
    ]


def _question(args: Arguments, word: str) -> Question:
    if args.prefill is not None and not args.stream:
        raise UsageError("--prefill says what comes before the ids of a stream", "give --stream as well")
    if len([name for name in ("stream", "again", "spans") if getattr(args, name)]) > 1 or (args.spans and args.ids):
        raise UsageError("--stream, --again, --spans and --ids ask for different things", "give one of them")
    if args.stream:
        prefill = arguments.ids_of(args.prefill) if args.prefill else ()
        return Stream(tuple(arguments.ids_of(word)), tuple(prefill), not args.keep_special)
    if args.again:
        flags = not args.no_special, args.parse_special, not args.keep_special
        text, ids = (None, arguments.ids_of(word)) if args.ids else (arguments.text_of(word), ())
        return Again(text, tuple(ids), *flags)
    if not args.ids:
        text = arguments.text_of(word)
        if args.spans and not is_utf8(text):
            raise UsageError(f"{literal(text)} is not UTF-8, so it has no characters", "give --spans a text that is")
        return (Spans if args.spans else Encode)(text, not args.no_special, args.parse_special)
    return Decode(tuple(arguments.ids_of(word)), not args.keep_special)


def _as_well(args: Arguments, option: str, words: Sequence[str]) -> Iterator[AnyCase]:
    """What --after or --beside says; with the flags of TEXT where it has none of its own."""
    for word in words:
        flags = {"add_special": not args.no_special, "parse_special": args.parse_special}
        try:
            yield Case(from_json({**flags, **json.loads(word)}), Origin("given", "command line"))
        except (ValueError, TypeError, KeyError, AttributeError, FormatError):
            raise UsageError(f"{option} {word!r:.80} is not a question", 'write {"text": "a"}, a JSON object') from None


def _beside(args: Arguments, case: AnyCase) -> list[AnyCase]:
    """What --beside says; UsageError where one request cannot hold it and TEXT."""
    found = list(_as_well(args, "--beside", args.beside))
    if other := [one for one in found if one.question.alike != case.question.alike]:
        told = f"--beside {other[0].question.literal:.80} has other flags than TEXT"
        raise UsageError(told, "put questions of one kind and with the same flags into one request")
    return found


def _told(finding: Finding) -> Iterator[str]:
    """What causes one difference, in a few lines."""
    from tokparity import quirks
    from tokparity.report.render.causes import alternatives
    from tokparity.report.render.proof import proof

    what = f"{' + '.join(finding.quirks) or 'no known cause explains it'} ({finding.status})"
    if finding.is_predicted:
        what = "no known cause explains it, but a rule predicts its answers"
    yield f"Why {finding.engine} differs: {what}"
    for quirk in (quirks.get(name) for name in finding.quirks if name in quirks.names()):
        yield f"  {quirk.title}. {quirk.fix}"
    yield from (f"  {trait.sentence}" for trait in finding.character)
    yield from (f"  {line}" for line in proof(finding))
    yield from [f"  nearest: {finding.nearest}"] if finding.nearest and not finding.is_predicted else []
    yield from (f"  {key}: {value}" for key, value in finding.context)
    alike = "" if finding.separating else ": on this model no text was found on which the two differ"
    yield from (f"  or {entry}{alike}" for entry in alternatives(finding))
    if finding.separating is not None:
        yield f"  to tell them apart, ask the engine for {finding.separating.literal[:100]}"


def _again(oracle: str, batch: Batch, mismatches: Mapping[str, Mismatch]) -> Iterator[tuple[str, str]]:
    """The way of the ids of each engine, step by step."""
    from tokparity.report.render.again import side_by_side

    found = {engine: results.rounds[-1] for engine, results in batch.results.items() if results.rounds}
    return side_by_side(oracle, found, {engine: wrong.difference.words for engine, wrong in mismatches.items()})


@dataclass(frozen=True)
class _Answers:
    """What the engines gave, where they departed from the oracle, and which could not be run."""

    seating: Seating
    batch: Batch
    mismatches: Mapping[str, Mismatch]
    unavailable: Mapping[str, str]


def _printed(args: Arguments, model: Model, case: AnyCase) -> _Answers:
    """Print the answers, and then the causes that were asked for: these take much longer."""
    from tokparity.session.judge import Judge
    from tokparity.session.panel import ASKED_AGAIN, EnginePanel
    from tokparity.session.seats import begin, seat

    before, together = list(_as_well(args, "--after", args.after)), [*_beside(args, case), case]
    pull_missing([model])
    begin(model, args.engine)
    seating = seat(model, args.engine)
    panel_of = partial(EnginePanel, timeout=60.0, lanes=1, patience=ASKED_AGAIN, meanwhile=seating.read)
    with panel_of(seating.one_by_one()) as engines:
        for asked_before in before:
            list(engines.results([[asked_before]], lambda: False))
        (batch,) = engines.results([together], lambda: False)
        judge = Judge(model.name, model.oracle, seating.source.vocabulary.pieces)
        differing = judge.mismatches(batch, seating.shown)
        mismatches = {found.engine: found for found in differing if found.case.origin is case.origin}
        answers = _Answers(seating, batch, mismatches, {**seating.unavailable, **engines.unavailable})
        _print(answers, model.oracle)
        if args.why and mismatches:
            _print_causes(model, answers, engines, judge)
        return answers


def _print_causes(model: Model, answers: _Answers, engines: EnginePanel, judge: Judge) -> None:
    from tokparity.doctor import file_faults
    from tokparity.session.why import why
    from tokparity.session.wrong_keys import mended_base

    flush()
    faults, _, changes = file_faults([model])
    wrong = faults, mended_base(model, changes)
    for engine, found in answers.mismatches.items():
        complain(f"looking for the cause: other texts are put to {engine}, which may take a minute")
        for finding in why(found, model, answers.seating, engines, judge, *wrong):
            for told in _told(finding):
                say(told)


def _print(answers: _Answers, oracle: str) -> None:
    from tokparity.report.render.text import side_by_side

    console = terminal(soft_wrap=not sys.stdout.isatty())
    batch, shows_steps = answers.batch, isinstance(answers.batch.cases[-1].question, Again)
    outcomes = {
        engine: results.outcome(len(batch.cases) - 1)
        for engine, results in batch.results.items()
        if engine in answers.seating.shown and not shows_steps
    }
    for step, color in _again(oracle, batch, answers.mismatches) if shows_steps else ():
        console.print(shown(step), style=color, markup=False, highlight=False)
    pieces = answers.seating.source.vocabulary.pieces
    for line in side_by_side(oracle, outcomes, answers.mismatches, pieces) if outcomes else ():
        console.print(line)
    for engine in answers.seating.shown:
        if engine in answers.unavailable:
            console.print(shown(f"{engine}: unavailable, {answers.unavailable[engine]}"), markup=False)


def main(args: Arguments) -> int:
    """Print what each engine gives and where it departs from the oracle, which makes the exit 1."""
    if args.chat is not None:
        words, without = [*args.words, args.chat], {"template": None, "templates": (), "json": False}
        return chat.main(Arguments(words=words, engine=args.engine, verbose=args.verbose, **without))
    arguments.check_engines(args.engine)
    named, (word,) = arguments.one_model(args, texts=1)
    answers = _printed(args, named.model, Case(_question(args, word), Origin("given", "command line")))
    for engine in (*args.engine, named.model.oracle):
        if engine in answers.unavailable:
            raise EngineError(f"engine {engine!r} could not be run: {answers.unavailable[engine]}")
    return DIFFERENT if answers.mismatches else 0
