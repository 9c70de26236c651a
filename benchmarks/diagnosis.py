"""Planted faults, diagnosed: every quirk, and pairs of them, on toy, embedded and real models."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from statistics import median
from typing import TYPE_CHECKING

from tokparity import generators, models, quirks
from tokparity.case import AnyCase, Case, Origin, TextCase, text_case
from tokparity.diagnose import Ask, Base, Explanation, diagnose
from tokparity.diagnose.faulty_engine import FaultyEngine as Planted
from tokparity.errors import TokparityError
from tokparity.fuzz.steering import Steering
from tokparity.generators.subject import Subject
from tokparity.outcome import Outcome
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources import corpus

if TYPE_CHECKING:
    from rich.console import Console

    from tokparity.finding import Control, Mismatch
    from tokparity.quirk import Quirk

NAME = "diagnosis"
TITLE = "every quirk and pairs of quirks planted: named, or named otherwise but the same, or missed"

TOYS = "toys"
MODELS = (TOYS, "small-spm", "small-unigram", "small-bpe", "small-wordpiece", "llama-spm", "gpt-2", "nomic-bert-moe")
MISMATCHES, CONTROLS, CASES, FRESH = 2000, 200, 2500, 1000
GOOD = ("exact", "exact in clusters", "alternative", "equivalent", "all that was shown")
"""In clusters: each quirk, and both together, have mismatches of their own."""
_CORPORA = ("whitespace", "special_tokens", "normalisation", "letter_case", "invalid_utf8", "unusual_code_points")


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
    rows: list[Row] = []
    for name in args.words or MODELS:
        try:
            subjects = list(_subjects(name, chosen))
        except TokparityError as error:
            console.print(f"{name}: left out, {error}", markup=False)
            continue
        for subject in subjects:
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


def _subjects(name: str, chosen: Sequence[Quirk]) -> Iterator[_Subject]:
    if name != TOYS:
        source = models.primary_source(models.resolve(name))
        yield _Subject(name, Tokenizer(source.vocabulary, source.behaviour), chosen)
        return
    for quirk in chosen:
        if quirk.witness is not None:
            witness = quirk.witness()
            origin = Origin("given", "witness")
            case = text_case(witness.text, witness.add_special, witness.parse_special, origin)
            yield _Subject(TOYS, Tokenizer(witness.vocabulary, witness.behaviour), [quirk], [case])


class _Subject:
    """One model in which faults are planted."""

    def __init__(self, name: str, tokenizer: Tokenizer, chosen: Sequence[Quirk], more: Sequence[TextCase] = ()) -> None:
        self._name = name
        self._tokenizer = tokenizer
        self._chosen = [q for q in chosen if q.flip(tokenizer.behaviour) != tokenizer.behaviour]
        subject = Subject(tokenizer.vocabulary, tokenizer.behaviour)
        cases = [*more, *_cases(subject)]
        self._bases = [Base(tokenizer.vocabulary, tokenizer.behaviour)]
        self._cases, self._fresh = cases[:-FRESH], cases[-FRESH:]
        self._known: dict[AnyCase, Outcome] = {}

    def rows(self, args: argparse.Namespace) -> Iterator[Row]:
        """Singles (with the first part of the pairs), then pairs."""
        place, parts = args.part
        shown: list[Quirk] = []
        for quirk in self._chosen:
            if place > 1:
                shown += [quirk] if self._evidence((quirk,), 1, 0)[1] else []
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
        behaviour = self._tokenizer.behaviour
        flipped = quirks.flip_all(planted, behaviour)
        if any(flipped == quirk.flip(behaviour) for quirk in planted if len(planted) > 1):
            return None
        deviant, mismatches, controls = self._evidence(planted)
        if not mismatches:
            return None
        started = time.monotonic()
        ask = None if args.stored else _asking(deviant)
        found = diagnose(self._bases, mismatches, controls, quirks.all_quirks(), ask)
        seconds = time.monotonic() - started
        names = tuple(sorted(quirk.name for quirk in planted))
        verdict = self._verdict(names, found, deviant)
        return Row(self._name, names, verdict, _shown(found), seconds)

    def _evidence(
        self, planted: tuple[Quirk, ...], mismatches: int = MISMATCHES, controls: int = CONTROLS
    ) -> tuple[Planted, list[Mismatch], list[Control]]:
        wrong = self._tokenizer.with_behaviour(quirks.flip_all(planted, self._tokenizer.behaviour))
        deviant = Planted(self._tokenizer, wrong, self._name, known=self._known)
        return deviant, *deviant.evidence(self._cases, mismatches, controls)

    def _verdict(self, planted: tuple[str, ...], found: Sequence[Explanation], deviant: Planted) -> str:
        if any(not explanation.quirks for explanation in found):
            return "unexplained"
        first = tuple(sorted({name for explanation in found for name in explanation.quirks}))
        in_clusters = len({explanation.aspect for explanation in found}) < len(found)
        if first == planted:
            return "exact in clusters" if in_clusters else "exact"
        if in_clusters:
            return "in clusters"
        for choice in product(*((explanation.quirks, *explanation.alternatives) for explanation in found)):
            if tuple(sorted({name for part in choice for name in part})) == planted:
                return "alternative"
        if any(name not in quirks.names() for name in first):
            return "wrong"
        flipped = quirks.flip_all([quirks.get(name) for name in first], self._tokenizer.behaviour)
        again = Planted(self._tokenizer, self._tokenizer.with_behaviour(flipped))
        pairs = [(again.ask([case])[0], deviant.ask([case])[0]) for case in self._fresh]
        if all(ours == theirs for ours, theirs in pairs):
            return "equivalent"
        # Decoding is judged where the ids are right. If they never were, a fault in it was not in the evidence.
        ids_alone = all(explanation.aspect == "ids" for explanation in found)
        same_ids = all(getattr(ours, "ids", None) == getattr(theirs, "ids", None) for ours, theirs in pairs)
        return "all that was shown" if ids_alone and same_ids else "wrong"


def _asking(deviant: Planted) -> Ask:
    """How the diagnosis puts texts to the deviant tokenizer; it has nothing else to ask about texts."""

    def ask(cases: Sequence[AnyCase]) -> list[Outcome]:
        return deviant.ask([Case(case.question, case.origin) for case in cases if isinstance(case.question, Encode)])

    return ask


def _cases(subject: Subject) -> list[TextCase]:
    """Generated texts and corpora, in a fixed mixed order, so that the last of them are like the others."""
    steering = Steering(subject, generators.names(), 0)
    cases: list[TextCase] = []
    while len(cases) < CASES:
        cases += steering.plan().cases
    for name in _CORPORA:
        for case in islice(corpus.load(name), 300):
            asked = case.question
            if len(asked.text) <= 2000:
                cases += [case, text_case(asked.text, not asked.add_special, not asked.parse_special, case.origin)]
    cases = list(dict.fromkeys(cases))
    random.Random(0).shuffle(cases)
    return cases


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
