"""Planted faults, diagnosed: every quirk, and pairs of them, on toy, embedded and real models."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from statistics import median
from typing import TYPE_CHECKING, TypeVar

from benchmarks import leave_one_out
from benchmarks.subjects import TOYS, Planting, asking, plantings
from tokparity import quirks
from tokparity.diagnose import Explanation, diagnose
from tokparity.errors import TokparityError

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.faulty_engine import FaultyEngine
    from tokparity.quirk import Quirk

Some = TypeVar("Some")

NAME = "diagnosis"
TITLE = "every quirk and pairs of quirks planted: named, or named otherwise but the same, or missed"

MODELS = (TOYS, "small-spm", "small-unigram", "small-bpe", "small-wordpiece", "llama-spm", "gpt-2", "nomic-bert-moe")
FRESH = 1000
GOOD = ("exact", "exact in clusters", "alternative", "alternative in clusters", "equivalent", "all that was shown")
"""In clusters: each quirk, and both together, have mismatches of their own. An alternative gives the same on all that
was asked, and is told beside the first."""


@dataclass(frozen=True)
class Row:
    """One planted fault: which quirks, how it ended, what was found, in how many seconds."""

    model: str
    planted: tuple[str, ...]
    verdict: str
    found: str
    seconds: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("words", nargs="*", metavar="MODEL", help=f"models (default: {', '.join(MODELS)})")
    parser.add_argument("--pairs", type=int, default=25, metavar="N", help="pairs for each model; -1: all of them")
    parser.add_argument("--part", type=_part, default=(1, 1), metavar="K/N", help="the K-th of N parts of the pairs")
    parser.add_argument("--quirk", action="append", default=[], metavar="Q", help="plant only these")
    parser.add_argument("--stored", action="store_true", help="as from a stored report: the engine cannot be asked")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the choice of pairs")
    without = "hide each quirk that is planted, with its equals: nothing may be called verified that is not"
    parser.add_argument("--leave-one-out", action="store_true", help=without)


def _part(text: str) -> tuple[int, int]:
    place, _, parts = text.partition("/")
    if not (place.isdecimal() and parts.isdecimal() and 1 <= int(place) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text!r} is not K/N with K from 1 to N, like 1/4")
    return int(place), int(parts)


def main(args: argparse.Namespace) -> int:
    """Print a line for each failure and a summary; exit 1 if the targets are missed."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
    chosen = [quirks.get(name) for name in args.quirk] or list(quirks.all_quirks())
    if args.leave_one_out:
        return _leave_one_out(console, args, chosen)
    rows: list[Row] = []
    for name in args.words or MODELS:
        for subject in _had(console, name, partial(_subjects, name, chosen)):
            for row in subject.rows(args):
                rows.append(row)
                if row.verdict not in GOOD:
                    _tell(console, row)
        _summary(console, name, [row for row in rows if row.model == name])
    _summary(console, "all models", rows)
    singles = [row.verdict in GOOD for row in rows if len(row.planted) == 1]
    pairs = [row.verdict in GOOD for row in rows if len(row.planted) == 2]
    wrong = any(row.verdict == "wrong" for row in rows)
    return int(wrong or not all(singles) or sum(pairs) < 0.95 * len(pairs))


