"""Tables for pandas and for a spreadsheet: every stored mismatch, every finding, and the counts of every pair.

Texts and pieces are JSON literals, ids are space-separated; where `kind` is "decode", `text` is the JSON array of ids
that was to be decoded. `cause` says in words what the finding is; the keys stay the same from run to run, and the HTML
report is linked by them. A cell that a spreadsheet would run as a formula gets an apostrophe before it; literals begin
with a quote or a bracket and never need it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding, Failure, Outcome, Rendering, Spanning, Streaming
from tokparity.questions import Again, Encode, Question
from tokparity.questions.json_text import inert, literal, plain
from tokparity.report import votes
from tokparity.report.keys import finding_keys, mismatch_key
from tokparity.report.model import Pair, Report
from tokparity.report.render.causes import title, told

NAME = "csv"
FILES = ("mismatches.csv", "findings.csv", "pairs.csv")
MISMATCHES = (
    "model", "engine", "oracle", "origin", "add_special", "parse_special", "text", "first_difference",
    "expected_ids", "actual_ids", "expected_pieces", "actual_pieces", "finding",
    "kind", "expected_text", "actual_text", "cause", "mismatch_key", "finding_key",
)  # fmt: skip
FINDINGS = (
    "finding", "model", "engine", "oracle", "status", "quirks", "alternatives", "mismatches", "controls",
    "smallest_text", "accepted", "reason", "why_unexplained", "known", "cause", "finding_key",
    "votes", "unexamined",
    "attacked_changed", "attacked_edge", "attacked_asked", "attacked_otherwise", "rest_mismatches", "rest_text",
    "character",
)  # fmt: skip
PAIRS = (
    "model", "engine", "oracle", "version", "source", "cases", "equal", "mismatches", "failures", "unsupported",
    "unjudged", "decode", "round_trip", "not_stored", "unrecorded", "rows", "rows_differ", "streams", "streams_differ",
    "again", "again_same", "again_stable", "again_rows", "again_rows_same", "again_rows_stable", "again_differ",
    "again_smallest", "again_cause", "spans", "spans_differ", "prompts", "prompts_differ",
    "prompts_not_run",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def render(report: Report, path: Path) -> None:
    """Write all tables into a directory; or one, which the file's name begins with: mismatches if it has another."""
    if path.is_dir() or path.suffix != ".csv":
        path.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            render(report, path / name)
    elif path.name.startswith("findings"):
        write_table(path, FINDINGS, map(_finding, report.findings, finding_keys(report.findings)))
    elif path.name.startswith("pairs"):
        write_table(path, PAIRS, ([_of_pair(pair, name) for name in PAIRS] for pair in report.pairs))
    else:
        write_table(path, MISMATCHES, _mismatches(report))


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table whose cells no spreadsheet runs."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([_inert(cell) for cell in row])


def _inert(cell: str) -> str:
    """The cell so that no spreadsheet takes it for a formula, and nobody who looks at the table obeys it."""
    return "'" + inert(cell) if cell.startswith(_FORMULA) else inert(cell)


def _mismatches(report: Report) -> Iterator[Sequence[str]]:
    """Every stored mismatch, with what is said of the finding that it belongs to."""
    keys = dict(zip(map(_place, report.findings), finding_keys(report.findings), strict=True))
    causes = {_place(finding): title(finding) for finding in report.findings}
    for mismatch, name in zip(report.mismatches, report.finding_names(), strict=True):
        place = mismatch.model, name
        yield (*_mismatch(mismatch, name), causes.get(place, ""), mismatch_key(mismatch), keys.get(place, ""))


def _place(finding: Finding) -> tuple[str, str]:
    """What a report knows a finding by."""
    return finding.model, finding.name


def _mismatch(mismatch: Mismatch, finding: str) -> Sequence[str]:
    case = mismatch.case
    return (
        mismatch.model,
        mismatch.engine,
        mismatch.oracle,
        str(case.origin),
        *_flags(case.question),
        case.question.literal,
        str(mismatch.difference),
        _ids(mismatch.expected),
        _ids(mismatch.actual),
        literal(mismatch.expected_pieces),
        literal(mismatch.actual_pieces),
        finding,
        case.question.KIND,
        _decoded(mismatch.expected),
        _decoded(mismatch.actual),
    )


def _finding(finding: Finding, key: str) -> Sequence[str]:
    return (
        finding.name,
        finding.model,
        finding.engine,
        finding.oracle,
        finding.status,
        "+".join(finding.quirks),
        " | ".join("+".join(quirks) for quirks in finding.alternatives),
        str(finding.mismatches),
        str(finding.controls),
        finding.smallest.case.question.literal,
        _flag(finding.accepted),
        finding.reason,
        finding.why_unexplained,
        finding.known,
        title(finding),
        key,
        votes.told(finding),
        str(finding.unexamined),
        *_attacked(finding),
        plain(" | ".join(told(finding))),
    )


def _attacked(finding: Finding) -> Sequence[str]:
    """What the cause was attacked with, and what is left that looks like it; empty where there is no cause."""
    if not finding.quirks:
        return ("",) * 6
    found, rest = finding.attacked, finding.rest
    counts = (found.changes, found.edge, found.asked, found.otherwise, rest.mismatches if rest else 0)
    return (*map(str, counts), rest.question.literal if rest else "")


def _of_pair(pair: Pair, name: str) -> str:
    value = getattr(pair, name)
    return value.literal if isinstance(value, Again) else ("" if value is None else str(value))


def _flags(question: Question) -> tuple[str, str]:
    """add_special and parse_special; empty where it is ids that were asked about."""
    return (_flag(question.add_special), _flag(question.parse_special)) if isinstance(question, Encode) else ("", "")


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _ids(outcome: Outcome) -> str:
    """Those that the report holds; where ids were cut, a sentence says how many are missing."""
    if not isinstance(outcome, Encoding | Spanning | Rendering):
        return ""
    whole = outcome.whole_ids if isinstance(outcome, Encoding) else None
    cut = [] if whole is None else [f"... {whole.length} in all, SHA-256 {whole.sha256}"]
    return " ".join([*map(str, outcome.ids), *cut])


def _decoded(outcome: Outcome) -> str:
    """What the ids were decoded to, as a JSON literal, of a stream all deltas; of spans each id's two numbers.

    It is empty where the ids were not decoded.
    """
    if isinstance(outcome, Streaming | Spanning):
        return literal(outcome.deltas if isinstance(outcome, Streaming) else outcome.spans)
    return "" if isinstance(outcome, Failure) or outcome.decoded is None else literal(outcome.decoded)
