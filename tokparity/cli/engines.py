"""`tokparity engines`: what can be put side by side here."""

from __future__ import annotations

import argparse

from tokparity.errors import TokparityError

HELP = "list the engines, their versions and what they can be asked"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def main(args: argparse.Namespace) -> int:
    """Print one line per engine; one that is not installed says what to install."""
    from tokparity import engines

    for name in engines.names():
        engine = engines.get(name)
        able = engine.CAPABILITIES
        try:
            state = engine.version()
        except TokparityError as error:
            print(f"{name:16}unavailable: {error}")
            continue
        limits = [
            "" if able.invalid_utf8 else "only UTF-8",
            "" if len(able.add_special) == 2 else f"add_special only {able.add_special[0]}",
            "" if len(able.parse_special) == 2 else f"parse_special only {able.parse_special[0]}",
            "" if able.decodes else "no decoding",
        ]
        print(f"{name:16}{state:32}{', '.join(able.formats)}; {'; '.join(filter(None, limits)) or 'no limits'}")
    return 0
