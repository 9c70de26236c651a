"""`tokparity convert`: writes a tokenizer in another format, and reads it again to check that nothing was lost."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import say
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.formats import Source
    from tokparity.report.rule import Facts

HELP = "Write a tokenizer in another format; what the format cannot express is an error"
SECTION = "Files"
EXAMPLES = ("tokparity convert tokenizer.model --to gguf -o vocabulary.gguf",)
EXIT_1 = "the written file reads differently"
_FORMATS = "gguf, sentencepiece, tokenizer.json or tiktoken; directory: of a named model, what transformers is given"
_IN_DIRECTORY = ("tokenizer.json", "tokenizer_config.json", "config.json")


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity convert`."""
    return [
        options.Words("SOURCE", "a file, a directory, the name of a known model, or hf:NAME"),
        options.Option("--to", required=True, metavar="FORMAT", help=_FORMATS),
        options.Option("-o", "--output", required=True, type=options.path(), metavar="FILE", help="where to write it"),
    ]


def main(args: Arguments) -> int:
    """Write the file and say what came of it; exit 1 if what was written reads differently."""
    from tokparity import formats
    from tokparity.formats import beside
    from tokparity.report.rule import SENTENCES, judge

    if len(args.words) != 1:
        raise UsageError(f"convert takes one source, found {len(args.words)}", "see `tokparity convert --help`")
    if args.to == "directory":
        return _directory(args.words[0], args.output)
    source = arguments.source(args.words[0])
    if args.output.exists() and args.output.samefile(source.path):
        raise UsageError(f"{str(args.output)!r} is the source itself", "choose another -o")
    if args.to == "gguf":
        source = beside.as_configured(source)
    formats.write(source, args.to, args.output)
    say(f"{args.output}: {args.to}, {len(source.vocabulary)} pieces, from {source.path} ({source.format})")
    for other in formats.companions(source, args.to, args.output):
        say(f"{other}: written beside it, with what {args.to} cannot express")
    for key in source.disputed if args.to == "gguf" else ():
        say(f"{key} is written as converters do: {beside.told(source, key)}")
    facts = _read_again(source, args.to, args.output)
    found = judge(facts)
    say(SENTENCES["read again"] if found.answer == "right" else found.sentence)
    if facts.known:
        say(facts.known)
    return found.exit_code


def _read_again(source: Source, format: str, path: Path) -> Facts:
    """What `check` would find in the file that was written: wrong keys, and differences that a text shows."""
    from tokparity import formats
    from tokparity.doctor import changes
    from tokparity.lint import lint
    from tokparity.report.rule import Facts

    keys = changes(path, source) if format == "gguf" else []
    stated = replace(source, assumed=frozenset(), disputed={})  # what was written says all that was read
    # What differs in the spelling and on no text (an id that nothing adds) is what the format has no place for.
    found = lint(stated, formats.read(path, format)).differences
    told = [f"{one.difference.part}: {one.difference.what}; likely effect: {one.difference.effect}." for one in found]
    shown = tuple(told[i] for i, one in enumerate(found) if one.case is not None)
    open_ones = " ".join(told[i] for i, one in enumerate(found) if one.difference.unsaid)
    return Facts(keys=[change.fault("", path, source.path) for change in keys], findings=shown, known=open_ones)


def _directory(word: str, folder: Path) -> int:
    """Write a new folder with the tokenizer.json and the configuration that the engine transformers opens."""
    from tokparity.models.prepare import DIRECTORY, prepare

    prepared = prepare(arguments.model(word), (DIRECTORY,)).path
    try:
        folder.mkdir()
        for name in _IN_DIRECTORY:
            if (prepared / name).is_file():
                shutil.copyfile(prepared / name, folder / name)
    except OSError as error:
        raise UsageError(f"can't write {str(folder)!r}: {error.strerror}", "name a new folder with -o") from error
    say(f"{folder}: what AutoTokenizer is given for {word}")
    return 0
