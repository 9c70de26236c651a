"""Planted faults: every quirk on toy, embedded and real models, found by our search and by llama.cpp's generators.

The other side are the five generators that `tests/test-tokenizer-random.py` of llama.cpp runs by default,
reimplemented from their description, in the order in which it runs them, on the same budget.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any

from tokparity import generators, models, quirks
from tokparity.batches import CorpusCases, batches
from tokparity.behaviour import Behaviour
from tokparity.errors import TokparityError
from tokparity.finding import Mismatch
from tokparity.generators import apostrophes, ascii_spaces, code_points, special_tokens, vocabulary_words
from tokparity.generators.subject import Subject
from tokparity.in_process import InProcess, answers
from tokparity.judge import REFERENCE, Batch, Judge
from tokparity.outcome import Case
from tokparity.plan import Clock
from tokparity.reference.tokenizer import Tokenizer
from tokparity.search import Search, shrunk
from tokparity.steering import Steering

if TYPE_CHECKING:
    from rich.table import Table

    from tokparity.quirk import Quirk

NAME = "faults"
TITLE = "every quirk planted: found or not, how soon, and how short the text is"

TOYS = "toys"
EMBEDDED = ("small-spm", "small-unigram", "small-bpe", "small-wordpiece")
REAL = ("llama-spm", "gpt-2", "nomic-bert-moe")
_TRIED = 2000
"""Texts by which it is seen which fields of a behaviour are read at all."""

_CHUNK = 512

_LONGEST = 4000
"""Bytes of the longest corpus texts by which it is told whether a fault shows at all."""


@dataclass(frozen=True)
class Find:
    """How a fault was found: after how many cases and seconds, on which text."""

    cases: int
    seconds: float
    mismatch: Mismatch


@dataclass(frozen=True)
class Row:
    """One quirk on one model; None where it was not found. `shrunk` is the shortest text."""

    model: str
    quirk: str
    ours: Find | None
    theirs: Find | None
    shrunk: bytes | None
    shows: bool = True
    """Whether there is a text that shows it: one of ours or theirs, or one of the corpora."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    choice = (TOYS, *EMBEDDED, *REAL)
    parser.add_argument("words", nargs="*", metavar="MODEL", help=f"models (default: {', '.join(choice)})")
    parser.add_argument("--quirk", action="append", default=[], metavar="Q", help="only this quirk (again for more)")
    parser.add_argument("--seconds", type=float, default=30.0, metavar="N", help="budget for each fault (default 30)")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--ours-only", action="store_true", help="leave the other generators out")


def main(args: argparse.Namespace) -> int:
    """Plant, search, shrink, print; exit 1 if a fault was missed that some text shows."""
    from rich.console import Console

    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=140)
    chosen = [quirks.get(name) for name in args.quirk] or list(quirks.all_quirks())
    rows: list[Row] = []
    for name in args.words or (TOYS, *EMBEDDED, *REAL):
        try:
            planted = list(_planted(name, chosen))
        except TokparityError as error:
            console.print(f"{name}: left out, {error}", markup=False)
            continue
        found = [_row(name, quirk, tokenizer, args) for quirk, tokenizer in planted]
        console.print(_table(name, found))
        rows += found
    for line in _summary(rows, args.seconds):
        console.print(line, markup=False, soft_wrap=True)
    return int(any(row.ours is None and (row.shows or row.model == TOYS) for row in rows))


def _planted(name: str, chosen: Sequence[Quirk]) -> Iterator[tuple[Quirk, Tokenizer]]:
    """The quirks that change something, each with the tokenizer that is to be flipped."""
    if name == TOYS:
        for quirk in chosen:
            if quirk.witness is not None:
                witness = quirk.witness()
                yield quirk, Tokenizer(witness.vocabulary, witness.behaviour)
        return
    source = models.primary_source(models.resolve(name))
    tokenizer = Tokenizer(source.vocabulary, source.behaviour)
    read = _fields_read(tokenizer)
    for quirk in chosen:
        if quirk.field in read and quirk.flip(source.behaviour) != source.behaviour:
            yield quirk, tokenizer


def _fields_read(tokenizer: Tokenizer) -> set[str]:
    """The fields that the tokenizer looks at for some text: a quirk on any other cannot change a thing."""
    seen: set[str] = set()

    class Watched(Behaviour):
        def __getattribute__(self, name: str) -> Any:
            seen.add(name)
            return super().__getattribute__(name)

    values = {name: getattr(tokenizer.behaviour, name) for name in Behaviour.__dataclass_fields__}
    watched = Tokenizer(tokenizer.vocabulary, Watched(**values))
    subject = Subject(tokenizer.vocabulary, tokenizer.behaviour)
    steering = Steering(subject, generators.names(), 0)
    cases: list[Case] = []
    while len(cases) < _TRIED:
        cases += steering.plan().cases
    seen.clear()  # building it may read any field
    Tokenizer(tokenizer.vocabulary, Watched(**values))
    for case in cases:
        watched.decode(watched.encode(case.text, case.add_special, case.parse_special), True)
    return seen


