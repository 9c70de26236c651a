"""`tokparity check`: a run whose exit code says whether anything changed."""

from __future__ import annotations

import argparse

from tokparity.cli import running
from tokparity.report.verdict import verdict

HELP = "as run, then exit 1 if there are new findings, or accepted ones that vanished"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what check takes."""
    running.add_arguments(parser)


def main(args: argparse.Namespace) -> int:
    """Run, then say what it comes to: the exit code is the verdict's."""
    report, signal = running.run(args)
    for finding in report.findings:
        if finding.is_new:
            print(f"new finding: {finding.model} / {finding.engine}: {finding.name} ({finding.mismatches} mismatches)")
    for vanished in report.vanished:
        print(f"vanished finding: {vanished.model} / {vanished.engine}: {vanished.what} ({vanished.reason})")
    found = verdict(report)
    print(found.sentence)
    return running.interrupted(signal) if signal else found.exit_code
