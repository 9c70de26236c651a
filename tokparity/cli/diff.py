"""`tokparity diff`: one text before all engines, side by side."""

from __future__ import annotations

import sys

import click

from tokparity.case import Case, Origin
from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import shown
from tokparity.cli.pulling import pull_missing
from tokparity.errors import EngineError
from tokparity.questions import Decode, Encode, Question

HELP = "My engine gives other ids, why? One text before all engines, side by side"
SECTION = "Three questions"
EXAMPLES = (
    'tokparity diff small-bpe "naïve café"',
    "tokparity diff small-spm --engine llama.cpp --no-special -- '-1 + 1'",
)
EXIT_1 = "an engine differs from the model's oracle"
DIFFERENT = 1


def parameters() -> list[click.Parameter]:
    """Declare what diff takes."""
    return [
        options.Words("MODEL TEXT", 'a model and a text; "-" reads it as one line of JSON from standard input'),
        *options.engines(),
        *options.flags(),
        options.Option("--ids", is_flag=True, help="TEXT is a JSON array of ids, to be decoded"),
        options.Option("--keep-special", is_flag=True, help="with --ids: show special tokens in the text"),
        *options.model_files(),
    ]


def _question(args: Arguments, word: str) -> Question:
    if not args.ids:
        return Encode(arguments.text_of(word), not args.no_special, args.parse_special)
    return Decode(tuple(arguments.ids_of(word)), not args.keep_special)


def main(args: Arguments) -> int:
    """Print what each engine gives and where it departs from the oracle, which makes the exit 1."""
    from rich.console import Console

    from tokparity.report.render.text import side_by_side
    from tokparity.session.judge import Judge
    from tokparity.session.panel import EnginePanel
    from tokparity.session.seats import seat

    arguments.check_engines(args.engine)
    named, (word,) = arguments.one_model(args, texts=1)
    case = Case(_question(args, word), Origin("given", "command line"))
    pull_missing([named.model])
    seating = seat(named.model, args.engine)
    with EnginePanel(seating.seats, timeout=60.0) as engines:
        (batch,) = engines.results([[case]], lambda: False)
        judge = Judge(named.model.name, named.model.oracle, seating.source.vocabulary.pieces)
        mismatches = {found.engine: found for found in judge.mismatches(batch, seating.shown)}
        unavailable = {**seating.unavailable, **engines.unavailable}
    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
    outcomes = {engine: results.outcome(0) for engine, results in batch.results.items() if engine in seating.shown}
    for line in side_by_side(named.model.oracle, outcomes, mismatches, seating.source.vocabulary.pieces):
        console.print(line)
    for engine in seating.shown:
        if engine in unavailable:
            console.print(shown(f"{engine}: unavailable, {unavailable[engine]}"), markup=False)
    for engine in (*args.engine, named.model.oracle):
        if engine in unavailable:
            raise EngineError(f"engine {engine!r} could not be run: {unavailable[engine]}")
    return DIFFERENT if mismatches else 0
