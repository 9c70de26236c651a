"""`tokparity quirks`: the catalog of known ways in which tokenizers differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from tokparity.cli import completion, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import document, row, say
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.quirk import Quirk, Witness

HELP = "List the known quirks of tokenizers, or show one at work"
SECTION = "Lists"
EXAMPLES = ("tokparity quirks", "tokparity quirks greedy_longest_match")
EXIT_1 = ""
_WIDTH = 80


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity quirks`."""
    return [
        options.Words("[NAME]", "a quirk to show; without it all are listed", shell_complete=completion.quirks),
        options.Option("--markdown", is_flag=True, help="the whole catalog as the page in tokparity/quirks"),
    ]


_SOURCE_DIFFERS = (
    "source_differs is not a quirk: the engine obeys its file, and that file does not say what the file of "
    "the model's oracle says. `tokparity doctor FILE.gguf --against SOURCE` names the keys, and writes the file "
    "repaired; `tokparity lint A B` lists every difference."
)


def main(args: Arguments) -> int:
    """Print the catalog by field, or one quirk with its witness run live."""
    from tokparity import quirks
    from tokparity.quirk import SOURCE_DIFFERS
    from tokparity.report.render.catalogue import catalogue

    if args.markdown:
        document(catalogue((*quirks.all_quirks(), *quirks.of_streams(), *quirks.of_spans(), *quirks.of_prompts())))
        return 0
    if len(args.words) > 1:
        raise UsageError(f"expected one quirk, found {len(args.words)}: {args.words!r:.80}", "name one, or none")
    if not args.words:
        _list((*quirks.all_quirks(), *quirks.of_streams(), *quirks.of_spans(), *quirks.of_prompts()))
        return 0
    if args.words[0] == SOURCE_DIFFERS:
        for line in wrap(_SOURCE_DIFFERS, _WIDTH):
            say(line)
        return 0
    for line in _one(quirks.get(args.words[0])):
        say(line)
    return 0


def _list(found: tuple[Quirk, ...]) -> None:
    """Print the names and titles, by the field of the behavior."""
    by_field = sorted(found, key=lambda quirk: quirk.field)
    width = max(len(quirk.name) for quirk in found)
    for field, group in groupby(by_field, key=lambda quirk: quirk.field):
        say(f"{field}:")
        for quirk in group:
            row(f"  {quirk.name:{width}}  ", quirk.title)
    say(f"{len(found)} quirks; `tokparity quirks NAME` shows one at work")


def _one(quirk: Quirk) -> Iterator[str]:
    yield f"{quirk.name}: {quirk.title}"
    for label in ("symptom", "cause", "fix"):
        yield from wrap(f"{label.capitalize()}: {getattr(quirk, label)}", _WIDTH, subsequent_indent="  ")
    yield f"Field: {quirk.field}"
    for link in quirk.links:
        yield f"See: {link}"
    if quirk.witness is not None:
        yield ""
        yield from _at_work(quirk, quirk.witness())


def _at_work(quirk: Quirk, witness: Witness) -> Iterator[str]:
    from tokparity.errors import AbortedError
    from tokparity.questions.json_text import literal
    from tokparity.reference.tokenizer import Tokenizer
    from tokparity.report.render.visible import plain

    behaviours = witness.behaviour, quirk.flip(witness.behaviour)
    tokenizers = [Tokenizer(witness.vocabulary, behaviour) for behaviour in behaviours]
    yield f"On a toy model, {literal(witness.text)} gives"
    try:
        rows = [t.encode(witness.text, witness.add_special, witness.parse_special) for t in tokenizers]
        decoded = [tokenizer.decode(ids) for tokenizer, ids in zip(tokenizers, rows, strict=True)]
    except AbortedError as error:
        yield f"> with it: {error.message}"
        return
    yield f"  {'without it':28}with it"
    pieces = witness.vocabulary.pieces
    for pair in zip_longest(*rows):
        cells = ["" if i is None else f"{i:5} {plain(pieces[i])}" for i in pair]
        yield f"{' ' if pair[0] == pair[1] else '>'} {cells[0]:28}{cells[1]}".rstrip()
    for name, text in zip(("without", "with"), decoded, strict=True):
        yield f"Decoded {name} it: {literal(text)}"
