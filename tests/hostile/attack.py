"""The long form: `python -m tests.hostile.attack --mutants 10000 --seed S` prints attack, tried, held, broke.

What broke is kept with `--keep FOLDER`; the exit code is 1 if anything did.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path

from tests.hostile.targets import Target, targets
from tests.hostile.trial import what_broke


@dataclass(frozen=True)
class Attacked:
    """One mutant and what it did."""

    target: str
    mutator: str
    seed: str
    broke: str


def warm_up(folder: Path) -> None:
    """What every child would load is loaded once, before they fork."""
    for target in targets():
        tried(target, None, folder)


def tried(target: Target, seed: str | None, folder: Path, keep: Path | None = None) -> Attacked:
    """One mutant of a target (None: the file as it is) put to the trial in a folder."""
    mutator, files = ("nothing", target.files) if seed is None else target.mutant(seed)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    broke = what_broke(folder / target.read)
    for name in files:
        if broke and keep:
            (keep / f"{seed}-{name}").write_bytes(files[name])
        (folder / name).unlink()
    return Attacked(target.name, mutator, str(seed), broke)


def attacks(mutants: int, seed: int, keep: Path | None = None, seconds: float = inf) -> Iterator[Attacked]:
    """So many mutants, of each target in turn, or fewer if the time is over."""
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        warm_up(Path(folder))
        for n in range(mutants):
            if time.monotonic() > until:
                break
            yield tried(targets()[n % len(targets())], f"{seed}-{n}", Path(folder), keep)


def main() -> int:
    """Attack, print the table and what broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="stop after so many")
    parser.add_argument("--keep", type=Path, help="a folder for the mutants that broke something")
    args = parser.parse_args()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    tried_by: Counter[str] = Counter()
    broken: list[Attacked] = []
    for attacked in attacks(args.mutants, args.seed, args.keep, args.seconds):
        tried_by[attacked.target] += 1
        if attacked.broke:
            broken.append(attacked)
            print(
                f"{attacked.target} {attacked.mutator} {attacked.seed}: {attacked.broke}", file=sys.stderr, flush=True
            )
    broke_by = Counter(attacked.target for attacked in broken)
    print(f"{'attack':20} {'tried':>7} {'held':>7} {'broke':>7}   (seed {args.seed})")
    for name in (*(target.name for target in targets()), "all"):
        count, broke = (tried_by.total(), broke_by.total()) if name == "all" else (tried_by[name], broke_by[name])
        print(f"{name:20} {count:7} {count - broke:7} {broke:7}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
