"""`tokparity loader`: what AutoTokenizer makes of a tokenizer.json, by class, model type and version."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tokparity.cli import options, running
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import complain, flush, row, say, shown, terminal
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.errors import CannotExpressError, EngineError, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from tokparity.loader.table import Cell
    from tokparity.models import Model

HELP = "Compare AutoTokenizer with the tokenizer.json below it, by class, type and version"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity loader small-bpe",
    "tokparity loader llama-bpe --version 4.57.6 --version 5.3.0 --out loader",
)
EXIT_1 = "a configuration returns other ids, or another text, than the raw file"
_CASES = 400


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity loader`."""
    return [
        options.models("known models, files, directories; none: all known models"),
        options.Option(
            "--version",
            multiple=True,
            metavar="V",
            help="a version of transformers, in an environment of its own (again for more; none: the installed one)",
        ),
        options.Option(
            "--cases",
            callback=options.count,
            default=_CASES,
            metavar="N",
            help=f"number of random texts for each configuration (default: {_CASES})",
        ),
        options.Option("--seed", callback=options.whole, default=0, metavar="S", help="seed of the random texts"),
        options.Option("--out", type=options.path(), metavar="DIR", help="write index.html, loader.csv, loader.jsonl"),
        *options.model_files(),
    ]


def main(args: Arguments) -> int:
    """Print a line for each configuration and version of transformers, then a table; 1 if any gives other ids."""
    from tokparity.engines.environment.versions import public
    from tokparity.loader.files import FILES, write
    from tokparity.loader.table import Limits, cells_of

    versions = list(dict.fromkeys(public(version, "transformers") for version in args.version)) or [""]
    named = running.models_of(args)
    if args.out:
        _make(args)
    named, _ = running.fetched(named, args.words)
    words = {name.model.name: " ".join(name.words) for name in named}
    cells = []

    def leave_out(model: Model, error: CannotExpressError) -> None:
        """Of all known models, one that cannot be written as a tokenizer.json is left out; a named one is an error."""
        if args.words:
            raise error
        complain(f"{model.name} is left out: {error}")

    for cell in cells_of([name.model for name in named], versions, Limits(args.cases, args.seed), leave_out):
        cells.append(cell)
        _tell(cell, words[cell.model])
    console = terminal(width=None if sys.stdout.isatty() else 200)
    for model in dict.fromkeys(cell.model for cell in cells):
        console.print(_matrix([cell for cell in cells if cell.model == model], model))
    if args.out:
        write(cells, args.out)
        say(" ".join(str(args.out / name) for name in FILES))
    return _code(cells)


def _make(args: Arguments) -> None:
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to --out {str(args.out)!r}: {error.strerror}", "choose another") from error


def _code(cells: Sequence[Cell]) -> int:
    """What it comes to; EngineError where nothing could be loaded."""
    if all(cell.verdict == "refuses" for cell in cells):
        refused = cells[0].words if cells else "there is no configuration for it"
        raise EngineError(f"no configuration could be loaded: {refused}"[:400], "see the lines above")
    return DIFFERENT if any(cell.verdict == "differs" for cell in cells) else 0


def _tell(cell: Cell, words: str) -> None:
    """One cell, in a few lines."""
    from tokparity.loader.files import shown as answer

    told: str = cell.verdict
    if cell.smallest is not None:
        causes = f": {'; '.join(cell.causes)}" if cell.causes else ""
        told = f"differs on {cell.different:,} of {cell.compared:,} texts ({cell.share:.1%}){causes}"
    elif cell.verdict == "equal":
        told = f"equal on {cell.compared:,} texts"
    row(f"{cell.model}  ", f"{cell.engine}: {told}{': ' if cell.words else ''}{cell.words[:300]}")
    if cell.smallest is not None:
        say(f"    {cell.smallest.case.question.literal[:120]}: {answer(cell.smallest.actual)[:160]}")
        say(f"    the raw file: {answer(cell.smallest.expected)[:160]}")
        for sentence in cell.rebuilt.sentences:
            say(f"    {sentence}")
        say(f"    {cell.command(words)}"[:400])
    flush()


def _matrix(cells: Sequence[Cell], model: str) -> Table:
    """Configurations by versions."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    versions = list(dict.fromkeys(cell.version for cell in cells))
    found = Table(box=box.SIMPLE_HEAD, title=shown(model), title_justify="left")
    for head in ("configuration", *versions, "seen in"):
        found.add_column(Text(shown(head)), overflow="fold")
    for configuration in dict.fromkeys(cell.configuration for cell in cells):
        here = {cell.version: cell for cell in cells if cell.configuration == configuration}
        entries = [_entry(here.get(version)) for version in versions]
        found.add_row(Text(shown(str(configuration))), *entries, Text(shown(configuration.seen)))
    return found


def _entry(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.verdict == "differs":
        return f"[red]differs {cell.share:.1%}[/red]"
    return "[green]equal[/green]" if cell.verdict == "equal" else "[yellow]refuses[/yellow]"
