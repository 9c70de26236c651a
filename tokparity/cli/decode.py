"""`tokparity decode`: the text that one engine makes of ids."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tokparity.cli import arguments
from tokparity.cli.asking import batched, failure_line, opened
from tokparity.errors import EngineError, FormatError, UsageError
from tokparity.questions.json_text import literal

HELP = "texts of ids, as one JSON string per line"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what decode takes."""
    arguments.add_words(parser, "MODEL -", 'a model and "-": one JSON array of ids per line on standard input')
    parser.add_argument("--engine", required=True, metavar="E")
    parser.add_argument("--keep-special", action="store_true", help="show special tokens in the text")
    arguments.add_model_files(parser)


def main(args: argparse.Namespace) -> int:
    """Print the text of each row of ids; a row without a text is a JSON object that says why, and makes the exit 3."""
    from tokparity.engines.buffers import Ids

    arguments.check_engines([args.engine])
    named, (word,) = arguments.one_model(args, texts=1)
    if word != "-":
        raise UsageError(f"decode reads ids from standard input, not {word!r}", "write - and pipe a JSON array into it")
    failed = 0
    with opened(named, args.engine) as client:
        able = client.capabilities.skip_special
        # An engine that cannot leave special tokens out shows them; asked for what it cannot do, it says so.
        skip = not args.keep_special if args.keep_special or True in able else False
        for batch in batched(_rows()):
            results = client.decode(Ids.from_list(batch), skip)
            for index, text in enumerate(results.decoded.to_list() if results.decoded is not None else []):
                failure = results.failed.get(index)
                failed += failure is not None
                print(literal(text) if failure is None else failure_line(failure))
    if failed:
        raise EngineError(f"{args.engine} gave no text for {failed} of the rows", "their lines say why")
    return 0


def _rows() -> Iterator[list[int]]:
    for number, line in arguments.lines_of_input():
        try:
            yield arguments.ids_of(line)
        except FormatError as error:
            raise FormatError(f"standard input line {number}: {error.message}", error.hint) from error
