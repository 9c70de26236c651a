"""Writes reports/gemma-3-regression.md: the Gemma 3 tokenizer regression, found and explained by tokparity.

    python scripts/gemma_3_regression.py

A Rust engine's GGUF tokenizer took the longest piece instead of merging, and wrote each space as a byte token. The
engine `reference+<its quirks>` is put before the real gemma-4 vocabulary, whose ids for these pieces are the same; the
diagnosis sees only what it gave. The vocabulary is fetched into the user's cache if it is not there.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tokparity import cli
from tokparity.errors import TokparityError
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.report.file import read
from tokparity.report.model import Report
from tokparity.report.render.analysis import analysis

MODEL = "gemma-4"
ENGINE = "reference+greedy_longest_match+writes_spaces_as_bytes"
PROMPT = b"The capital of France is"
BROKEN = (2, 669, 270, 5279, 270, 529, 270, 7001, 270, 563)
RIGHT = (2, 818, 5279, 529, 7001, 563)
CORPORA = ("prompts", "languages", "whitespace", "code", "piece_markers", "numbers_dates")
CASES = 500
OUT = Path(__file__).parents[1] / "reports" / "gemma-3-regression.md"


class ChangedError(TokparityError):
    """What the page says is no longer what comes out."""


def main() -> None:
    """Run, diagnose, check both rows of ids, write the page."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", MODEL, "--engine", ENGINE, "--cases", str(CASES), "--out", folder]
        cli.main([*words, *(word for name in CORPORA for word in ("--corpus", name))])
        report = read(Path(folder) / "report.jsonl")
    finding, mismatch = checked(report)
    OUT.write_text(page(report, finding, mismatch), encoding="utf-8")
    print(f"wrote {OUT.name}")


def checked(report: Report) -> tuple[Finding, Mismatch]:
    """The one finding about the ids, and the mismatch on the prompt; ChangedError if either is not as it was."""
    findings = [f for f in report.findings if f.engine == ENGINE and f.smallest.difference.aspect == "ids"]
    if [("greedy_longest_match", "writes_spaces_as_bytes")] != [finding.quirks for finding in findings]:
        raise ChangedError(f"found {[finding.quirks for finding in findings]!r}, not the two quirks that were planted")
    members = (report.mismatches[i] for i in report.members[MODEL, findings[0].name])
    mismatch = next(m for m in members if m.case.question == Encode(PROMPT))
    rows = [outcome.ids for outcome in (mismatch.actual, mismatch.expected) if isinstance(outcome, Encoding)]
    if rows != [BROKEN, RIGHT]:
        raise ChangedError(f"{PROMPT!r} gives {rows!r}, not {[BROKEN, RIGHT]!r}")
    return findings[0], mismatch


def page(report: Report, finding: Finding, mismatch: Mismatch) -> str:
    """The analysis, with what a reader of this page must know before it."""
    broken = {i: piece.decode() for i, piece in zip(BROKEN, mismatch.actual_pieces, strict=True)}
    the_marked, the, space = BROKEN[1], RIGHT[1], BROKEN[2]
    pieces = (
        f'{the_marked} is "{broken[the_marked]}" with the marker in it, {the} is "The", {space} the space as a byte'
    )
    lines = [
        *analysis(report, finding, examples=[mismatch]),
        "## What this page is",
        "",
        "A Rust engine's GGUF tokenizer for Gemma 3 had these two faults. Its output was fluent English that had",
        "nothing to do with the prompt, and nothing crashed. Here the reference tokenizer, given the same faults,",
        "stands in for that engine, on the Gemma 4 vocabulary, which has the same ids for these pieces:",
        f"{pieces}.",
        f"So the prompt became {len(BROKEN)} tokens instead of {len(RIGHT)}.",
        "The diagnosis was told only what the engine gave. Written by `scripts/gemma_3_regression.py`.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    try:
        main()
    except TokparityError as error:
        sys.exit(str(error))
