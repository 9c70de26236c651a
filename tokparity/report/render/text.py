"""The report for a terminal: the matrix, findings with examples; and the answers of all engines to one text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.difference import Difference
from tokparity.finding import Finding, Mismatch
from tokparity.laws import LAWS
from tokparity.outcome import Decoding, Failure, Outcome, Rendering, Spanning, Streaming
from tokparity.questions.json_text import literal
from tokparity.report import oracles, votes
from tokparity.report.model import Report
from tokparity.report.render import again
from tokparity.report.render.causes import alternatives, title, told, unsettled
from tokparity.report.render.engine_names import for_a_terminal
from tokparity.report.render.inert import console
from tokparity.report.render.proof import proof
from tokparity.report.render.scores import about, counts, legend, share, unavailable
from tokparity.report.render.visible import pointed
from tokparity.report.render.window import apart, bytes_around
from tokparity.report.rule import count
from tokparity.report.verdict import verdict
from tokparity.span_laws import LAWS as SPAN_LAWS
from tokparity.vocabulary import pieces_at

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table
    from rich.text import Text

NAME = "text"
FILES = ("report.txt",)
EXAMPLES = 3
_TEXT_BYTES = 120
_AROUND = 4  # ids shown on each side of the first difference
_ANY_WIDTH = 100_000  # columns
_ONLY_COUNTED = "more mismatches of the same kind were only counted: their cause may be this one or another"
_NO_ANSWER = Failure("unavailable", "")


def render(report: Report, path: Path) -> None:
    """Write the report as plain text, 160 columns wide."""
    with path.open("w", encoding="utf-8") as file:
        to_file = console(file=file, width=160, color_system=None)
        for part in parts(report):
            to_file.print(part)


def parts(report: Report, every: bool = False, how: str = "") -> Iterator[RenderableType]:
    """The report, to be printed one after another; `every` finding, or only those that are new.

    `how` says how the others are shown, where there is a way.
    """
    report = for_a_terminal(report)
    found = verdict(report)
    yield _plain(found.sentence, {"new": "bold red", "none": "bold yellow"}.get(found.result, "bold green"))
    yield from (_plain(sentence, "dim") for sentence in oracles.sentences(report))
    yield matrix(report)
    yield from _again(report) if every or not about(report) else ()  # few are asked beside texts
    yield from (_plain(sentence, "dim") for sentence in unavailable(report))
    yield from examples(report, every, how)
    for vanished in report.vanished:
        where = f"{vanished.model} / {vanished.engine}" if vanished.engine else vanished.model
        yield _plain(f"{where}: no longer occurs: {vanished.what}", "red")
    for note in (*report.refused, *report.notes):
        yield _plain(str(note), "yellow")
    if report.truncated:
        yield _plain("This report is truncated: the run did not end by itself.", "bold red")


def matrix(report: Report) -> RenderableType:
    """Models by engines: share of equal cases, mismatches, failures. Red is new, yellow is known or accepted."""
    return _Matrix(report)


def _again(report: Report) -> Iterator[RenderableType]:
    """What came back of texts that were encoded again; nothing where none were."""
    from rich import box
    from rich.table import Table

    rows = again.rows(report)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=again.TITLE, title_justify="left")
    for place, column in enumerate(again.COLUMNS):
        table.add_column(column, overflow="fold", justify="right" if place in again.NUMBERS else "left")
    for row in rows:
        table.add_row(*map(_plain, row))
    yield from (table, _plain(again.ABOUT, "dim")) if rows else ()


class _Matrix:
    """A table that is continued below where the engines do not fit beside each other."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._unsettled = unsettled(report)
        self._pairs = {(pair.model, pair.engine): pair for pair in report.pairs}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        from rich.measure import Measurement

        def measured(engines: Sequence[str]) -> int:
            return Measurement.get(console, options.update(max_width=_ANY_WIDTH), self._table(engines)).maximum

        rest = list(self._report.engines())
        while rest:
            widths = (measured(rest[:n]) for n in range(1, len(rest) + 1))
            width = max(sum(one <= options.max_width for one in widths), 1)
            shown, rest = rest[:width], rest[width:]
            yield self._table(shown)
        yield _plain("\n".join((f"{about(self._report)} *: the oracle.".lstrip(), *legend(self._report))), "dim")

    def _table(self, engines: Sequence[str]) -> Table:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("model", overflow="fold")
        for engine in engines:
            table.add_column(_plain(engine), justify="right", overflow="fold")
        for model in self._report.models():
            table.add_row(_plain(model), *(self._score(model, engine) for engine in engines))
        return table

    def _score(self, model: str, engine: str) -> Text:
        pair = self._pairs.get((model, engine))
        if pair is None:
            return _plain("")
        if pair.unavailable and not pair.compared:
            return _plain("unavailable", "dim")
        text = "\n".join((share(pair) + ("*" if pair.engine == pair.oracle else ""), *counts(pair)))
        return _plain(text, "red" if (model, engine) in self._unsettled else "yellow" if pair.found else "green")


