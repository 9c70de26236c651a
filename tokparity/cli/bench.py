"""`tokparity bench`: the project's own measurements, one table each."""

from __future__ import annotations

import argparse

HELP = "measure: alone it lists the benchmarks, with a NAME it runs one"
TAKES_ALL = True
"""A benchmark reads its own arguments: all words arrive as `args.words`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The benchmark's name; what follows is its own."""
    parser.add_argument("words", nargs="*", metavar="NAME ...", help="a benchmark and its options")


def main(args: argparse.Namespace) -> int:
    """List the benchmarks, or run one."""
    from tokparity import bench

    if args.words[:1] in (["-h"], ["--help"]):
        parser = argparse.ArgumentParser(prog="tokparity bench", description=HELP)
        add_arguments(parser)
        parser.parse_args(["--help"])
    if not args.words:
        for name, module in bench.modules().items():
            print(f"{name:12}{module.TITLE}")
        return 0
    name, *words = args.words
    module = bench.get(name)
    parser = argparse.ArgumentParser(prog=f"tokparity bench {name}", description=module.TITLE)
    module.add_arguments(parser)
    return module.main(parser.parse_args(words))
