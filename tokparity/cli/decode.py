"""`tokparity decode`: the text that one engine decodes from ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.asking import batched, failure_line, opened
from tokparity.cli.console import flush_to_reader, say
from tokparity.errors import EngineError, FormatError
from tokparity.questions.json_text import literal

HELP = "Decode ids to text, as one JSON string a line"
SECTION = "Look at one tokenizer"
EXAMPLES = (
    "tokparity decode small-spm '[1, 260, 271]'",
    'tokparity encode small-bpe "a b" | tokparity decode small-bpe -',
)
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity decode`."""
    return [
        options.Words("MODEL IDS", 'a model and a JSON array of ids; "-" reads one array per line from standard input'),
        *options.engine("the engine (default: the model's oracle)"),
        options.Option("--keep-special", is_flag=True, help="show special tokens in the text"),
        *options.model_files(),
    ]


def main(args: Arguments) -> int:
    """Print the text of each row of ids; a row without a text is a JSON object that says why, and makes the exit 3."""
    from tokparity.engines.buffers import Ids

    arguments.check_engines([args.engine] if args.engine else [])
    named, (word,) = arguments.one_model(args, texts=1)
    rows: Iterable[list[int]] = _rows() if word == "-" else [arguments.ids_of(word)]
    engine = args.engine or named.model.oracle
    failed = 0
    with opened(named, engine) as client:
        able = client.capabilities.skip_special
        # An engine that cannot leave special tokens out shows them; asked for what it cannot do, it says so.
        skip = not args.keep_special if args.keep_special or True in able else False
        for batch in batched(rows):
            results = client.decode(Ids.from_list(batch), skip)
            for index, text in enumerate(results.decoded.to_list() if results.decoded is not None else []):
                failure = results.failed.get(index)
                failed += failure is not None
                say(literal(text) if failure is None else failure_line(failure))
            flush_to_reader()
    if failed:
        raise EngineError(
            f"{engine} returned no text for {failed} of the rows of ids", "the lines of these rows say why"
        )
    return 0


def _rows() -> Iterator[list[int]]:
    for number, line in arguments.lines_of_input():
        try:
            yield arguments.ids_of(line)
        except FormatError as error:
            raise FormatError(f"standard input line {number}: {error.message}", error.hint) from error
