"""`tokparity run`: models before engines, and a report."""

from __future__ import annotations

import argparse

from tokparity.cli import running

HELP = "put models before all engines and report where they disagree with the models' oracles"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what run takes."""
    running.add_arguments(parser)


def main(args: argparse.Namespace) -> int:
    """Run and report. What is found is no error here: `check` is for that."""
    _, signal = running.run(args)
    return running.interrupted(signal) if signal else 0
