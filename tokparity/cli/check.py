"""`tokparity check`: a run whose exit code says whether anything changed."""

from __future__ import annotations

import argparse

import click

from tokparity.cli import running

HELP = "Keep it right: as run, then exit 1 if there are new findings, or accepted ones that vanished"
SECTION = "Three questions"
EXAMPLES = ("tokparity check small-spm", "tokparity check --gguf model.gguf --tokenizer-json tokenizer.json")
EXIT_1 = "new findings, or accepted ones that vanished"
CHANGED = 1


def parameters() -> list[click.Parameter]:
    """Declare what check takes."""
    return running.parameters()


def main(args: argparse.Namespace) -> int:
    """Run, then compare with the accepted findings in the models' files."""
    result, _ = running.run(args)
    for finding in result.new:
        print(f"new finding: {finding.model} / {finding.engine}: {finding.name} ({finding.mismatches} mismatches)")
    for vanished in result.vanished:
        print(f"vanished finding: {vanished.model} / {vanished.engine}: {vanished.what} (accepted: {vanished.reason})")
    if result.new or result.vanished:
        return CHANGED
    print(f"no new findings, {len(result.findings)} accepted")
    return 0
