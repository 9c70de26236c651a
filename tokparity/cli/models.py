"""`tokparity models`: lists the known models and downloads their files."""

from __future__ import annotations

import click

from tokparity.cli import options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import row, say
from tokparity.cli.pulling import pull_known, pull_missing
from tokparity.errors import UsageError

HELP = "List the known models, or pull their files into the cache"
SECTION = "Lists"
EXAMPLES = ("tokparity models", "tokparity models pull", "tokparity models pull gpt-2 llama-spm")
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity models`."""
    return [
        options.Words("[list|pull [MODEL]...]", "list (the default), or pull and the names of models (none: all)"),
    ]


def main(args: Arguments) -> int:
    """List or pull."""
    from tokparity import models

    what, *names = args.words or ["list"]
    if what not in ("list", "pull"):
        raise UsageError(f"models can list and pull, not {what!r}", "see `tokparity models --help`")
    chosen = [models.resolve(name) for name in names] or [models.load(name) for name in models.names()]
    if what == "pull":
        pulled, lost = (pull_missing(chosen), {}) if names else pull_known(chosen)
        say(f"{pulled} files pulled, {len(chosen) - len(lost)} models are here")
        return 0
    width = max((len(model.name) for model in chosen), default=0)
    for model in chosen:
        obstacle = next((file.archive.obstacle for file in model.missing), "")
        away = "unavailable" if obstacle else "to be pulled" if model.missing else "not here"
        state = "here" if model.is_here else away
        told = f"  ({obstacle})" if obstacle else ""
        row(f"{model.name:{width}}  ", f"{state:12}  oracle {model.oracle:14}  {', '.join(model.sources)}{told}")
    return 0
