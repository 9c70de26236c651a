"""`tokparity generators`: the families of generated texts."""

from __future__ import annotations

import argparse

HELP = "list the generators of texts"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def main(args: argparse.Namespace) -> int:
    """Print one line per generator."""
    from tokparity import generators

    for name, module in generators.modules().items():
        print(f"{name:24}{module.TITLE}")
    return 0
