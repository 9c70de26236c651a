"""`tokparity models`: the known models, and fetching their files."""

from __future__ import annotations

import argparse

from tokparity.cli import arguments
from tokparity.cli.pulling import pull_missing
from tokparity.errors import UsageError

HELP = "list the known models, or pull their files into the cache"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what models takes."""
    arguments.add_words(parser, "list|pull", "list (the default), or pull and the names of models (none: all)")


def main(args: argparse.Namespace) -> int:
    """List or pull."""
    from tokparity import models

    what, *names = args.words or ["list"]
    if what not in ("list", "pull"):
        raise UsageError(f"models can list and pull, not {what!r}", "see `tokparity models --help`")
    chosen = [models.resolve(name) for name in names] or [models.load(name) for name in models.names()]
    if what == "pull":
        pulled = pull_missing(chosen)
        print(f"{pulled} files pulled, {len(chosen)} models are here")
        return 0
    width = max((len(model.name) for model in chosen), default=0)
    for model in chosen:
        state = "here" if model.is_here else "to be pulled" if model.missing else "not here"
        print(f"{model.name:{width}}  {state:12}  oracle {model.oracle:14}  {', '.join(model.sources)}")
    return 0