def examples(report: Report, every: bool, how: str = "") -> Iterator[Text]:
    """For each pair that disagrees, up to three of its findings with the smallest text of each; the others counted."""
    hidden, counted = 0, False
    for pair in report.pairs:
        findings = report.findings_of(pair.model, pair.engine)
        shown = [finding for finding in findings if every or not finding.is_settled]
        hidden += len(findings) - len(shown)
        if not shown:
            continue
        counted = counted or any(finding.unexamined for finding in shown[:EXAMPLES])
        yield _plain(f"\n{pair.model} / {pair.engine}: {count(len(shown), 'finding')}", "bold")
        for finding in sorted(shown, key=lambda finding: not finding.is_new)[:EXAMPLES]:
            yield from _example(finding)
        if len(shown) > EXAMPLES:
            yield _plain(f"  and {len(shown) - EXAMPLES} more in the report")
    if counted:
        yield _plain(f"\n+ {_ONLY_COUNTED}", "dim")
    if hidden:
        yield _plain(f"\n{count(hidden, 'finding')} known or accepted{how}", "dim")


def _example(finding: Finding) -> Iterator[Text]:
    mismatch = finding.smallest
    shown = pointed(mismatch.case.question, _TEXT_BYTES)
    yield _plain(f"  {finding.name} ({finding.standing}, {cases(finding)})  {shown}")
    if finding.quirks:
        yield _plain(f"    {title(finding)}")
    yield from (_plain(f"    {sentence}") for sentence in list(proof(finding))[1:])
    yield from (_plain(f"    fits as well: {entry}") for entry in alternatives(finding))
    yield from (_plain(f"    {sentence}", "bold") for sentence in told(finding))
    if finding.nearest:
        yield _plain(f"    nearest: {finding.nearest}")
    if finding.why_unexplained:
        yield _plain(f"    {finding.why_unexplained}")
    yield from (_plain(f"    {line}", style) for line, style in zip(answers(mismatch), ("green", "red"), strict=True))
    if said := votes.told(finding):
        yield _plain(f"    {said}", "dim")


def answers(mismatch: Mismatch) -> tuple[str, str]:
    """The right answer and the engine's around their first difference, one line each."""
    oracle = "right" if isinstance(mismatch.actual, Streaming | Spanning) else mismatch.oracle  # it is judged by itself
    width = max(len(oracle), len(mismatch.engine))
    expected = _around(mismatch.expected, mismatch.expected_pieces, mismatch.difference)
    actual = _around(mismatch.actual, mismatch.actual_pieces, mismatch.difference)
    return f"{oracle:{width}}  {expected}", f"{mismatch.engine:{width}}  {actual}"


