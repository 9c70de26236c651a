"""`tokparity convert`: a tokenizer written in another format, and read again to see that nothing was lost."""

from __future__ import annotations

import click

from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import say
from tokparity.errors import UsageError

HELP = "write a tokenizer in another format; what that format cannot express is an error"
SECTION = "Files"
EXAMPLES = ("tokparity convert tokenizer.model --to gguf -o vocabulary.gguf",)
EXIT_1 = "what was written reads differently"
DIFFERENT = 1


def parameters() -> list[click.Parameter]:
    """Declare what convert takes."""
    return [
        options.Words("SOURCE", "a file, a directory, the name of a known model, or hf:NAME"),
        options.Option("--to", required=True, metavar="FORMAT", help="gguf, sentencepiece, tokenizer.json or tiktoken"),
        options.Option("-o", "--output", required=True, type=options.path(), metavar="FILE", help="where to write it"),
    ]


def main(args: Arguments) -> int:
    """Write the file and say what came of it; exit 1 if what was written reads differently."""
    from tokparity import formats
    from tokparity.lint import lint

    if len(args.words) != 1:
        raise UsageError(f"convert takes one source, found {len(args.words)}", "see `tokparity convert --help`")
    source = arguments.source(args.words[0])
    if args.output.exists() and args.output.samefile(source.path):
        raise UsageError(f"{str(args.output)!r} is the source itself", "choose another -o")
    formats.write(source, args.to, args.output)
    say(f"{args.output}: {args.to}, {len(source.vocabulary)} pieces, from {source.path} ({source.format})")
    # What differs in the spelling and on no text (an id that nothing adds) is what the format has no place for.
    shown = [one for one in lint(source, formats.read(args.output, args.to)).differences if one.case is not None]
    for one in shown:
        say(f"{one.difference.part}: {one.difference.what}; likely effect: {one.difference.effect}")
    if not shown:
        say("read again: the same ids on every text that was tried")
    return DIFFERENT if shown else 0
