"""`tokparity bench`: the project's own measurements, one table each; a checkout has them, the package does not."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from types import ModuleType

import click

from tokparity.cli import options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import row
from tokparity.errors import UsageError

HELP = "Run a benchmark by its name; without a name, list the benchmarks"
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
    benchmarks = _benchmarks(Path(__file__).parents[2])
    if not args.words:
        for name, module in benchmarks.modules().items():
            row(f"{name:12}", module.TITLE)
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
