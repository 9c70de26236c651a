"""`tokparity explain`: what the reference did with a text, step by step."""

from __future__ import annotations

import argparse
import json

from tokparity.cli import arguments
from tokparity.cli.pulling import pull_missing

HELP = "what the reference did with a text, step by step"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what explain takes."""
    arguments.add_words(
        parser, "MODEL TEXT", 'a model and a text; "-" reads it as one line of JSON from standard input'
    )
    parser.add_argument(
        "--quirk", action="append", default=[], metavar="NAME", help="explain a deviant: with this quirk"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per step, for programs")
    arguments.add_flags(parser)
    arguments.add_model_files(parser)


def main(args: argparse.Namespace) -> int:
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
            print(json.dumps({"step": step.name, **step.data}))
    else:
        for line in lines(steps):
            print(line)
    return 0
