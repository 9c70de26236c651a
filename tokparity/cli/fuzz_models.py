"""`tokparity fuzz --generated-models N`: runs engines on generated models, and prints the result."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokparity.cli.console import say, terminal
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.cli.running import interrupted
from tokparity.errors import UsageError
from tokparity.questions.json_text import literal, to_json

if TYPE_CHECKING:
    from rich.console import Console

    from tokparity.fuzz.groups import Group, Total
    from tokparity.fuzz.models import ModelFuzz
    from tokparity.generators.blueprint import Blueprint
    from tokparity.session.clock import Clock

_EVERY = 30.0  # seconds between two lines where there is no terminal


def fuzz_models(args: argparse.Namespace) -> int:
    """Run, print the groups, write them; exit 1 if one of them is unexplained."""
    from tokparity.cli.signals import ended_by_signals
    from tokparity.engines.process.temporary import TemporaryFolder
    from tokparity.fuzz.generated_models import ENGINES, Models
    from tokparity.fuzz.models import CASES, ModelFuzz
    from tokparity.generators.blueprint import PLAIN
    from tokparity.session.clock import Clock

    if args.words or args.resume:
        raise UsageError("--generated-models takes no MODEL and no --resume", "leave them out")
    console = terminal(stderr=True)
    names = tuple(dict.fromkeys(args.engine)) or ENGINES
    with (
        TemporaryFolder() as folder,
        Models(Path(folder), names, PLAIN) as models,
        ended_by_signals() as stop,
    ):
        for name, reason in models.unavailable.items():
            console.print(f"{name}: unavailable, {reason}", markup=False)
        clock = Clock(args.seconds, stop)
        clock.start()
        run = ModelFuzz(models, args.seed, args.cases or CASES, args.generator)
        _run(run, args.generated_models, clock, console)
    total = run.total
    for line in _lines(total):
        say(line)
    if args.out:
        _write(args.out, total, args.seed)
    if stop.signal:
        return interrupted(stop.signal)
    return DIFFERENT if any(not group.quirks for group in total.groups.values()) else 0


def _run(run: ModelFuzz, count: int, clock: Clock, console: Console) -> None:
    """All models, then what was left open, then the examples, with a line that says how far it is."""
    shown = time.monotonic()
    with console.status("generating models") as status:

        def say(line: str) -> None:
            nonlocal shown
            status.update(line)
            if not console.is_terminal and time.monotonic() > shown + _EVERY:
                shown = time.monotonic()
                console.print(line, markup=False, highlight=False)

        for total in run.run(count, clock.over):
            say(f"{_line(total)}, {total.open} texts to look at again")
        run.look_again()
        clock.afterwards()
        for done, groups in run.shrink(clock.spent):
            say(f"shrinking: {done} of {groups} groups")


def _line(total: Total) -> str:
    return f"{total.models} models, {total.cases} cases, {len(total.groups)} groups"


def _lines(total: Total) -> Iterator[str]:
    yield _line(total)
    for engine, count in sorted(total.asked.items()):
        yield f"{engine}: asked on {count} models"
    for (engine, reason), count in sorted(total.refused.items()):
        yield f"{engine}: {count} models left out, {reason}"
    for engine in sorted({engine for engine, _ in total.unexamined}):
        more = sum(number for (other, _), number in total.unexamined.items() if other == engine)
        yield f"{engine}: {more} more mismatches were counted and not looked at; nobody can say of what group they are"
    for group in total.shown():
        yield from _told(group)
    combined = list(total.combined())
    for engine in sorted({group.engine for group in combined}):
        own = [group for group in combined if group.engine == engine]
        yield (
            f"{engine}, several of these at once: {len(own)} combinations, {sum(g.mismatches for g in own)} texts; "
            f"the commonest: {', '.join('+'.join(group.quirks) for group in own[:3])}"
        )


def _told(group: Group) -> Iterator[str]:
    """One line where quirks explain it; where nothing does, the model as well."""
    algorithms = ", ".join(f"{name} {count}" for name, count in sorted(group.algorithms.items()))
    mismatch = group.smallest.mismatch
    remarks = "".join(f", {remark}" for remark in mismatch.case.question.remarks)
    yield (
        f"{group.engine}, {'+'.join(group.quirks) or 'UNEXPLAINED ' + group.aspect}: {group.models} models "
        f"({algorithms}), {group.mismatches} texts; smallest {mismatch.case.question.literal}{remarks}"
    )
    if not group.quirks:
        yield f"    {', '.join(f'{name} {count}' for name, count in group.kinds.most_common(5))}"
        yield f"    {json.dumps(_described(group.smallest.blueprint), ensure_ascii=True)}"
        yield f"    expected {_ids(mismatch.expected)}, {group.engine} gave {_ids(mismatch.actual)}"


def _ids(outcome: Any) -> str:
    if not hasattr(outcome, "ids"):
        return f"{outcome.kind}: {outcome.message[:80]}"
    return f"{list(outcome.ids)}" + ("" if outcome.decoded is None else f", decoded to {literal(outcome.decoded)}")


def _described(blueprint: Blueprint) -> dict[str, Any]:
    """A blueprint as JSON; byte pieces are only counted where all are there."""
    entries = [[to_json(entry.piece), entry.kind.name.lower(), entry.score] for entry in blueprint.entries]
    byte_pieces = [entry for entry in entries if entry[1] == "byte"]
    if len(byte_pieces) > 16:
        entries = [entry for entry in entries if entry[1] != "byte"] + [
            [f"{len(byte_pieces)} byte pieces", "byte", 0.0]
        ]
    if len(entries) > 200:
        entries = [*entries[:4], [f"{len(entries) - 24} more", "normal", 0.0], *entries[-20:]]
    return {
        "algorithm": blueprint.algorithm,
        "entries": entries,
        "merges": [[to_json(left), to_json(right)] for left, right in blueprint.merges],
        "charsmap": list(blueprint.charsmap),
        "pre": blueprint.pre.decode(),
        "flags": list(blueprint.flags),
        "added": [asdict(token) for token in blueprint.added],
    }


def _write(out: Path, total: Total, seed: int) -> None:
    """`generated.jsonl`: one group per line, with its model."""
    from tokparity.cli.report_files import make_directory
    from tokparity.report.record import to_record

    make_directory(out)
    with (out / "generated.jsonl").open("w", encoding="utf-8") as file:
        head = {"type": "generated", "seed": seed, "models": total.models, "cases": total.cases}
        file.write(literal({**head, "asked": dict(total.asked)}) + "\n")
        for group in [*total.shown(), *total.combined()]:
            record = {
                "type": "group",
                "engine": group.engine,
                "aspect": group.aspect,
                "algorithms": dict(group.algorithms),
                "kinds": dict(group.kinds),
                "quirks": list(group.quirks),
                "models": group.models,
                "mismatches": group.mismatches,
                "smallest": to_record(group.smallest.mismatch),
                "model": _described(group.smallest.blueprint),
            }
            file.write(literal(record) + "\n")
