"""`tokparity check`: a run whose exit code says whether anything changed."""

from __future__ import annotations

import argparse

from tokparity.cli import running

HELP = "as run, then exit 1 if there are new findings, or accepted ones that vanished"
CHANGED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what check takes."""
    running.add_arguments(parser)


def main(args: argparse.Namespace) -> int:
    """Run, then compare with the accepted findings in the models' files."""
    result, signal = running.run(args)
    for finding in result.new:
        print(f"new finding: {finding.model} / {finding.engine}: {finding.name} ({finding.mismatches} mismatches)")
    for vanished in result.vanished:
        print(f"vanished finding: {vanished.model} / {vanished.engine}: {vanished.what} (accepted: {vanished.reason})")
    if signal:
        print("interrupted: what was found until then is reported, and this is no verdict")
        return running.interrupted(signal)
    if result.new or result.vanished:
        return CHANGED
    print(f"no new findings, {len(result.findings)} accepted")
    return 0
