"""`tokparity engine-test`: checks that a new engine keeps the rules that tokparity relies on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments, Named
from tokparity.cli.asking import opened
from tokparity.cli.console import flush, row, say
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.errors import EngineError, UsageError

if TYPE_CHECKING:
    from tokparity.engines.claims import Check
    from tokparity.engines.conformance import Subject
    from tokparity.formats import Source

HELP = "Test whether an adapter follows the rules for engines, line by line"
SECTION = "Look at one tokenizer"
EXAMPLES = (
    "tokparity engine-test ./mytok.py:encode",
    'tokparity engine-test "exec:./mytok --model {gguf}" gpt-2',
)
EXIT_1 = "the engine breaks a rule"
MODEL = "small-bpe"
_SPM = "small-spm"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity engine-test`."""
    return [
        options.Words("ENGINE [MODEL]", f"an engine, and the model that it opens (default: {MODEL})"),
        options.Option(
            "--timeout", callback=options.seconds, default="20", metavar="N", help="most seconds for a small batch"
        ),
        *options.model_files(),
    ]


def main(args: Arguments) -> int:
    """Print one line per rule; 1 where one is broken."""
    from tokparity import engines
    from tokparity.cli.pulling import pull_missing
    from tokparity.engines.conformance import checks
    from tokparity.engines.process.client import Client
    from tokparity.models import primary_source
    from tokparity.session.seats import seat_one

    if not args.words:
        raise UsageError("no engine", "name one: ./file.py:name, module:Class, exec:COMMAND, or one of our own")
    engine = args.words.pop(0)
    opens = engines.get(engine).CAPABILITIES.formats
    if not args.words and arguments.from_files(args) is None:
        args.words = [_SPM if opens == ("sentencepiece",) else MODEL]
    named, _ = arguments.one_model(args)
    pull_missing([named.model])
    seat = seat_one(named.model, engine)
    say(f"{engine} on {named.model.name}: {seat.source}; formats: {', '.join(opens)}")
    counts = {"ok": 0, "wrong": 0, "left out": 0, "note": 0}
    found = checks(lambda: Client(engine, seat.path, seat.options, timeout=args.timeout),
                   _subject(primary_source(named.model)))  # fmt: skip
    for check in chain(found, _agreement(named, engine)):
        counts[check.verdict] += 1
        _show(check)
    say(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    if counts["ok"] == 0:
        raise EngineError(f"engine {engine!r} broke every rule", "fix what the first lines report")
    return DIFFERENT if counts["wrong"] else 0


def _agreement(named: Named, engine: str) -> Iterator[Check]:
    """How far its ids are those of the model's oracle, where that is another engine that can be asked."""
    from tokparity.engines.conformance import agreement

    oracle = named.model.oracle
    if engine == oracle:
        return
    with opened(named, engine) as client, opened(named, oracle) as judge:
        yield agreement(client, judge)


def _show(check: Check) -> None:
    row(f"{check.verdict:9}", f"{check.rule}{f': {check.detail}' if check.detail else ''}")
    flush()


def _subject(source: Source) -> Subject:
    from tokparity.engines.conformance import Subject

    behaviour, vocabulary = source.behaviour, source.vocabulary
    tokens = [(token.content.encode(), token.id) for token in vocabulary.added if token.special]
    top = max([len(vocabulary.pieces) - 1, *(token.id for token in vocabulary.added)])
    return Subject(top + 1, tuple(behaviour.prefix_ids), tuple(behaviour.suffix_ids), tokens[0] if tokens else None)
