"""Leave one out: a quirk is planted and hidden from the catalogue with its equals, so that no explanation is true.

What the diagnosis calls verified all the same is held against the engine on fresh texts.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from benchmarks.faulty_engine import FaultyEngine
from benchmarks.subjects import Planting, asking
from tokparity import quirks
from tokparity.case import AnyCase, Case, TextCase
from tokparity.diagnose import Explanation, diagnose
from tokparity.fuzz.steering import Steering
from tokparity.generators import names
from tokparity.generators.subject import Subject
from tokparity.outcome import Encoding, Outcome
from tokparity.questions import Decode

if TYPE_CHECKING:
    from tokparity.quirk import Quirk

FRESH = 2000
FALSE = "falsely verified"
EXPLAINED = ("equal", "false, not verified", FALSE)
"""The verdicts where everything was explained; only the first is right."""


@dataclass(frozen=True)
class LeftOut:
    """One quirk that was planted and hidden: what the diagnosis said, and on which fresh text it was wrong."""

    model: str
    planted: str
    hidden: int
    verdict: str
    found: str
    refuted_by: str
    seconds: float


def left_out(planting: Planting, chosen: Collection[Quirk], part: tuple[int, int]) -> Iterator[LeftOut]:
    """Of the `chosen` quirks that some text shows on a model, every `part[1]`-th from the `part[0]`-th on."""
    fresh = _fresh(planting)
    some = [quirk for quirk in planting.chosen if quirk in chosen]
    for quirk in some[part[0] - 1 :: part[1]]:
        row = _row(planting, quirk, fresh)
        if row is not None:
            yield row


def _row(planting: Planting, quirk: Quirk, fresh: Sequence[TextCase]) -> LeftOut | None:
    """The diagnosis of one fault; None where no text shows it."""
    engine = planting.faulty((quirk,))
    mismatches, controls = planting.evidence(engine)
    if not mismatches:
        return None
    hidden = _equals(planting, quirk, engine, [*(mismatch.case for mismatch in mismatches), *planting.cases, *fresh])
    started = time.monotonic()
    catalogue = [other for other in quirks.all_quirks() if other not in hidden]
    found = diagnose(planting.bases, mismatches, controls, catalogue, asking(engine))
    seconds = time.monotonic() - started
    verdict, text = judged(planting, engine, found, fresh)
    return LeftOut(planting.name, quirk.name, len(hidden), verdict, _shown(found), text, seconds)


def _equals(planting: Planting, quirk: Quirk, engine: FaultyEngine, cases: Sequence[AnyCase]) -> list[Quirk]:
    """The quirk and those that give the same on all cases, of which the first tell most apart."""
    gives = cache(lambda case: engine.ask([case]))
    others = {other: planting.faulty((other,)) for other in planting.chosen if other != quirk}
    return [quirk, *(other for other in others if all(others[other].ask([case]) == gives(case) for case in cases))]


def judged(
    planting: Planting, engine: FaultyEngine, found: Sequence[Explanation], fresh: Sequence[TextCase]
) -> tuple[str, str]:
    """How it ended, and the fresh text that refutes what was said."""
    explained = [one for one in found if one.quirks]
    whole = len(explained) == len(found)
    verified = [one for one in explained if one.status == "verified"]
    said = explained if whole else verified
    if not said:
        return ("in part" if explained else "unexplained"), ""
    refuted = _refuted(planting, engine, said, fresh, whole)
    if refuted is None:
        return ("equal" if whole else "verified in part, true"), ""
    return (FALSE if verified else "false, not verified"), refuted.question.literal[:100]


def _refuted(
    planting: Planting, engine: FaultyEngine, said: Sequence[Explanation], fresh: Sequence[TextCase], whole: bool
) -> AnyCase | None:
    """A fresh text on which the flips say another thing than the engine; where they explain only a part of what it
    does, one on which they say anything. Of a part that is about decoding alone, the engine's ids are decoded: it says
    nothing of how they come."""
    flips = [quirks.get(name) for name in dict.fromkeys(name for one in said for name in one.quirks)]
    aspects = {one.aspect for one in said}
    flipped = planting.faulty(flips)
    of_decoding = not whole and aspects == {"decode"}
    cases = (_decoding(engine, text) for text in fresh) if of_decoding else iter(fresh)
    for case in filter(None, cases):
        (ours,), (theirs,) = flipped.ask([case]), engine.ask([case])
        says_something = whole or not _same(ours, engine.expected(case), aspects)
        if says_something and not _same(ours, theirs, aspects):
            return case
    return None


def _decoding(engine: FaultyEngine, case: TextCase) -> AnyCase | None:
    """The question what the ids that the engine gives for a text decode to; None where it gives none."""
    (answer,) = engine.ask([case])
    return Case(Decode(answer.ids, skip_special=True), case.origin) if isinstance(answer, Encoding) else None


def _same(one: Outcome, other: Outcome, aspects: Collection[str]) -> bool:
    """Whether two outcomes are the same in what was explained; decoding is judged where the ids are right."""
    if not isinstance(one, Encoding) or not isinstance(other, Encoding):
        return one == other
    if one.ids != other.ids:
        return False
    return "decode" not in aspects or one.decoded == other.decoded


def _fresh(planting: Planting) -> list[TextCase]:
    """Texts of other seeds than those that the diagnosis was given, and those that were kept back."""
    subject = Subject(planting.tokenizer.vocabulary, planting.tokenizer.behaviour)
    steering = Steering(subject, names(), 1)
    found: list[TextCase] = list(planting.fresh)
    while len(found) < FRESH:
        found += steering.plan().cases
    return found[:FRESH]


def _shown(found: Sequence[Explanation]) -> str:
    return "; ".join(f"{one.status}: {'+'.join(one.quirks)} ({len(one.members)})" for one in found)


def told(row: LeftOut) -> str:
    """A row as a line."""
    but = f", but not on {row.refuted_by}" if row.refuted_by else ""
    return f"  {row.model}: without {row.planted} {row.verdict}: {row.found}{but} ({row.seconds:.1f} s)"


def summary(name: str, rows: Sequence[LeftOut]) -> str:
    """How the rows of a model ended."""
    verdicts = Counter(row.verdict for row in rows)
    explained = sum(verdicts[verdict] for verdict in EXPLAINED)
    counts = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    return f"{name}: {len(rows)} left out ({counts}); of {explained} explained {verdicts['equal']} equal"


def code(rows: Sequence[LeftOut]) -> int:
    """1 if one was falsely verified, or if fewer than 95 % of the explained are equal on the fresh texts."""
    verdicts = Counter(row.verdict for row in rows)
    explained = sum(verdicts[verdict] for verdict in EXPLAINED)
    return int(bool(verdicts[FALSE]) or verdicts["equal"] < 0.95 * explained)
