"""`tokparity encode`: the ids that one engine returns for texts."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.asking import batched, failure_line, opened
from tokparity.cli.console import flush_to_reader, say
from tokparity.errors import EngineError

HELP = "Encode a text to ids, as one JSON array a line"
SECTION = "Look at one tokenizer"
EXAMPLES = (
    'tokparity encode small-spm "The capital of France is"',
    "tokparity encode --gguf model.gguf --engine llama.cpp --no-special -- -1",
    "tokparity encode small-bpe --lines < texts.txt",
)
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity encode`."""
    return [
        options.Words(
            "MODEL TEXT",
            'a model and a text; "-" reads one JSON string or {"base64": ...} per line from standard input',
        ),
        *options.engine("the engine to ask (default: the model's oracle)"),
        options.Option(
            "--lines", is_flag=True, help="instead of TEXT: each line of standard input, without its newline, is a text"
        ),
        *options.flags(),
        *options.model_files(),
    ]


def main(args: Arguments) -> int:
    """Print the ids of each text; where there are none, a JSON object says why, and the exit is 3."""
    from tokparity.engines.buffers import Texts

    arguments.check_engines([args.engine] if args.engine else [])
    named, texts, many = _asked(args)
    engine = args.engine or named.model.oracle
    failed = 0
    with opened(named, engine) as client:
        for batch in batched(texts):
            results = client.encode(Texts.from_list(batch), not args.no_special, args.parse_special)
            for index, ids in enumerate(results.ids.to_list() if results.ids is not None else []):
                failure = results.failed.get(index)
                failed += failure is not None
                if failure is not None and not many:
                    raise EngineError(f"{engine} gave no ids ({failure.kind}): {failure.message}")
                say(json.dumps(ids) if failure is None else failure_line(failure))
            flush_to_reader()
    if failed:
        raise EngineError(f"{engine} returned no ids for {failed} of the texts", "the lines of these texts say why")
    return 0


def _asked(args: Arguments) -> tuple[arguments.Named, Iterable[bytes], bool]:
    """The model, the texts, and whether they come from standard input."""
    if args.lines:
        named, _ = arguments.one_model(args, texts=0)
        return named, arguments.plain_lines_of_input(), True
    named, (word,) = arguments.one_model(args, texts=1)
    if word == "-":
        return named, (text for _, text in arguments.texts_of_input()), True
    return named, [arguments.text_of(word)], False
