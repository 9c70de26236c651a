"""`tokparity replay`: what an engine gave once, before an engine of today."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokparity.cli import compare, options, record
from tokparity.cli.arguments import Arguments
from tokparity.errors import TokparityError, UsageError

if TYPE_CHECKING:
    from tokparity.engines.outcomes_file import Recorded

HELP = "Put the questions of a recording again: does an engine still give what was recorded?"
SECTION = "Find differences"
EXAMPLES = ("tokparity replay old.parquet", "tokparity replay old.parquet tokenizers gpt-2")
EXIT_1 = "something is new, gone or changed"


def parameters() -> list[click.Parameter]:
    """Declare what replay takes."""
    own = [parameter for parameter in compare.parameters() if parameter.name != "words"]
    words = options.Words(
        "FILE [ENGINE] [MODEL]...",
        "a file of `tokparity record`, the engine of today (none: the recorded one as it is installed), and models "
        "(none: those recorded)",
    )
    return [words, *own]


def main(args: Arguments) -> int:
    """As `compare replay:FILE ENGINE`, with the questions that were recorded."""
    from tokparity.engines.outcomes_file import needs_pyarrow, recorded_in

    if not args.words:
        raise UsageError("no recording", "name one: tokparity replay FILE.parquet [ENGINE] [MODEL]...")
    path, *words = args.words
    needs_pyarrow(Path(path))
    recorded = recorded_in(Path(path))
    engine, models = (words[0], words[1:]) if words else (_today(recorded), [])
    args.words = [f"replay:{path}", engine, *(models or recorded.models)]
    _ask_again(args, recorded)
    return compare.main(args)


def _today(recorded: Recorded) -> str:
    """The engine as it is installed here: its name without a version."""
    return re.sub(r"@[^\[]*", "", recorded.engine)


def _ask_again(args: Arguments, recorded: Recorded) -> None:
    """Fill in what the recording was made with, where nothing else is said."""
    from tokparity.sources import corpus

    asked = _options(recorded)
    args.seed = args.seed or recorded.seed
    args.cases = asked["cases"] if args.cases is None else args.cases
    if not args.corpus:
        own = [name for name in asked["corpus"] if name not in corpus.names()]
        if own:  # a recording may come from anywhere: it does not say which files of this machine are read
            raise UsageError(f"it was recorded with the corpus {own[0]!r}", f"give it: --corpus {own[0]}")
        args.corpus = list(asked["corpus"])


def _options(recorded: Recorded) -> dict[str, Any]:
    """The options of the command that made the recording."""
    words = list(recorded.command)
    words = words[words.index("record") + 1 :] if "record" in words else []
    try:
        found = click.Command("record", params=record.parameters()).make_context("record", words)
    except (click.ClickException, TokparityError):  # written by another version
        return {"cases": None, "corpus": ()}
    return {name: found.params[name] for name in ("cases", "corpus")}
