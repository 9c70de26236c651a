"""Explanations as findings: names, counts, the smallest mismatch of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokparity.diagnose.explanation import Explanation
from tokparity.diagnose.limits import DEFAULT, Limits
from tokparity.finding import Finding, Mismatch


@dataclass(frozen=True)
class Found:
    """A finding and the positions of its mismatches among those that were given."""

    finding: Finding
    members: tuple[int, ...]


def findings(
    mismatches: Sequence[Mismatch],
    explanations: Sequence[Explanation],
    counts: Mapping[str, int] | None = None,
    limits: Limits = DEFAULT,
) -> list[Found]:
    """One finding for each explanation, and one for each kind of mismatch that has none; the largest first.

    `counts` says how many mismatches of each kind there were in all, of which `mismatches` are those that were kept.
    """
    explained = {index for explanation in explanations for index in explanation.members}
    rest = tuple(index for index in range(len(mismatches)) if index not in explained)
    # What nobody looked at (an engine that died gave no ids) has no explanation either.
    every = [*explanations, Explanation("ids", "unexplained", rest)] if rest else list(explanations)
    parts = [part for explanation in every for part in _parts(explanation, mismatches, limits.unexplained_findings)]
    extra = _extra(parts, mismatches, counts or {})
    found = [_found(part, mismatches, extra[position]) for position, part in enumerate(parts)]
    return _named(sorted(found, key=lambda f: (-f.finding.mismatches, f.finding.name)))


def owners(found: Sequence[Found], mismatches: Sequence[Mismatch]) -> dict[str, int]:
    """For each kind of mismatch the position of the finding that has most mismatches of that kind."""
    return _owners([Counter(mismatches[index].kind for index in one.members) for one in found])


def _owners(kept: Sequence[Counter[str]]) -> dict[str, int]:
    names = {name for counter in kept for name in counter}
    return {name: max(range(len(kept)), key=lambda position: kept[position][name]) for name in names}


def _parts(explanation: Explanation, mismatches: Sequence[Mismatch], most: int) -> Iterator[Explanation]:
    """An explanation as it is; if nothing is explained, one for each kind of mismatch, and one for all rare kinds.

    There are at most `most` of them.
    """
    if explanation.quirks:
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


def _extra(parts: Sequence[Explanation], mismatches: Sequence[Mismatch], counts: Mapping[str, int]) -> Counter[int]:
    """For each part how many mismatches are counted to it that were not kept.

    All that were not kept of a kind are counted to the part that has most of the kind.
    """
    kept = [Counter(_kinds(mismatches[index] for index in part.members)) for part in parts]
    extra: Counter[int] = Counter()
    for name, owner in _owners(kept).items():
        extra[owner] += max(counts.get(name, 0) - sum(counter[name] for counter in kept), 0)
    return extra


def _found(part: Explanation, mismatches: Sequence[Mismatch], extra: int) -> Found:
    members = [mismatches[index] for index in part.members]
    smallest = min(members, key=_plainness)
    kinds = {member.kind for member in members}
    finding = Finding(
        name=f"{smallest.engine}-{'+'.join(part.quirks) or (kinds.pop() if len(kinds) == 1 else 'other')}",
        model=smallest.model,
        engine=smallest.engine,
        oracle=smallest.oracle,
        status=part.status,
        smallest=smallest,
        mismatches=sum(not member.case.origin.shrunk for member in members) + extra,
        controls=part.controls,
        quirks=part.quirks,
        alternatives=part.alternatives,
        nearest=part.nearest,
        why_unexplained=part.why_unexplained,
        undiagnosed=part.undiagnosed,
        verified=part.verified,
        ruled_out=part.ruled_out,
        separating=part.separating,
    )
    return Found(finding, part.members)


def _kinds(members: Iterable[Mismatch]) -> Iterator[str]:
    """The kinds of those that were found; what was shrunk from another one is no further mismatch."""
    return (member.kind for member in members if not member.case.origin.shrunk)


def _plainness(mismatch: Mismatch) -> tuple[bool, tuple[object, ...]]:
    """What prints comes before what does not, and the shorter before the longer."""
    text = mismatch.case.question.shown
    try:
        prints = text.decode("utf-8").replace("\n", " ").isprintable()
    except UnicodeDecodeError:
        prints = False
    return not prints, mismatch.case.question.order


def _named(found: Sequence[Found]) -> list[Found]:
    """The findings with names that are each given once."""
    seen: Counter[str] = Counter()
    named = []
    for one in found:
        name = one.finding.name
        seen[name] += 1
        if seen[name] > 1:
            one = replace(one, finding=replace(one.finding, name=f"{name}-{seen[name]}"))
        named.append(one)
    return named
