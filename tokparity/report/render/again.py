"""Texts that are encoded, decoded and encoded again: how many came back, and the smallest that did not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tokparity.questions.json_text import literal
from tokparity.questions.shell import command_line
from tokparity.report.model import Pair, Report
from tokparity.report.render.visible import clip
from tokparity.rounds import Rounds

TITLE = "Encoded again"
ABOUT = (
    "Texts and rows of random ids that were encoded, decoded and encoded again. They have the same ids after one "
    "round, or are stable: a second round changes nothing any more."
)
COLUMNS = ("Model", "Engine", "Texts", "Same ids", "Stable", "Rows", "Same ids", "Stable", "Smallest lost", "Cause")
NUMBERS = range(2, 8)
"""The columns that hold numbers."""
_TEXT_BYTES = 60


def rows_and_pairs(report: Report) -> list[tuple[Sequence[str], Pair]]:
    """One row for each pair that was asked; none where nobody was."""
    return [(_row(pair), pair) for pair in report.pairs if pair.again or pair.again_rows]


def rows(report: Report) -> list[Sequence[str]]:
    """The rows alone."""
    return [row for row, _ in rows_and_pairs(report)]


def _row(pair: Pair) -> Sequence[str]:
    counts = pair.again, pair.again_same, pair.again_stable, pair.again_rows, pair.again_rows_same
    numbers = (f"{number:,}" for number in (*counts, pair.again_rows_stable))
    return pair.model, pair.engine, *numbers, smallest(pair, _TEXT_BYTES), pair.again_cause


def smallest(pair: Pair, most: int) -> str:
    """The smallest text that does not come back, as a literal of about this many bytes; empty where all do."""
    if pair.again_smallest is None:
        return ""
    shown, hidden = clip(pair.again_smallest.shown, most)
    return literal(shown) + (f" ... {hidden} more bytes" if hidden else "")


def command(report: Report, pair: Pair) -> str:
    """The command that has the engine encode the smallest text again; empty where there is none."""
    if pair.again_smallest is None or pair.engine in report.header.recordings:
        return ""
    model = command_line(report.header.arguments.get(pair.model, (pair.model,)))
    return pair.again_smallest.command(model, command_line((pair.engine,)))


def side_by_side(oracle: str, found: Mapping[str, Rounds], wrong: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """For each engine the way of the ids as lines with a color; `wrong` says where one is not right."""
    width = max(map(len, found), default=0)
    for engine, rounds in found.items():
        is_judged = found[oracle].failure is None if oracle in found else False
        note = f"  first difference: {wrong[engine]}" if engine in wrong else "  (oracle)" if engine == oracle else ""
        color = "red" if engine in wrong else "green" if engine == oracle else ""
        yield f"{'!' if engine in wrong else '=' if is_judged else '?'} {engine:{width}}  {_came(rounds)}{note}", color
        for link in rounds.links:
            yield f"  {'':{width}}  {link.told}", "dim"


def _came(rounds: Rounds) -> str:
    if rounds.failure is not None:
        return f"{rounds.failure.kind}: {rounds.failure.message}"
    if rounds.came_back:
        return "the same ids come back"
    return "other ids come back, and stay" if rounds.is_stable else "other ids come back, and others again"
