"""`tokparity corpora`: the texts that come with tokparity."""

from __future__ import annotations

import argparse

from tokparity.errors import TokparityError

HELP = "list the corpora with their counts of cases, bytes, languages and scripts"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def main(args: argparse.Namespace) -> int:
    """Print one line per corpus, and the sum."""
    from tokparity.sources import corpus

    languages: set[str] = set()
    scripts: set[str] = set()
    cases = size = 0
    print(f"{'corpus':24}{'cases':>8}{'bytes':>12}{'languages':>11}{'scripts':>9}")
    for name in corpus.names():
        try:
            found = corpus.describe(name)
        except TokparityError as error:
            print(f"{name:24}unavailable: {error}")
            continue
        print(f"{name:24}{found.cases:8}{found.bytes:12}{len(found.languages):11}{len(found.scripts):9}")
        languages.update(found.languages)
        scripts.update(found.scripts)
        cases += found.cases
        size += found.bytes
    print(f"{'all':24}{cases:8}{size:12}{len(languages):11}{len(scripts):9}")
    return 0
