"""`tokparity generators`: the families of generated texts."""

from __future__ import annotations

import click

from tokparity.cli.arguments import Arguments
from tokparity.cli.console import row

HELP = "List the generators of random texts"
SECTION = "Lists"
EXAMPLES = ("tokparity generators",)
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """It takes none."""
    return []


def main(args: Arguments) -> int:
    """Print one line per generator."""
    from tokparity import generators

    for name, module in generators.modules().items():
        row(f"{name:24}", module.TITLE)
    return 0
