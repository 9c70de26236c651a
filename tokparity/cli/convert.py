"""`tokparity convert`: a tokenizer written in another format, and read again to see that nothing was lost."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli import arguments
from tokparity.errors import UsageError
from tokparity.questions.json_text import plain

if TYPE_CHECKING:
    from tokparity.formats import Source

HELP = "write a tokenizer in another format; what that format cannot express is an error"
DIFFERENT = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what convert takes."""
    arguments.add_words(parser, "SOURCE", "a file, a directory, or the name of a known model")
    parser.add_argument("--to", required=True, metavar="FORMAT", help="gguf, sentencepiece, tokenizer.json or tiktoken")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FILE", help="where to write it")


def main(args: argparse.Namespace) -> int:
    """Write the file and say what came of it; exit 1 if what was written reads differently."""
    from tokparity import formats
    from tokparity.lint import lint

    if len(args.words) != 1:
        raise UsageError(f"convert takes one source, found {len(args.words)}", "see `tokparity convert --help`")
    source = _source(args.words[0])
    if args.output.exists() and args.output.samefile(source.path):
        raise UsageError(f"{str(args.output)!r} is the source itself", "choose another -o")
    formats.write(source, args.to, args.output)
    print(f"{args.output}: {args.to}, {len(source.vocabulary)} pieces, from {source.path} ({source.format})")
    # What differs in the spelling and on no text (an id that nothing adds) is what the format has no place for.
    shown = [one for one in lint(source, formats.read(args.output, args.to)).differences if one.case is not None]
    for one in shown:
        print(plain(f"{one.difference.part}: {one.difference.what}; likely effect: {one.difference.effect}"))
    if not shown:
        print("read again: the same ids on every text that was tried")
    return DIFFERENT if shown else 0


def _source(word: str) -> Source:
    from tokparity import formats, models

    if not Path(word).exists() and word in models.names():
        return models.primary_source(models.resolve(word))
    return formats.read(word)
