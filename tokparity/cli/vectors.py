"""`tokparity vectors`: for each model one JSON file of test vectors, for runners in any language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import complain, say
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.cli.pulling import pull_missing
from tokparity.errors import FormatError, UsageError

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.vectors.make import Made
    from tokparity.vectors.model import Vectors

HELP = "Write test vectors of a model: texts, the right ids, and the wrong ids that each known fault gives"
SECTION = "Files"
EXAMPLES = ("tokparity vectors small-spm -o vectors", "tokparity vectors gpt-2 llama-spm --cases 200")
EXIT_1 = "with --check: a file is stale"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity vectors`."""
    return [
        options.Words("MODEL ...", "known models, files, directories, or hf:NAME"),
        options.Option(
            "-o",
            "--output",
            type=options.path(),
            default=Path(),
            metavar="DIR",
            help="the directory for MODEL.vectors.json (default: the current one)",
        ),
        options.Option(
            "--cases", callback=options.count, metavar="N", help="cases of a model at most (default and most: 600)"
        ),
        options.Option(
            "--check", is_flag=True, help="write nothing; say what is stale in the files that are there, and exit 1"
        ),
        *options.model_files(),
    ]


def main(args: Arguments) -> int:
    """Make the vectors of each model and write them; what was left out is said."""
    from tokparity.vectors.file import SUFFIX, write
    from tokparity.vectors.make import CASES, make

    cases = CASES if args.cases is None else min(args.cases, CASES)
    if not cases:
        raise UsageError("--cases is 0, so the file would be empty", "give a number from 1 to 600")
    chosen = _models(args)
    pull_missing(chosen)
    if not args.check:
        _make_directory(args.output)
    stale = False
    for model in chosen:
        path = args.output / f"{model.name}{SUFFIX}"
        made = make(model, cases, complain)
        if args.check:
            stale |= _is_stale(made, path)
            continue
        write(made.vectors, path)
        for line in _told(made, path):
            say(line)
    return DIFFERENT if stale else 0


def _is_stale(made: Made, path: Path) -> bool:
    """Whether the file would be written with other texts, answers or faults now; what has changed is said."""
    from tokparity.vectors.file import read
    from tokparity.vectors.stale import changes

    changed = list(changes(read(path), made.vectors))
    if not changed:
        say(f"{path}: the texts, answers and faults are those that would be written now")
        return False
    say(f"{path} is stale; `tokparity vectors {made.vectors.model} -o {path.parent}` writes it again")
    for line in changed:
        say(f"  {line}")
    return True


def _models(args: Arguments) -> Sequence[Model]:
    given = arguments.from_files(args)
    own = arguments.repository(args)
    words = [options.on_hub_if_online(word, args.online) for word in args.words]
    found = [*([given] if given else []), *(arguments.named_model(word, own) for word in words)]
    if not found:
        raise UsageError("vectors takes the name of a model", "see `tokparity vectors --help`")
    return [named.model for named in found]


def of_these_files(vectors: Vectors, model: Model, path: Path) -> None:
    """Raise FormatError where the vectors were made of other files than those of the model."""
    from tokparity.models.cache import sha256

    ours = {source.name: sha256(source) for source in model.sources.values()}
    if not set(ours.values()) & set(vectors.sources.values()):
        raise FormatError(
            f"{str(path)!r} was made of other files than those of {model.name}",
            f"make it again: `tokparity vectors {model.name}`",
        )


def _make_directory(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the directory {str(folder)!r}: {error.strerror}", "choose another -o") from error


def _told(made: Made, path: Path) -> Iterator[str]:
    """How many cases and faults the file has, and what was left out."""
    vectors = made.vectors
    faults = sum(1 + len(fault.alike) for part in vectors.parts for fault in part.faults.values())
    yield f"{path}: {vectors.size} cases show {faults} faults; answered by {vectors.oracle}"
    if made.alone:
        yield f"  {made.alone} cases cannot be put to the oracle; the reference alone answered them"
    if made.disputed:
        yield f"  {made.disputed} questions were left out: the oracle and the reference give different answers"
