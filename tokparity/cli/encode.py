"""`tokparity encode`: the ids that one engine gives."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable

from tokparity.cli import arguments
from tokparity.cli.asking import batched, failure_line, opened
from tokparity.errors import EngineError

HELP = "ids of a text, as one JSON array per line"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what encode takes."""
    arguments.add_words(
        parser,
        "MODEL TEXT",
        'a model and a text; "-" reads one JSON string or {"base64": ...} per line from standard input',
    )
    parser.add_argument("--engine", required=True, metavar="E")
    arguments.add_flags(parser)
    arguments.add_model_files(parser)


def main(args: argparse.Namespace) -> int:
    """Print the ids of each text; where there are none, a JSON object says why, and the exit is 3."""
    from tokparity.engines.buffers import Texts

    arguments.check_engines([args.engine])
    named, (word,) = arguments.one_model(args, texts=1)
    texts: Iterable[bytes] = (text for _, text in arguments.texts_of_input())
    failed = 0
    with opened(named, args.engine) as client:
        for batch in batched(texts if word == "-" else [arguments.text_of(word)]):
            results = client.encode(Texts.from_list(batch), not args.no_special, args.parse_special)
            for index, ids in enumerate(results.ids.to_list() if results.ids is not None else []):
                failure = results.failed.get(index)
                failed += failure is not None
                if failure is not None and word != "-":
                    raise EngineError(f"{args.engine} gave no ids ({failure.kind}): {failure.message}")
                print(
                    json.dumps(ids) if failure is None else failure_line(failure),
                    flush=word == "-" and index == len(batch) - 1,
                )
    if failed:
        raise EngineError(f"{args.engine} gave no ids for {failed} of the texts", "their lines say why")
    return 0
