"""Why an engine decodes rows of ids otherwise: the flips that give most of what it gave, and spoil nothing.

Rows are no texts, so what explains how the engine decodes the ids of texts is tried first. Then flips are added, one
after the other, as long as each gives more of the rows, takes none away, and leaves alone what the engine decoded well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tokparity import quirks
from tokparity.behaviour import Behaviour
from tokparity.diagnose import Base, Found
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.reference.imitate import imitate_decoding

_MOST = 5  # flips that are added
_SEARCHED = 300  # rows, the shortest ones, on which flips are looked for


@dataclass(frozen=True)
class Decoded:
    """A row that the engine decoded as the oracle did."""

    ids: tuple[int, ...]
    skip_special: bool
    text: bytes


@dataclass(frozen=True)
class Rows:
    """Mismatches of one engine and one kind as a finding, and those that were kept with their places in the report."""

    finding: Finding
    kept: Sequence[tuple[Mismatch, int]]


def explained(
    groups: Sequence[Rows], base: Base, controls: Sequence[Decoded], known: Sequence[tuple[str, ...]]
) -> list[Found]:
    """A finding for what flips explain, and one for the rest of each group; `known` explains the engine's texts."""
    rows = sorted((row for group in groups for row, _ in group.kept), key=lambda row: len(row.case.text))
    names = _Search(base, [row for row in rows if _can_judge(row, base)][:_SEARCHED], controls).flips(known)
    flipped = _flipped(names, base)
    right: list[tuple[Mismatch, int]] = []
    count = 0
    found: list[Found] = []
    for group in groups:
        given: list[tuple[Mismatch, int]] = []
        rest: list[tuple[Mismatch, int]] = []
        for kept in group.kept:
            gives = names and _can_judge(kept[0], base) and _gives(flipped, kept[0], base)
            (given if gives else rest).append(kept)
        # Of the rows that were not kept it is known only how many there were.
        extra = group.finding.mismatches - len(group.kept)
        right += given
        count += len(given) + (extra if len(given) >= len(rest) else 0)
        if rest:
            number = len(rest) + (extra if len(given) < len(rest) else 0)
            found.append(_found(group.finding, f"{group.finding.name}-of-ids", rest, number))
    if right:
        one = _found(groups[0].finding, f"{groups[0].finding.engine}-{'+'.join(names)}-of-ids", right, count)
        verified = replace(one.finding, status="verified", quirks=names, verified=len(right), controls=len(controls))
        found.insert(0, Found(verified, one.members))
    return found


def _found(like: Finding, name: str, rows: Sequence[tuple[Mismatch, int]], count: int) -> Found:
    smallest = min((row for row, _ in rows), key=lambda row: (len(row.case.text), row.case.text))
    finding = replace(like, name=name, smallest=smallest, oracle=smallest.oracle, mismatches=count)
    return Found(finding, tuple(sorted(place for _, place in rows)))


@dataclass
class _Search:
    """Which flips give most of the rows."""

    base: Base
    rows: Sequence[Mismatch]
    controls: Sequence[Decoded]
    _known: dict[tuple[str, ...], frozenset[int]] = field(default_factory=dict)

    def flips(self, known: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        """The names of the flips, sorted; empty if none gives anything."""
        catalogue = quirks.names()
        sets = [tuple(name for name in names if name in catalogue) for names in known]
        together = tuple(sorted({name for names in sets for name in names}))
        best = max(((), *sets, together), key=lambda names: (len(self._given(names)), -len(names)))
        for _ in range(_MOST):
            more = [tuple(sorted((*best, name))) for name in catalogue if name not in best]
            better = [names for names in more if self._given(names) > self._given(best)]
            if not better:
                break
            best = max(better, key=lambda names: len(self._given(names)))
        return best if self._given(best) else ()

    def _given(self, names: tuple[str, ...]) -> frozenset[int]:
        """The rows that flips give; none if they spoil a control."""
        if names not in self._known:
            flipped = _flipped(names, self.base)
            given = frozenset(i for i, row in enumerate(self.rows) if _gives(flipped, row, self.base))
            spoils = given and any(_decoded(flipped, c.ids, self.base, c.skip_special) != c.text for c in self.controls)
            self._known[names] = frozenset() if spoils else given
        return self._known[names]


def _can_judge(row: Mismatch, base: Base) -> bool:
    """Whether the unflipped reference gives what the oracle gave."""
    return isinstance(row.expected, Encoding) and row.expected.decoded == _decoded(
        base.behaviour, row.expected.ids, base, not row.case.parse_special
    )


def _gives(behaviour: Behaviour, row: Mismatch, base: Base) -> bool:
    return isinstance(row.actual, Encoding) and row.actual.decoded == _decoded(
        behaviour, row.actual.ids, base, not row.case.parse_special
    )


def _flipped(names: tuple[str, ...], base: Base) -> Behaviour:
    return quirks.flip_all([quirks.get(name) for name in names], base.behaviour)


def _decoded(behaviour: Behaviour, ids: tuple[int, ...], base: Base, skip_special: bool) -> bytes | None:
    outcome = imitate_decoding(base.vocabulary, replace(behaviour, skip_special=skip_special), ids)
    return outcome.decoded if isinstance(outcome, Encoding) else None  # a flip that does not fit explains nothing
