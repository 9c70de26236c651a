"""`tokparity explain`: what the reference does with a text, step by step."""

from __future__ import annotations

import json

import click

from tokparity.cli import arguments, completion, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import say
from tokparity.cli.pulling import pull_missing

HELP = "Show how the reference tokenizer encodes a text, step by step"
SECTION = "Look at one tokenizer"
EXAMPLES = (
    'tokparity explain small-unigram "What is LoRA?"',
    "tokparity explain small-spm 'a  b' --quirk collapses_spaces",
)
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity explain`."""
    return [
        options.Words("MODEL TEXT", 'a model and a text; "-" reads it as one line of JSON from standard input'),
        options.Option(
            "--quirk",
            multiple=True,
            metavar="NAME",
            help="explain the reference with this quirk (again for more)",
            shell_complete=completion.quirks,
        ),
        options.Option("--json", is_flag=True, help="one JSON object per step, for programs"),
        *options.flags(),
        *options.model_files(),
    ]


def main(args: Arguments) -> int:
    """Print the steps."""
    from tokparity import models, quirks
    from tokparity.reference.explain import explain, lines
    from tokparity.reference.tokenizer import Tokenizer

    named, (word,) = arguments.one_model(args, texts=1)
    pull_missing([named.model])
    source = models.primary_source(named.model)
    behaviour = quirks.flip_all((quirks.get(name) for name in args.quirk), source.behaviour)
    tokenizer = Tokenizer(source.vocabulary, behaviour)
    steps = explain(tokenizer, arguments.text_of(word), not args.no_special, args.parse_special)
    if args.json:
        for step in steps:
            say(json.dumps({"step": step.name, **step.data}))
    else:
        for line in lines(steps):
            say(line)
    return 0
