"""`tokparity corpora`: the texts that come with tokparity."""

from __future__ import annotations

import click

from tokparity.cli.arguments import Arguments
from tokparity.cli.console import row, say
from tokparity.errors import TokparityError

HELP = "List the corpora with their numbers of cases, bytes, languages and scripts"
SECTION = "Lists"
EXAMPLES = ("tokparity corpora", "tokparity run small-spm --corpus emoji --corpus yours.txt")
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """It takes none."""
    return []


def main(args: Arguments) -> int:
    """Print one line per corpus, and the sum."""
    from tokparity.sources import corpus

    languages: set[str] = set()
    scripts: set[str] = set()
    cases = size = 0
    say(f"{'corpus':24}{'cases':>8}{'bytes':>12}{'languages':>11}{'scripts':>9}")
    for name in corpus.names():
        try:
            found = corpus.describe(name)
        except TokparityError as error:
            row(f"{name:24}", f"unavailable: {error}")
            continue
        say(f"{name:24}{found.cases:8}{found.bytes:12}{len(found.languages):11}{len(found.scripts):9}")
        languages.update(found.languages)
        scripts.update(found.scripts)
        cases += found.cases
        size += found.bytes
    say(f"{'all':24}{cases:8}{size:12}{len(languages):11}{len(scripts):9}")
    return 0
