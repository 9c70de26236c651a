"""`tokparity run`: runs models on engines, and writes a report."""

from __future__ import annotations

import argparse

import click

from tokparity.cli import running
from tokparity.cli.options import Option, against
from tokparity.session import SAMPLED

HELP = "Compare models on all engines, and report every difference"
SECTION = "Find differences"
EXAMPLES = ("tokparity run small-spm --cases 200", "tokparity run --gguf model.gguf --tokenizer-json tokenizer.json")
EXIT_1 = ""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity run`."""
    stress = Option("--stress", is_flag=True, help="also runs of up to a million characters: time, stack and memory")
    return [*running.parameters(SAMPLED), against(), stress]


def main(args: argparse.Namespace) -> int:
    """Run and report. What is found is not an error here: `check` is for that."""
    done = running.run(args, stress=args.stress)
    if done.signal:
        return running.interrupted(done.signal)
    done.demand_all()
    return 0
