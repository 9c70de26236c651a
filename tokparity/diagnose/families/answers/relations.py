"""What wrong answers have in common: how actual ids or texts are made from the expected ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial, reduce
from math import gcd

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.answers.decoded_texts import about_texts
from tokparity.diagnose.families.answers.related import Relation, Row, has_part, is_part, is_prefix, is_suffix
from tokparity.diagnose.limits.families import SHARE
from tokparity.diagnose.limits.texts import CHANCE_POWER
from tokparity.diagnose.policies import most_are_so
from tokparity.diagnose.tokens import NONE
from tokparity.outcome import Encoding, Failure


def rows(seen: Observation) -> tuple[Row, Row] | None:
    """The expected and the actual row: ids, or bytes if the ids are right; None if there is no answer."""
    expected, actual = seen.expected, seen.actual
    if isinstance(expected, Failure) or isinstance(actual, Failure):
        return None
    if isinstance(expected, Encoding) and isinstance(actual, Encoding) and expected.ids != actual.ids:
        return expected.ids, actual.ids
    return expected.decoded or b"", actual.decoded or b""


def relation(failing: Sequence[Observation], right: Sequence[Observation] = ()) -> Iterator[tuple[Relation, int, int]]:
    """The relations that hold for most answers, each with for how many of how many; the most telling first.

    One that foretells another text for what was decoded rightly is none.
    """
    ids = [found for seen in failing if _of_ids(seen) and (found := rows(seen))]
    texts = [found for seen in failing if not _of_ids(seen) and (found := rows(seen))]
    spared = [decoded for seen in right if (decoded := getattr(seen.actual, "decoded", None))]
    tokens = failing[0].tokens if failing else NONE
    for answers, candidates in ((ids, _about_ids(ids)), (texts, about_texts(texts, tokens, spared))):
        if not answers:
            continue
        for one in candidates:
            holds = sum(one.holds(*answer) for answer in answers)
            if most_are_so(holds, len(answers)) and all(map(one.spares, spared)):
                yield one, holds, len(answers)
                break


def _of_ids(seen: Observation) -> bool:
    return (
        isinstance(seen.expected, Encoding)
        and isinstance(seen.actual, Encoding)
        and (seen.expected.ids != seen.actual.ids)
    )


def _about_ids(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    yield Relation("no ids are given", lambda expected, actual: not actual)
    yield from _cut(answers)
    yield Relation("the last id is lost", lambda e, a: e[:-1] == a)
    yield Relation("the first id is lost", lambda e, a: e[1:] == a)
    yield from _or_none(answers, "the ids end too early: they are the first of those expected", is_prefix)
    yield from _or_none(answers, "the first ids are lost: they are the last of those expected", is_suffix)
    yield Relation("the ids are the expected ones in ascending order", lambda e, a: list(a) == sorted(e))
    yield Relation("the ids are the expected ones in another order", lambda e, a: Counter(e) == Counter(a))
    yield from _apart(answers)
    yield from _lost(answers)
    yield from _or_none(answers, "ids are lost: what came are some of those expected, in their order", is_part)
    for says, holds in _LOOSE.items():
        yield Relation(says, holds, is_loose=True)


def _or_none(answers: Sequence[tuple[Row, Row]], says: str, holds: Callable[[Row, Row], bool]) -> Iterator[Relation]:
    """A relation, and the same with answers that are empty, as those of short texts are where something is lost."""
    yield Relation(says, holds)
    empty = sum(not actual for _, actual in answers)
    if 0 < 2 * empty <= len(answers):
        yield Relation(f"{says}, or none came", lambda e, a: not a or holds(e, a))


def _cut(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    lengths = Counter(len(actual) for _, actual in answers)
    length, times = lengths.most_common(1)[0]
    if length and most_are_so(times, len(answers)) and len(answers) > 1 and len({len(e) for e, _ in answers}) > 1:
        says = f"the ids end too early: only the first {length:,} of those expected came"
        yield Relation(says, lambda e, a: len(a) == length and is_prefix(e, a))


def _apart(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    """That one id comes where another is expected, or that all wrong ids are equally far from those expected."""
    wrong = {pair for expected, actual in answers if len(expected) == len(actual)
             for pair in zip(expected, actual, strict=True) if pair[0] != pair[1]}  # fmt: skip
    apart = {a - e for e, a in wrong}
    if len(wrong) == 1:
        ((one, other),) = wrong
        yield Relation(
            f"where the id {one} is expected, {other} comes",
            lambda e, a: len(e) == len(a) and {*zip(e, a, strict=True)} - {(one, other)} <= {(x, x) for x in e},
        )
        return
    yield from _power(apart)
    if len(apart) == 1:
        (by,) = apart
        yield Relation(
            f"ids are wrong by {by:+d}",
            lambda e, a: len(e) == len(a) and {y - x for x, y in zip(e, a, strict=True)} <= {0, by},
        )


def _power(apart: Collection[int]) -> Iterator[Relation]:
    """That all ids are wrong by multiples of one power of two."""
    common = reduce(gcd, apart, 0)
    power = common & -common
    if power >= CHANCE_POWER:
        k = power.bit_length() - 1
        yield Relation(
            f"only the lowest {k} bits of each id came (ids are wrong by multiples of 2^{k} = {power:,})",
            lambda e, a: [x % power for x in e] == list(a),
        )
        yield Relation(
            f"ids are wrong by multiples of 2^{k} = {power:,}",
            lambda e, a: len(e) == len(a) and all((x - y) % power == 0 for x, y in zip(e, a, strict=True)),
        )


def _lost(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    """That all that is lost, or all that is added, is one id."""
    for says, order in (("the id {} is lost", 1), ("the id {} is added", -1)):
        missing = [Counter(pair[::order][0]) - Counter(pair[::order][1]) for pair in answers]
        common = {id for counted in missing[:1] for id in counted}
        for id in sorted(common):
            if sum(set(counted) == {id} for counted in missing) >= SHARE * len(missing):
                yield Relation(says.format(id), partial(_but_for, id))


def _but_for(id: int, expected: Row, actual: Row) -> bool:
    return _without(expected, id) == _without(actual, id)


def _without(row: Row, id: int) -> list[int]:
    return [one for one in row if one != id]


def _distance(expected: Row, actual: Row) -> int:
    return sum(map(int.__ne__, expected, actual)) if len(expected) == len(actual) else -1


_LOOSE: dict[str, Callable[[Row, Row], bool]] = {
    "ids are added: all the expected ones came, in their order, and others": has_part,
    "as many ids came as were expected, and one of them is another": lambda e, a: _distance(e, a) == 1,
    "as many ids came as were expected": lambda e, a: len(e) == len(a),
}
