"""`tokparity check`: a run whose exit code says whether anything changed."""

from __future__ import annotations

import argparse

import click

from tokparity.cli import running
from tokparity.cli.console import say
from tokparity.report.verdict import verdict

HELP = "Keep it right: as run, then exit 1 if there are new findings, or accepted ones that vanished"
SECTION = "Three questions"
EXAMPLES = ("tokparity check small-spm", "tokparity check --gguf model.gguf --tokenizer-json tokenizer.json")
EXIT_1 = "new findings, or accepted ones that vanished"


def parameters() -> list[click.Parameter]:
    """Declare what check takes."""
    return running.parameters()


def main(args: argparse.Namespace) -> int:
    """Run, then say what it comes to: the exit code is the verdict's."""
    report, signal = running.run(args)
    for finding in report.findings:
        if finding.is_new:
            say(f"new finding: {finding.model} / {finding.engine}: {finding.name} ({finding.mismatches} mismatches)")
    for vanished in report.vanished:
        say(f"vanished finding: {vanished.model} / {vanished.engine}: {vanished.what} ({vanished.reason})")
    found = verdict(report)
    say(found.sentence)
    return running.interrupted(signal) if signal else found.exit_code
