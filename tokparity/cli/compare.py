"""`tokparity compare`: what changed from one engine, or one report, to another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import options, running
from tokparity.cli.arguments import Arguments, Named
from tokparity.cli.console import complain, say, shown
from tokparity.cli.heading import header
from tokparity.cli.outcomes import told
from tokparity.cli.report_files import FILES, directory, write
from tokparity.errors import EngineError, UsageError
from tokparity.report.json_lines import NAME, file_at
from tokparity.report.rule import SENTENCES, Facts, count, judge

if TYPE_CHECKING:
    from tokparity.report.changes import ChangedFinding, Fate
    from tokparity.report.model import Pair, Report

HELP = "Compare two versions of an engine, or two reports: what is new, gone or changed"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity compare tokenizers@0.19.1 tokenizers@0.21.0 gpt-2",
    "tokparity compare old/report.jsonl new/report.jsonl",
)
EXIT_1 = "a difference is new, gone or changed"
FATES: tuple[Fate, ...] = ("new", "gone", "changed")
_SAME = "a recording answers what it was made with: give the same --corpus, --cases and --seed"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity compare`."""
    own = [parameter for parameter in running.parameters() if parameter.name not in ("words", "engine", "keep")]
    return [
        options.Words(
            "A B [MODEL]...", "two engines, the older one first, and models (none: all known); or two reports"
        ),
        *own,
    ]


def main(args: Arguments) -> int:
    """Print each change; 1 where there is one."""
    if len(args.words) < 2:
        raise UsageError(f"only one thing to compare: {' '.join(args.words)!r}", "name two engines, or two reports")
    old, new, *args.words = args.words
    paths = _report_at(old), _report_at(new)
    if paths[0] and paths[1]:
        return _reports((old, new), (paths[0], paths[1]))
    return engines_compared(args, old, new)


def _report_at(word: str) -> Path | None:
    """The report that a word names: a file, or a folder that `run` wrote."""
    path = file_at(Path(word))
    return path if path.is_file() and path.suffix == ".jsonl" else None


def _reports(names: tuple[str, str], paths: tuple[Path, Path]) -> int:
    """Print what changed from one report to another, and what cannot be said; 3 where that leaves no verdict."""
    from tokparity.report.changes import between_reports, lines_of
    from tokparity.report.file import read

    before, after = map(read, paths)
    asked = lines_of(before), lines_of(after)
    if not {*asked[0]} & {*asked[1]}:
        raise EngineError(
            f"nothing was compared: {names[0]!r} and {names[1]!r} have no pair of model and engine in common",
            "compare two reports of the same models and engines",
        )
    changed = _told(*names, list(between_reports(before, after)), "nothing of it is in this report")
    doubts = []
    for name, its, other in zip(names, asked, reversed(asked), strict=True):
        missing = [f"{engine} on {model}" for model, engine in other if (model, engine) not in its]
        doubts += [f"{name} has no answers of {', '.join(missing)}, so nothing is known of that"] if missing else []
    if not after.is_whole:
        doubts.append(f"{names[1]} ended early, so nothing that it does not tell of is taken for gone")
    for doubt in doubts:
        complain(doubt)
    return judge(Facts(findings=changed, away=doubts)).exit_code


def engines_compared(args: Arguments, old: str, new: str, recorded: bool = False) -> int:
    """The newer engine before the older one, which is right by definition; `recorded`: first on all that it holds."""
    from tokparity import engines
    from tokparity.report.file import ReportWriter, read
    from tokparity.session.drift import changes

    if old == new:
        raise UsageError(f"{old!r} is named twice", "name two versions")
    for name in (old, new):
        engines.get(name).version()  # what cannot be had is told before anything is run
    args.engine = [new]
    # What the older one has no answer to nobody can say to have changed.
    asked = replace(running.options_of(args), second=old, recorded=recorded, parses_again=True)
    asked = replace(asked, corpora=asked.corpora or None) if recorded else asked
    named = running.models_of(args)
    out = directory(args.out)
    named, _ = running.fetched(named, args.words)
    judged = [Named(replace(name.model, oracle=old, accepted=(), engines=None), name.words) for name in named]
    writer = ReportWriter(out / NAME, header(judged, (old, new), args.seed, args.command))
    _, signal = running.run_all(judged, asked, writer)
    report = read(out / NAME)
    write(report, out)
    for pair in report.pairs:
        if pair.engine == new and _compared(report, pair):
            _count(report, pair)
    opened = [opening for model in report.models() if (opening := _opening(report, model, old, new))]
    changed = [change for name in judged for change in changes(report, name.model, old, new)]
    say(f"{out}/{FILES}")
    for model, fate, words in opened:
        say(shown(f"{fate:8}{model}: {words}"))
    told_of = _told(old, new, changed, fates=[fate for _, fate, _ in opened], cut=_cut(report))
    doubts = [*_doubts(report, (old, new), {model for model, _, _ in opened})]
    for doubt in doubts:
        complain(f"no verdict: {doubt}")
    return running.interrupted(signal) if signal else judge(Facts(findings=told_of, away=doubts)).exit_code


def _compared(report: Report, pair: Pair) -> int:
    """How much both were asked."""
    return pair.compared + pair.rows + _by_law(report, pair)


