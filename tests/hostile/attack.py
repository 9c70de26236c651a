"""The long form: `python -m tests.hostile.attack --mutants 10000 --seed S` prints attack, tried, held, broke.

Mutated model files, engines with faults, runs that are killed, disks that are full; each number can be 0. A mutant that
broke something is kept with `--keep FOLDER`; the exit code is 1 if anything broke.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from math import inf
from pathlib import Path

from tests.hostile import commands, disks, faulty_engines, interrupts, killer, sweep_killer, tampered
from tests.hostile.readings import REPORT_NAME
from tests.hostile.report_mutants import REPORT
from tests.hostile.targets import Target, others, targets
from tests.hostile.trial import what_broke

TOLD_EVERY = 30.0
"""Seconds between two lines that say how far it is: a busy machine is to be told from one that hangs."""


@dataclass(frozen=True)
class Attacked:
    """One mutant and what it did."""

    target: str
    mutator: str
    seed: str
    broke: str


def warm_up(folder: Path) -> None:
    """What every child would load is loaded once, before they fork."""
    for target in every_target():
        tried(target, None, folder)


def tried(target: Target, seed: str | None, folder: Path, keep: Path | None = None) -> Attacked:
    """One mutant of a target (None: the file as it is) put to the trial in a folder."""
    mutator, files = ("nothing", target.files) if seed is None else target.mutant(seed)
    target.write(folder, mutator, files)
    broke = what_broke(folder / target.read)
    for name in files:
        if broke and keep:
            (keep / f"{seed}-{name}").write_bytes(files[name])
        (folder / name).unlink()
    return Attacked(target.name, mutator, str(seed), broke)


def every_target() -> tuple[Target, ...]:
    """All files that are mutated."""
    return (*targets(), *others(), report_target())


@cache
def report_target() -> Target:
    """A report, which is mutated like a model."""
    with tempfile.TemporaryDirectory() as folder:
        disks.prepare(Path(folder))
        data = (Path(folder) / REPORT_NAME).read_bytes()
    return Target("report", {REPORT_NAME: data}, REPORT_NAME, REPORT_NAME, REPORT)


def attacks(mutants: int, seed: int, keep: Path | None = None) -> Iterator[Attacked]:
    """So many mutants, of each target in turn."""
    with tempfile.TemporaryDirectory() as folder:
        every = every_target()
        warm_up(Path(folder))
        for n in range(mutants):
            yield tried(every[n % len(every)], f"{seed}-{n}", Path(folder), keep)


def faults(count: int, seed: int) -> Iterator[Attacked]:
    """So many faulty engines, of each kind in turn."""
    for n in range(count):
        kind, broke = faulty_engines.attack(f"{seed}-{n}", n)
        yield Attacked("engine faults", kind, f"{seed}-{n}", broke)


def kills(count: int, seed: int) -> Iterator[Attacked]:
    """So many commands that are killed, each kind in turn and in a folder of its own."""
    every = {name: partial(killer.attack, name) for name in killer.COMMANDS} | {"sweep": sweep_killer.attack}
    for n in range(count):
        name = [*every][n % len(every)]
        with tempfile.TemporaryDirectory() as folder:
            what, broke = every[name](f"{seed}-{n}", Path(folder))
        yield Attacked(f"kill -9 of {name}", what, f"{seed}-{n}", broke)


def full_disks(count: int, seed: int) -> Iterator[Attacked]:
    """So many commands whose disk is too small."""
    with tempfile.TemporaryDirectory() as prepared:
        if count:
            disks.prepare(Path(prepared))
        for n in range(count):
            with tempfile.TemporaryDirectory() as folder:
                what, broke = disks.attack(f"{seed}-{n}", Path(prepared), Path(folder))
            yield Attacked("full disk", what, f"{seed}-{n}", broke)


def whole_commands(count: int, seed: int) -> Iterator[Attacked]:
    """So many commands on mutated models and reports."""
    with tempfile.TemporaryDirectory() as prepared:
        if count:
            disks.prepare(Path(prepared))
        for n in range(count):
            with tempfile.TemporaryDirectory() as folder:
                what, broke = commands.attack(f"{seed}-{n}", n, Path(prepared), Path(folder))
            yield Attacked(what.partition(" ")[0], what, f"{seed}-{n}", broke)


def interrupted(count: int, seed: int) -> Iterator[Attacked]:
    """So many commands that are told to end, each of them in turn."""
    for n in range(count):
        with tempfile.TemporaryDirectory() as folder:
            what, broke = interrupts.attack(f"{seed}-{n}", n, Path(folder))
        yield Attacked("SIGINT, SIGTERM", what, f"{seed}-{n}", broke)


def tampered_files(count: int, seed: int) -> Iterator[Attacked]:
    """So many commands on files that were tampered with."""
    with tempfile.TemporaryDirectory() as prepared:
        if count:
            tampered.prepare(Path(prepared))
        for n in range(count):
            with tempfile.TemporaryDirectory() as folder:
                what, broke = tampered.attack(f"{seed}-{n}", n, Path(prepared), Path(folder))
            yield Attacked("tampered file", what, f"{seed}-{n}", broke)


def table(tried_by: Counter[str], broke_by: Counter[str], seed: int) -> Iterator[str]:
    """Attack, tried, held, broke."""
    yield f"{'attack':20} {'tried':>7} {'held':>7} {'broke':>7}   (seed {seed})"
    rows = [(name, count, broke_by[name]) for name, count in tried_by.items()]
    for name, count, broke in (*rows, ("all", tried_by.total(), broke_by.total())):
        yield f"{name:20} {count:7} {count - broke:7} {broke:7}"


def count(each: Iterable[Attacked], until: float, tried_by: Counter[str], broke_by: Counter[str]) -> None:
    """Count the attacks as they come; what broke is told at once, and now and then how far it is."""
    told = time.monotonic()
    for attacked in each:
        tried_by[attacked.target] += 1
        if attacked.broke:
            broke_by[attacked.target] += 1
            say(f"{attacked.target} {attacked.mutator} {attacked.seed}: {attacked.broke}")
        if time.monotonic() > told + TOLD_EVERY:
            told = time.monotonic()
            say(f"{tried_by.total()} tried, {broke_by.total()} broke; now {attacked.target} {attacked.seed}")
        if time.monotonic() > until:
            return


def say(line: str) -> None:
    """A line for whoever watches."""
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Attack, print the table and what broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=10_000, help="mutated model files")
    parser.add_argument("--faults", type=int, default=100, help="engines with a fault")
    parser.add_argument("--kills", type=int, default=500, help="commands that are killed, five in turn")
    parser.add_argument("--disks", type=int, default=30, help="commands on a full disk")
    parser.add_argument("--commands", type=int, default=500, help="commands on mutated models and reports")
    parser.add_argument("--interrupts", type=int, default=100, help="commands that are told to end, each in turn")
    parser.add_argument("--tampered", type=int, default=300, help="commands on files that were tampered with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="begin no attack later; the table says how many")
    parser.add_argument("--keep", type=Path, help="a folder for the mutants that broke something")
    args = parser.parse_args()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    tried_by: Counter[str] = Counter()
    broke_by: Counter[str] = Counter()
    each = chain(
        attacks(args.mutants, args.seed, args.keep) if args.mutants else (),
        faults(args.faults, args.seed),
        kills(args.kills, args.seed),
        full_disks(args.disks, args.seed),
        whole_commands(args.commands, args.seed),
        interrupted(args.interrupts, args.seed),
        tampered_files(args.tampered, args.seed),
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # the table says how far it came
        count(each, time.monotonic() + args.seconds, tried_by, broke_by)
    for line in table(tried_by, broke_by, args.seed):
        print(line)
    return 1 if broke_by else 0


if __name__ == "__main__":
    sys.exit(main())