def _row(name: str, quirk: Quirk, tokenizer: Tokenizer, args: argparse.Namespace) -> Row:
    flipped = Tokenizer(tokenizer.vocabulary, quirk.flip(tokenizer.behaviour))
    engine = f"{REFERENCE}+{quirk.name}"
    subject = Subject(tokenizer.vocabulary, tokenizer.behaviour)
    panel = InProcess({REFERENCE: tokenizer, engine: flipped})
    judge = Judge(name, REFERENCE, tokenizer.vocabulary.pieces)
    ours = _ours(subject, panel, judge, engine, args)
    short = None
    if ours is not None:
        deadline = Clock(time.monotonic() + args.seconds)
        short = shrunk(ours.mismatch, panel, judge, deadline.over).case.text
    theirs = None if args.ours_only else _theirs(subject, tokenizer, flipped, judge, engine, args.seconds)
    shows = ours is not None or theirs is not None or _shows(panel, judge, engine)
    return Row(name, quirk.name, ours, theirs, short, shows)


def _shows(panel: InProcess, judge: Judge, engine: str) -> bool:
    """Whether any text of the corpora shows the fault, with any flags."""
    for add_special in (True, False):
        for cases in batches(
            replace(case, add_special=add_special) for case in CorpusCases(()) if len(case.text) <= _LONGEST
        ):
            for batch in panel.results([cases], lambda: False):
                if next(replace(judge, tallies={}).judge(batch, [engine]), None) is not None:
                    return True
    return False


def _ours(subject: Subject, panel: InProcess, judge: Judge, engine: str, args: argparse.Namespace) -> Find | None:
    """Search until the first mismatch; the time includes looking the model over."""
    started = time.monotonic()
    clock = Clock(started + args.seconds)
    search = Search(subject, judge, [engine], Steering(subject, generators.names(), args.seed))
    for plan, found in search.mismatches(panel, clock.over):
        if found:
            smallest = min(found, key=lambda mismatch: (len(mismatch.case.text), mismatch.case.text))
            before = search.cases - len(plan.cases) + plan.cases.index(found[0].case)
            return Find(before + 1, time.monotonic() - started, smallest)
    return None


def _theirs(
    subject: Subject, tokenizer: Tokenizer, flipped: Tokenizer, judge: Judge, engine: str, seconds: float
) -> Find | None:
    """The five default generators one after the other, special tokens added and parsed, as the script does it."""
    started = time.monotonic()
    done = 0
    asking = replace(judge, tallies={})
    for cases in _their_cases(subject):
        batch = Batch(cases, {REFERENCE: answers(tokenizer, cases), engine: answers(flipped, cases)})
        for mismatch in asking.judge(batch, [engine]):
            return Find(done + cases.index(mismatch.case) + 1, time.monotonic() - started, mismatch)
        done += len(cases)
        if time.monotonic() > started + seconds:
            return None
    return None


def _their_cases(subject: Subject) -> Iterator[list[Case]]:
    streams = (
        ascii_spaces.in_order(),
        apostrophes.in_order(),
        code_points.in_order(),
        vocabulary_words.in_order(subject),
        special_tokens.in_order(subject),
    )
    cases: list[Case] = []
    for stream in streams:
        for text in stream:
            cases.append(Case(text, add_special=True, parse_special=True))
            if len(cases) == _CHUNK:
                yield cases
                cases = []
    yield cases


def _table(name: str, rows: Sequence[Row]) -> Table:
    from rich.table import Table

    table = Table(title=f"faults planted in {name}")
    for title in ("quirk", "cases", "seconds", "shrunk to", "text", "their cases", "their seconds"):
        table.add_column(title, justify="left" if title in ("quirk", "text") else "right", no_wrap=True)
    for row in rows:
        ours = ("-", "-") if row.ours is None else (str(row.ours.cases), f"{row.ours.seconds:.2f}")
        theirs = ("-", "-") if row.theirs is None else (str(row.theirs.cases), f"{row.theirs.seconds:.2f}")
        text = "" if row.shrunk is None else ascii(row.shrunk.decode("utf-8", "surrogateescape"))
        length = "-" if row.shrunk is None else str(_code_points(row.shrunk))
        table.add_row(row.quirk, *ours, length, text if len(text) < 30 else text[:27] + "...", *theirs)
    return table


def _code_points(text: bytes) -> int:
    return len(text.decode("utf-8", "surrogateescape"))


def _summary(rows: Sequence[Row], budget: float) -> Iterator[str]:
    silent = [f"{row.quirk} in {row.model}" for row in rows if not row.shows]
    rows = [row for row in rows if row.shows]
    found = [row for row in rows if row.ours is not None]
    theirs = [row for row in rows if row.theirs is not None]
    yield f"found {len(found)} of {len(rows)} planted faults within {budget:g} s each; the others: {len(theirs)}"
    if found:
        lengths = [_code_points(row.shrunk) for row in found if row.shrunk is not None]
        yield (
            f"median {median(row.ours.seconds for row in found if row.ours):.2f} s to the first find; shrunk to "
            f"median {median(lengths):g}, at most {max(lengths)} code points"
        )
    if silent:
        yield f"{len(silent)} more change nothing that any text shows, corpora included: {', '.join(silent)}"
    for row in rows:
        if row.ours is None:
            yield f"not found: {row.quirk} in {row.model}" + (", which the five generators found" if row.theirs else "")
        elif row.theirs and row.theirs.cases < row.ours.cases and row.theirs.seconds < row.ours.seconds:
            yield f"found later than by the five generators: {row.quirk} in {row.model}"
