"""`tokparity bench`: the project's own measurements, one table each; they are in a checkout, not in the package."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from types import ModuleType

from tokparity.errors import UsageError

HELP = "measure: alone it lists the benchmarks, with a NAME it runs one"
TAKES_ALL = True
"""A benchmark reads its own arguments: all words arrive as `args.words`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The benchmark's name; what follows is its own."""
    parser.add_argument("words", nargs="*", metavar="NAME ...", help="a benchmark and its options")


def main(args: argparse.Namespace) -> int:
    """List the benchmarks, or run one."""
    if args.words[:1] in (["-h"], ["--help"]):
        parser = argparse.ArgumentParser(prog="tokparity bench", description=HELP)
        add_arguments(parser)
        parser.parse_args(["--help"])
    benchmarks = _benchmarks(Path(__file__).parents[2])
    if not args.words:
        for name, module in benchmarks.modules().items():
            print(f"{name:12}{module.TITLE}")
        return 0
    name, *words = args.words
    module = benchmarks.get(name)
    parser = argparse.ArgumentParser(prog=f"tokparity bench {name}", description=module.TITLE)
    module.add_arguments(parser)
    code: int = module.main(parser.parse_args(words))
    return code


def _benchmarks(root: Path) -> ModuleType:
    """The package `benchmarks` that lies beside ours in the folder `root`; UsageError if it does not."""
    if not (root / "benchmarks" / "__init__.py").is_file():
        raise UsageError(
            "the benchmarks are not part of the installed package",
            "they are in the source: `pip download --no-deps --no-binary tokparity tokparity`, unpack it, and there "
            "`pip install -e .`",
        )
    # Before all other folders, for other packages were installed with a folder of that name; and in the path, because
    # the processes that a benchmark starts import it as well.
    sys.path.insert(0, str(root))
    return importlib.import_module("benchmarks")
