"""Whether each id is replaced by another one, always the same, whatever the text is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import gcd

from tokparity.diagnose.limits.families import (
    FEWEST_FOR_A_FORMULA,
    FEWEST_FOR_A_TABLE,
    FEWEST_FOR_AN_OFFSET,
    LISTED_IDS,
    RUNS,
    TOLD,
)

Row = Sequence[int]

BITS = range(7, 25)
"""Widths of numbers in which ids may be kept."""


@dataclass(frozen=True)
class IdMap:
    """A sentence about ids, and the id that replaces each id; None if nothing is known of it."""

    says: str
    of: Callable[[int], int | None]
    edges: tuple[int, ...] = ()
    """Ids between which and their neighbors something changes."""
    is_learned: bool = True
    """Whether it takes many ids to see it: one number that all ids share is seen on few."""


def table_of(pairs: Sequence[tuple[Row, Row]], spared: Collection[Row]) -> dict[int, int]:
    """The id that mostly replaces each id, in answers of the same length and in right answers."""
    counted: dict[int, Counter[int]] = {}
    for expected, actual in [*pairs, *((row, row) for row in spared)]:
        if len(expected) == len(actual):
            for one, came in zip(expected, actual, strict=True):
                counted.setdefault(one, Counter())[came] += 1
    return {one: came.most_common(1)[0][0] for one, came in counted.items()}


def id_maps(table: Mapping[int, int], spelled: Callable[[int], str]) -> Iterator[IdMap]:
    """The mappings that a table may be part of, the plainest first; `spelled` shows the piece of an id."""
    changed = {one: came for one, came in table.items() if one != came}
    if not changed:
        return
    if len(changed) >= FEWEST_FOR_A_FORMULA:
        yield from _in_bits(table, changed)
        yield from _by_formula(table, changed)
        yield from _to_one(table, changed)
    yield from _offsets(table, changed)
    yield from _listed(changed, spelled)
    if len(changed) >= FEWEST_FOR_A_TABLE:
        some = ", ".join(f"{one} as {changed[one]}" for one in sorted(changed)[:TOLD])
        how = "another one for each" if len({*changed.values()}) == len(changed) else "some as the same"
        says = f"every id comes as another id, always the same one ({how}): {some}, and {len(changed) - TOLD:,} more"
        kept = "" if len(changed) == len(table) else f"; {len(table) - len(changed):,} ids come as they are"
        yield IdMap(says + kept, table.get)


def _offsets(table: Mapping[int, int], changed: Mapping[int, int]) -> Iterator[IdMap]:
    """Ids that are a number too high or too low: all, or those of a few runs."""
    runs: list[tuple[int, int, int]] = []  # (first, last, offset)
    for one in sorted(table):
        offset = table[one] - one
        if runs and runs[-1][2] == offset:
            runs[-1] = runs[-1][0], one, offset
        else:
            runs.append((one, one, offset))
    moved = [run for run in runs if run[2]]
    fewest = FEWEST_FOR_AN_OFFSET if len(runs) == 1 else FEWEST_FOR_A_FORMULA
    if len(changed) < fewest or not 0 < len(moved) <= RUNS:
        return
    parts = []
    for first, last, offset in moved:
        which = _which(first, last, runs[0][0], runs[-1][1])
        parts.append(f"{which} is {abs(offset):,} too {'high' if offset > 0 else 'low'}")
    edges = tuple(edge for first, last, _ in moved for edge in (first, last) if len(runs) > 1)
    yield IdMap(", and ".join(parts), partial(_moved, tuple(_open(moved, runs))), edges, is_learned=len(runs) > 1)


def _which(first: int, last: int, lowest: int, highest: int) -> str:
    if first == lowest and last == highest:
        return "every id"
    if last == highest:
        return f"every id from {first:,} on"
    return f"every id up to {last:,}" if first == lowest else f"every id from {first:,} to {last:,}"


def _open(
    moved: Sequence[tuple[int, int, int]], runs: Sequence[tuple[int, int, int]]
) -> Iterator[tuple[float, float, int]]:
    """The runs, the first and the last without an end on their side."""
    for first, last, offset in moved:
        low = float("-inf") if first == runs[0][0] else first
        yield low, float("inf") if last == runs[-1][1] else last, offset


def _moved(runs: Sequence[tuple[float, float, int]], one: int) -> int:
    return one + next((offset for first, last, offset in runs if first <= one <= last), 0)


def _in_bits(table: Mapping[int, int], changed: Mapping[int, int]) -> Iterator[IdMap]:
    """Ids that are kept in too few bits, or in bytes of another order."""
    for bits in BITS:
        size = 1 << bits
        for says, of in (
            (f"only the lowest {bits} bits of each id come", partial(_modulo, size)),
            (f"each id comes as a number of {bits} bits with a sign", partial(_signed, size // 2)),
        ):
            if _holds(of, table):
                yield IdMap(says, of, (size // 2, size))
    for size in (2, 4):
        of = partial(_turned, size)
        if _holds(of, table):
            yield IdMap(f"the {size} bytes of each id come in the other order", of)
    apart = reduce(gcd, (one - came for one, came in changed.items()), 0)
    if apart > max(changed.values()) and apart & (apart - 1) and _holds(partial(_modulo, apart), table):
        yield IdMap(f"each id comes modulo {apart:,}", partial(_modulo, apart), (apart,))


def _by_formula(table: Mapping[int, int], changed: Mapping[int, int]) -> Iterator[IdMap]:
    (one, came), (other, also) = list(changed.items())[:2]
    if _holds(of := partial(_xor, one ^ came), table):
        yield IdMap(f"each id comes with its bits {one ^ came:#x} turned over", of)
    if (also - came) % (other - one) == 0:
        times = (also - came) // (other - one)
        plus = came - times * one
        if times not in (0, 1) and _holds(of := partial(_linear, times, plus), table):
            sign = f" {'+' if plus > 0 else '-'} {abs(plus):,}" if plus else ""
            says = f"each id i comes as {plus:,} - i" if times == -1 else f"each id i comes as {times:,} * i{sign}"
            yield IdMap(says, of)


def _to_one(table: Mapping[int, int], changed: Mapping[int, int]) -> Iterator[IdMap]:
    """All ids, or those beyond an edge, come as one and the same."""
    if len({*changed.values()}) > 1:
        return
    (came,) = {*changed.values()}
    same = [one for one in table if one not in changed and one != came]
    lowest = min(changed)
    if not same:
        yield IdMap(f"every id comes as {came:,}", partial(_constant, float("-inf"), came))
    elif max(same) < lowest:
        yield IdMap(f"every id from {lowest:,} on comes as {came:,}", partial(_constant, lowest, came), (lowest,))


def _listed(changed: Mapping[int, int], spelled: Callable[[int], str]) -> Iterator[IdMap]:
    """A few ids, one by one; or two ids that are exchanged."""
    if len(changed) > LISTED_IDS:
        return
    of = partial(_from_table, dict(changed))
    if len(changed) == 2 and {*changed} == {*changed.values()}:
        one, other = sorted(changed)
        yield IdMap(f"the ids {one:,} ({spelled(one)}) and {other:,} ({spelled(other)}) come in each other's place", of)
        return
    told = ", ".join(f"the id {one:,} ({spelled(one)}) comes as {_told(came)}" for one, came in sorted(changed.items()))
    yield IdMap(f"{told}, and all others come as they are", of)


def _told(came: int) -> str:
    return f"{came:,}" if came >= 0 else f"no id (null or {came})"


def _holds(of: Callable[[int], int], table: Mapping[int, int]) -> bool:
    return all(of(one) == came for one, came in table.items())


def _modulo(size: int, one: int) -> int:
    return one % size


def _signed(half: int, one: int) -> int:
    return (one + half) % (2 * half) - half


def _turned(size: int, one: int) -> int:
    if not 0 <= one < 1 << 8 * size:
        return one
    return int.from_bytes(one.to_bytes(size, "little"), "big", signed=size == 4)


def _xor(bits: int, one: int) -> int:
    return one ^ bits


def _linear(times: int, plus: int, one: int) -> int:
    return times * one + plus


def _constant(lowest: float, came: int, one: int) -> int:
    return came if one >= lowest else one


def _from_table(table: Mapping[int, int], one: int) -> int:
    return table.get(one, one)
