"""Turns explanations into findings: their names, their counts, and the smallest mismatch of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

from tokparity.diagnose.explanation import Explanation
from tokparity.diagnose.limits import DEFAULT, Limits
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import error_of


@dataclass(frozen=True)
class Found:
    """A finding and the indices of its mismatches in the given list."""

    finding: Finding
    members: tuple[int, ...]


def findings(
    mismatches: Sequence[Mismatch],
    explanations: Sequence[Explanation],
    counts: Mapping[str, int] | None = None,
    limits: Limits = DEFAULT,
) -> list[Found]:
    """One finding for each explanation, and one for each kind of mismatch that has none; the largest first.

    `counts` says how many mismatches of each kind there were in all, of which `mismatches` are those that were kept. No
    finding counts the others, for nobody looked at them; it says how many there are of its kinds.
    """
    explained = {index for explanation in explanations for index in explanation.members}
    rest = tuple(index for index in range(len(mismatches)) if index not in explained)
    # What nobody looked at (an engine that died gave no ids) has no explanation either.
    every = [*explanations, Explanation("ids", "unexplained", rest)] if rest else list(explanations)
    parts = [part for explanation in every for part in _parts(explanation, mismatches, limits.unexplained_findings)]
    found = [_found(part, mismatches, _unexamined(part, mismatches, counts or {})) for part in parts]
    return named_once(sorted(found, key=lambda f: (-f.finding.mismatches, -f.finding.unexamined, f.finding.name)))


def _parts(explanation: Explanation, mismatches: Sequence[Mismatch], most: int) -> Iterator[Explanation]:
    """An explanation as it is; if nothing is explained, one for each kind of mismatch, and one for all rare kinds.

    There are at most `most` of them.
    """
    if explanation.quirks or explanation.character:
        yield explanation
        return
    kinds: dict[str, list[int]] = {}
    for index in explanation.members:
        kinds.setdefault(mismatches[index].kind, []).append(index)
    ordered = sorted(kinds.values(), key=len, reverse=True)
    if len(ordered) > most:
        ordered[most - 1 :] = [[index for members in ordered[most - 1 :] for index in members]]
    for members in ordered:
        yield replace(explanation, members=tuple(sorted(members)))


def _unexamined(part: Explanation, mismatches: Sequence[Mismatch], counts: Mapping[str, int]) -> int:
    """How many mismatches of the part's kinds were counted and are not among those that were given."""
    given = Counter(_kinds(mismatches))
    kinds = set(_kinds(mismatches[index] for index in part.members))
    return sum(max(counts.get(kind, 0) - given[kind], 0) for kind in kinds)


def _found(part: Explanation, mismatches: Sequence[Mismatch], unexamined: int) -> Found:
    members = [mismatches[index] for index in part.members]
    ((usual, _),) = Counter(error_of(member.actual) for member in members).most_common(1)
    smallest = min((member for member in members if error_of(member.actual) == usual), key=plainness)
    kinds = {member.kind for member in members}
    counted = tuple(i for i in part.members if not mismatches[i].case.origin.shrunk) or part.members
    finding = Finding(
        name=f"{smallest.engine}-{'+'.join(part.quirks) or (kinds.pop() if len(kinds) == 1 else 'other')}",
        model=smallest.model,
        engine=smallest.engine,
        oracle=smallest.oracle,
        status=part.status,
        smallest=smallest,
        mismatches=sum(not member.case.origin.shrunk for member in members),
        unexamined=unexamined,
        controls=part.controls,
        quirks=part.quirks,
        alternatives=part.alternatives,
        nearest=replace(part, members=counted).nearest,
        why_unexplained=part.why_unexplained,
        undiagnosed=part.undiagnosed,
        verified=part.verified,
        ruled_out=part.ruled_out,
        separating=part.separating,
        attacked=part.attacked,
        rest=part.rest,
        character=part.character,
        unrepeatable="unknown" if part.strays else "",
    )
    return Found(finding, part.members)


def _kinds(members: Iterable[Mismatch]) -> Iterator[str]:
    """The kinds of those that were found; what was shrunk from another one is not a further mismatch."""
    return (member.kind for member in members if not member.case.origin.shrunk)


def plainness(mismatch: Mismatch) -> tuple[bool, tuple[object, ...]]:
    """A sort key: printable texts come before others, and short texts before long ones."""
    text = mismatch.case.question.shown
    try:
        prints = text.decode("utf-8").replace("\n", " ").isprintable()
    except UnicodeDecodeError:
        prints = False
    return not prints, mismatch.case.question.order


def named_once(found: Sequence[Found]) -> list[Found]:
    """The findings with names that are each given once: the first keeps its own, others get a number."""
    given: set[str] = set()
    named = []
    for one in found:
        numbered = (f"{one.finding.name}-{number}" for number in count(2))
        name = next(name for name in chain([one.finding.name], numbered) if name not in given)
        given.add(name)
        named.append(replace(one, finding=replace(one.finding, name=name)))
    return named