def _by_law(report: Report, pair: Pair) -> int:
    """How much of that is judged by laws: streams, spans, and what is encoded again."""
    others = (one for one in report.pairs if one.model == pair.model and one.is_oracle)  # none where it was interrupted
    of_laws = attrgetter("streams", "again", "again_rows", "spans")
    return sum(sum(map(min, of_laws(pair), of_laws(other))) for other in others)


def _count(report: Report, pair: Pair) -> None:
    """How much of a model was compared, and why not all.

    What is judged by laws is held against the other version only where a finding tells of it.
    """
    from tokparity.report.extent import put_of

    found = pair.mismatches + pair.failures + pair.decoding + pair.rows_differ
    equal = "no difference was found" if _by_law(report, pair) else "all are equal"
    differ = f"{found:,} differ" if found else equal
    put = put_of(report.puts, pair.model)
    cut = "" if put is None or put.is_all or report.is_whole else f"; cut short: {put.told}"
    cases = count(_compared(report, pair), "case")
    say(SENTENCES["compared"].format(model=pair.model, cases=cases, differ=differ, cut=cut))
    for other in (other for other in report.pairs if other.model == pair.model):
        if other.unrecorded:
            file, are = other.engine.partition(":")[2], "is" if other.unrecorded == 1 else "are"
            whether = "whether it changed" if other.unrecorded == 1 else "whether they changed"
            say(f"  {count(other.unrecorded, 'case')} {are} not in {file!r}, so it is unknown {whether}")
        if other.is_oracle and other.failures:
            say(f"  {count(other.failures, 'case')} could not be compared: {other.engine} failed and returned no ids")
    for left_out in report.left_out:
        if left_out.model == pair.model:
            cases = count(left_out.cases, "case")
            say(shown(f"  {cases} were not run on {left_out.engine}: {left_out.why}"))


def _cut(report: Report) -> str:
    """How much of all was put, where the run was cut short; else nothing."""
    cut = [put for put in report.puts if not put.is_all]
    if report.is_whole or not cut:
        return ""
    return f"; cut short: {', '.join(f'{put.told} of {put.model}' for put in cut)}"


def _opening(report: Report, model: str, old: str, new: str) -> tuple[str, Fate, str] | None:
    """What changed where only one of the two opens a model; None where both do, or where that says nothing of them."""
    pairs = {pair.engine: pair for pair in report.pairs if pair.model == model}
    opening = [name for name, pair in pairs.items() if pair.version]
    # What was given no file of the model could not refuse it.
    refusing = [name for name, pair in pairs.items() if pair.unavailable and pair.source and not pair.version]
    if len(refusing) != 1 or len(opening) != 1:
        return None
    fate: Fate = "gone" if refusing == [old] else "new"
    why = pairs[refusing[0]].unavailable
    return model, fate, f"{refusing[0]} refuses this model, {opening[0]} opens it: {why}"[:400]


def _doubts(report: Report, names: Sequence[str], told: Collection[str]) -> Iterator[str]:
    """Why nobody can say of a model whether it changed; but for those of which it is `told` that one refuses them."""
    from tokparity.report.extent import put_of

    yield from map(str, report.refused)
    for model in report.models():
        pairs = [pair for pair in report.pairs if pair.model == model and pair.engine in names]
        lost = [pair for pair in pairs if pair.unavailable]
        put = put_of(report.puts, model)
        if model in told:
            continue
        if lost:
            yield f"engine {lost[0].engine!r} could not be run on {model!r}: {lost[0].unavailable}"
        elif not any(_compared(report, pair) for pair in pairs if pair.engine == names[1]):
            recorded = f"; {_SAME}" if any(name.startswith("replay:") for name in names) else ""
            none = f"there is no question that both could be asked{recorded}"
            yield f"nothing was compared on {model!r}: {none if report.is_whole else 'the run ended before that'}"
        elif put is not None and not put.is_probed:
            yield SENTENCES["cut short model"].format(model=model, put=put.told)
    if any(pair.unrecorded for pair in report.pairs):
        yield f"not all of it was recorded; {_SAME}"


def _told(
    old: str,
    new: str,
    changes: Sequence[ChangedFinding],
    unknown: str = "not known",
    fates: Sequence[Fate] = (),
    cut: str = "",
) -> list[str]:
    """Print all changes, with those whose `fates` were told before, and give their number, if there are any.

    `unknown` is said where nobody knows what was given, and `cut` at the end.
    """
    from tokparity.report.render.causes import title

    for change in changes:
        finding = change.finding
        cause = " + ".join(finding.quirks) or finding.smallest.kind
        head = f"{change.fate:8}{finding.model}: {cause} ({finding.status}, {finding.cases})"
        say(shown(f"{head}  {finding.smallest.case.question.literal}"[:400]))
        for name, outcome in ((old, change.old), (new, change.new)):
            say(shown(f"        {name}: {told(outcome, unknown)}"))
        if finding.quirks:
            say(shown(f"        {finding.engine}: {title(finding)}"))
        if finding.alternatives:
            others = ", ".join(" + ".join(names) for names in finding.alternatives)
            say(shown(f"        or {others}: each fits all these texts"))
    every = [*fates, *(change.fate for change in changes)]
    counts = ", ".join(f"{every.count(fate)} {fate}" for fate in FATES)
    sentence = SENTENCES["versions"].format(old=old, new=new, counts=counts, cut=cut)
    say(sentence)
    return [sentence] if every else []