def cases(finding: Finding) -> str:
    """How many cases a finding is about; a + says that more were only counted."""
    number = f"{finding.mismatches:,}{'+' if finding.unexamined else ''} case{'' if finding.mismatches == 1 else 's'}"
    return number if finding.mismatches or finding.unexamined else finding.cases


def _around(outcome: Outcome, pieces: Sequence[bytes], difference: Difference) -> str:
    """The ids and pieces around the first difference; where the ids are equal, what they decode to."""
    if isinstance(outcome, Failure):
        return f"{outcome.kind}: {outcome.message}".splitlines()[0][:200]
    if isinstance(outcome, Streaming | Spanning):
        return apart(outcome, difference.place, _TEXT_BYTES)
    if isinstance(outcome, Decoding | Rendering) or difference.is_of_decoding:
        return bytes_around(outcome.decoded or b"", difference.place, _TEXT_BYTES)
    at = difference.place
    start, end = max(at - _AROUND, 0), at + _AROUND + 1
    spelled = [f"{i} {literal(piece)}" for i, piece in zip(outcome.ids[start:end], pieces[start:end], strict=False)]
    dots = "... " if start else "", " ..." if end < outcome.length else ""
    return dots[0] + "  ".join(spelled) + dots[1] or "(no ids)"


def side_by_side(
    oracle: str, outcomes: Mapping[str, Outcome], mismatches: Mapping[str, Mismatch], pieces: Sequence[bytes]
) -> Iterator[Text]:
    """Each engine's ids and pieces for one text; those that depart from the oracle are marked and say where.

    Where the oracle gave no answer, no engine is marked as right.
    """
    judged = not isinstance(outcomes.get(oracle, _NO_ANSWER), Failure)
    width = max(map(len, outcomes), default=0)
    for engine, outcome in outcomes.items():
        found = mismatches.get(engine)
        mark = "!" if found else "=" if judged else "?"
        note = "  (oracle)" if engine == oracle else f"  first difference: {found.difference.words}" if found else ""
        colour = "red" if found else "green" if engine == oracle else ""
        if isinstance(outcome, Failure):
            yield _plain(f"{mark if found else ' '} {engine:{width}}  {outcome.kind}: {outcome.message}", colour)
            continue
        if isinstance(outcome, Streaming | Spanning):
            laws = LAWS if isinstance(outcome, Streaming) else SPAN_LAWS
            given = literal(list(outcome.deltas)) if isinstance(outcome, Streaming) else apart(outcome, 0, _TEXT_BYTES)
            yield _plain(f"{mark} {engine:{width}}  {given}{note}", colour)
            broken = found.actual if found is not None else outcome
            if isinstance(broken, Streaming | Spanning) and broken.law:
                yield _plain(f"  {'':{width}}  {laws[broken.law]}", colour)
                for what, said in (("right would be", broken.right), ("without spans", getattr(broken, "encoded", ()))):
                    if said:
                        yield _plain(f"  {'':{width}}  {what} {literal(list(said))}", "dim")
            continue
        if isinstance(outcome, Decoding):
            yield _plain(f"{mark} {engine:{width}}  {literal(outcome.decoded)}{note}", colour)
            continue
        yield _plain(f"{mark} {engine:{width}}  {list(outcome.ids)}{note}", colour)
        yield _plain(f"  {'':{width}}  {literal(list(pieces_at(pieces, outcome.ids)))}", "dim")
        if found is not None and outcome.decoded is not None and found.difference.aspect != "ids":
            yield _plain(f"  {'':{width}}  decodes to {literal(outcome.decoded)}", colour)
    if not judged:
        yield _plain(f"? {oracle}, the oracle, gave no answer: nothing says which ids are right", "yellow")


def _plain(text: str, style: str = "") -> Text:
    """Text as it is: nothing in it is markup, and what does not print was made an escape."""
    from rich.text import Text

    shown = "".join(c if c == "\n" or c.isprintable() else literal(c)[1:-1] for c in text)
    return Text(shown, style=style)
