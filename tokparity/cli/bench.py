"""`tokparity bench`: the project's own measurements, one table each."""

from __future__ import annotations

import argparse

import click

from tokparity.cli import options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import row

HELP = "measure: alone it lists the benchmarks, with a NAME it runs one"
SECTION = "For developers"
EXAMPLES = ("tokparity bench", "tokparity bench run --help")
EXIT_1 = ""
TAKES_ALL = True
"""A benchmark reads its own arguments: all that follows its name arrives as `args.words`."""


def parameters() -> list[click.Parameter]:
    """The benchmark's name; what follows is its own."""
    return [options.Words("[NAME ...]", "a benchmark and its options", shell_complete=None)]


def main(args: Arguments) -> int:
    """List the benchmarks, or run one."""
    from tokparity import bench

    if not args.words:
        for name, module in bench.modules().items():
            row(f"{name:12}", module.TITLE)
        return 0
    name, *words = args.words
    benchmark = bench.get(name)
    parser = argparse.ArgumentParser(prog=f"tokparity bench {name}", description=benchmark.TITLE)
    benchmark.add_arguments(parser)
    return benchmark.main(parser.parse_args(words))
