"""`tokparity replay`: compares recorded answers of an engine with those of an engine of today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, compare, options
from tokparity.cli.arguments import Arguments
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.engines.outcomes_file import Recorded

HELP = "Compare an engine of today with a recording of its answers"
SECTION = "Find differences"
EXAMPLES = ("tokparity replay old.parquet", "tokparity replay old.parquet tokenizers gpt-2")
EXIT_1 = "a difference is new, gone or changed"
_MORE = {
    "corpus": "a corpus or a file whose texts are put as well (again for more)",
    "cases": "random texts per model, beside what was recorded (default: 0)",
}
"""What options mean here: all that was recorded is put in any case."""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity replay`."""
    own = [parameter for parameter in compare.parameters() if parameter.name != "words"]
    words = options.Words(
        "FILE [ENGINE] [MODEL]...",
        "a file of `tokparity record`, the engine of today (none: the recorded one as it is installed), and models "
        "(none: those recorded)",
    )
    for parameter in own:
        if isinstance(parameter, click.Option) and parameter.name in _MORE:
            parameter.help = _MORE[parameter.name]
    return [words, *own]


def main(args: Arguments) -> int:
    """As `compare replay:FILE ENGINE`, on all that was recorded; on --cases and --corpus only where they are given."""
    from tokparity.engines.outcomes_file import needs_pyarrow, recorded_in

    if not args.words:
        raise UsageError("no recording", "name one: tokparity replay FILE.parquet [ENGINE] [MODEL]...")
    path, *words = args.words
    needs_pyarrow(Path(path))
    recorded = recorded_in(Path(path))
    engine, models = (words[0], words[1:]) if words else (_today(recorded, path), [])
    args.words = models or _models(recorded, args, ["tokparity", "replay", path, engine])
    args.seed = args.seed or recorded.seed
    args.cases = args.cases or 0
    return compare.engines_compared(args, f"replay:{path}", engine, recorded=True)


def _today(recorded: Recorded, path: str) -> str:
    """The engine as it is installed here: its name without a version."""
    from tokparity.engines import engine_name
    from tokparity.models.trusted import engine_of_file

    word = engine_of_file(recorded.engine, path, ["tokparity", "replay", path])
    return str(replace(engine_name.parse(word), version=""))


def _models(recorded: Recorded, args: Arguments, command: Sequence[str]) -> list[str]:
    """The models that were recorded: known ones, and those of the user's own list."""
    from tokparity.models.trusted import model_of_file

    own = arguments.repository(args)
    return [model_of_file([name], args.words[0], command, own) for name in recorded.models]