def _leave_one_out(console: Console, args: argparse.Namespace, chosen: Sequence[Quirk]) -> int:
    """Each quirk planted and hidden on each model; exit 1 if the targets are missed."""
    rows: list[leave_one_out.LeftOut] = []
    names = args.words or [name for name in MODELS if name != TOYS]
    for name in names:
        every = list(quirks.all_quirks())
        before = len(rows)
        for planting in _had(console, name, partial(plantings, name, every, leave_one_out.FRESH // 2, Planting)):
            for row in leave_one_out.left_out(planting, chosen, args.part):
                rows.append(row)
                console.print(leave_one_out.told(row), markup=False)
        console.print(leave_one_out.summary(name, rows[before:]), markup=False)
    console.print(leave_one_out.summary("all models", rows), markup=False)
    return leave_one_out.code(rows)


def _subjects(name: str, chosen: Sequence[Quirk]) -> Iterator[_Subject]:
    return plantings(name, chosen, FRESH, _Subject)


def _had(console: Console, name: str, make: Callable[[], Iterator[Some]]) -> list[Some]:
    """What is made of a model; nothing, and it is said why, where that cannot be had."""
    try:
        return list(make())
    except TokparityError as error:
        console.print(f"{name}: left out, {error}", markup=False)
        return []


class _Subject(Planting):
    """The faults of one model, diagnosed one after the other."""

    def rows(self, args: argparse.Namespace) -> Iterator[Row]:
        """Singles (with the first part of the pairs), then pairs."""
        place, parts = args.part
        shown: list[Quirk] = []
        for quirk in self.chosen:
            if place > 1:
                shown += [quirk] if self.evidence(self.faulty((quirk,)), 1, 0)[0] else []
                continue
            row = self._row((quirk,), args)
            if row is not None:
                shown.append(quirk)
                yield row
        # A quirk that no text shows takes part in no pair.
        pairs = [pair for pair in combinations(shown, 2) if not quirks.clash(*pair)]
        random.Random(args.seed).shuffle(pairs)
        pairs = pairs[place - 1 :: parts]
        found = 0
        for pair in pairs:
            if found == args.pairs:
                return
            row = self._row(pair, args)
            if row is not None:
                found += 1
                yield row

    def _row(self, planted: tuple[Quirk, ...], args: argparse.Namespace) -> Row | None:
        """The diagnosis of one fault; None where no text shows it, or where it is no more than a part of it."""
        behaviour = self.tokenizer.behaviour
        flipped = quirks.flip_all(planted, behaviour)
        if any(flipped == quirk.flip(behaviour) for quirk in planted if len(planted) > 1):
            return None
        deviant = self.faulty(planted)
        mismatches, controls = self.evidence(deviant)
        if not mismatches:
            return None
        started = time.monotonic()
        ask = None if args.stored else asking(deviant)
        found = diagnose(self.bases, mismatches, controls, quirks.all_quirks(), ask)
        seconds = time.monotonic() - started
        names = tuple(sorted(quirk.name for quirk in planted))
        verdict = self._verdict(names, found, deviant)
        return Row(self.name, names, verdict, _shown(found), seconds)

    def _verdict(self, planted: tuple[str, ...], found: Sequence[Explanation], deviant: FaultyEngine) -> str:
        if any(not explanation.quirks for explanation in found):
            return "unexplained"
        first = tuple(sorted({name for explanation in found for name in explanation.quirks}))
        in_clusters = len({explanation.aspect for explanation in found}) < len(found)
        if first == planted:
            return "exact in clusters" if in_clusters else "exact"
        for choice in product(*((explanation.quirks, *explanation.alternatives) for explanation in found)):
            if tuple(sorted({name for part in choice for name in part})) == planted:
                return "alternative in clusters" if in_clusters else "alternative"
        if in_clusters:
            return "in clusters"
        if any(name not in quirks.names() for name in first):
            return "wrong"
        again = self.faulty([quirks.get(name) for name in first])
        pairs = [(again.ask([case])[0], deviant.ask([case])[0]) for case in self.fresh]
        if all(ours == theirs for ours, theirs in pairs):
            return "equivalent"
        # Decoding is judged where the ids are right. If they never were, a fault in it was not in the evidence.
        ids_alone = all(explanation.aspect == "ids" for explanation in found)
        same_ids = all(getattr(ours, "ids", None) == getattr(theirs, "ids", None) for ours, theirs in pairs)
        return "all that was shown" if ids_alone and same_ids else "wrong"


def _shown(found: Sequence[Explanation]) -> str:
    parts = [
        "+".join(e.quirks) + "".join(f" or {'+'.join(a)}" for a in e.alternatives) if e.quirks else f"({e.nearest})"
        for e in found
    ]
    return "; ".join(parts)


def _tell(console: Console, row: Row) -> None:
    line = f"  {row.model}: {'+'.join(row.planted)} {row.verdict}: {row.found} ({row.seconds:.1f} s)"
    console.print(line, markup=False)


def _summary(console: Console, name: str, rows: Sequence[Row]) -> None:
    for count, title in ((1, "singles"), (2, "pairs")):
        some = [row for row in rows if len(row.planted) == count]
        if some:
            verdicts = Counter(row.verdict for row in some)
            good = sum(verdicts[verdict] for verdict in GOOD)
            told = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
            times = [row.seconds for row in some]
            line = (
                f"{name}: {good} of {len(some)} {title} ({told}); median {median(times):.2f} s, most {max(times):.1f}"
            )
            console.print(line, markup=False)
