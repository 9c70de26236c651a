"""What wrong answers have in common: how the ids or the text that came are made of those that were expected."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from math import gcd

from tokparity.diagnose.character.classes import named
from tokparity.diagnose.character.other_texts import WHOLE
from tokparity.diagnose.character.seen import Seen
from tokparity.outcome import Encoding, Failure
from tokparity.questions.json_text import literal

Row = Sequence[int]
_POWER = 256
"""Differences of ids by multiples of less than this are soon met by chance."""
_HOLE = "\ufffd"
_HOLES = re.compile(f"{_HOLE}+")
_STRINGS = 3
"""Strings, the commonest ones, that are tried for what is all that is lost or added."""


@dataclass(frozen=True)
class Relation:
    """A clause about an answer; `holds` of (expected, actual). What it `spares` is right though it be so."""

    says: str
    holds: Callable[[Row, Row], bool]
    spares: Callable[[Row], bool] = lambda right: True
    is_loose: bool = False
    """Whether many different faults make it so."""


def rows(seen: Seen) -> tuple[Row, Row] | None:
    """What was expected and what came, as ids, or as bytes where the ids are right; None where there is no answer."""
    expected, actual = seen.expected, seen.actual
    if isinstance(expected, Failure) or isinstance(actual, Failure):
        return None
    if isinstance(expected, Encoding) and isinstance(actual, Encoding) and expected.ids != actual.ids:
        return expected.ids, actual.ids
    return expected.decoded or b"", actual.decoded or b""


def relation(failing: Sequence[Seen], right: Sequence[Seen] = ()) -> Iterator[tuple[Relation, int, int]]:
    """The relations that hold for most answers, each with for how many of how many; the most telling first.

    One that foretells another text for what was decoded rightly is none.
    """
    ids = [found for seen in failing if _of_ids(seen) and (found := rows(seen))]
    texts = [found for seen in failing if not _of_ids(seen) and (found := rows(seen))]
    spared = [decoded for seen in right if (decoded := getattr(seen.actual, "decoded", None))]
    for answers, candidates in ((ids, _about_ids(ids)), (texts, _about_texts(texts))):
        if not answers:
            continue
        for one in candidates:
            holds = sum(one.holds(*answer) for answer in answers)
            if holds >= 0.9 * len(answers) and all(map(one.spares, spared)):
                yield one, holds, len(answers)
                break


def _of_ids(seen: Seen) -> bool:
    return (
        isinstance(seen.expected, Encoding)
        and isinstance(seen.actual, Encoding)
        and (seen.expected.ids != seen.actual.ids)
    )


def _about_ids(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    yield Relation("no ids are given", lambda expected, actual: not actual)
    yield from _cut(answers)
    yield Relation("the last id is lost", lambda e, a: len(a) == len(e) - 1 and _is_prefix(e, a))
    yield Relation("the first id is lost", lambda e, a: len(a) == len(e) - 1 and _is_suffix(e, a))
    yield from _or_none(answers, "the ids end too early: they are the first of those expected", _is_prefix)
    yield from _or_none(answers, "the first ids are lost: they are the last of those expected", _is_suffix)
    yield Relation("the ids are the expected ones in ascending order", lambda e, a: list(a) == sorted(e))
    yield Relation("the ids are the expected ones in reverse order", lambda e, a: list(a) == list(e)[::-1])
    yield Relation("the ids are the expected ones in another order", lambda e, a: Counter(e) == Counter(a))
    yield from _power(answers)
    yield from _lost(answers)
    yield from _or_none(answers, "ids are lost: what came are some of those expected, in their order", _is_part)
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
    if length and times >= 0.9 * len(answers) and len(answers) > 1 and len({len(e) for e, _ in answers}) > 1:
        says = f"the ids end too early: only the first {length:,} of those expected came"
        yield Relation(says, lambda e, a: len(a) == length and _is_prefix(e, a))


def _power(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    """That all ids are wrong by multiples of one power of two."""
    apart = [e - a for expected, actual in answers if len(expected) == len(actual)
             for e, a in zip(expected, actual, strict=True) if e != a]  # fmt: skip
    common = reduce(gcd, apart, 0)
    power = common & -common
    if power >= _POWER:
        k = power.bit_length() - 1
        yield Relation(
            f"only the lowest {k} bits of each id came (ids are wrong by multiples of 2^{k} = {power:,})",
            lambda e, a: [x % power for x in e] == list(a),
        )
        yield Relation(
            f"ids are wrong by multiples of 2^{k} = {power:,}",
            lambda e, a: len(e) == len(a) and all((x - y) % power == 0 for x, y in zip(e, a, strict=True)),
        )
    if apart and min(apart) == max(apart):
        yield Relation(
            f"ids are wrong by {-apart[0]:+d}",
            lambda e, a: len(e) == len(a) and {y - x for x, y in zip(e, a, strict=True)} <= {0, -apart[0]},
        )


def _lost(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    """That all that is lost, or all that is added, is one id."""
    for says, order in (("the id {} is lost", 1), ("the id {} is added", -1)):
        missing = [Counter(pair[::order][0]) - Counter(pair[::order][1]) for pair in answers]
        common = {id for counted in missing[:1] for id in counted}
        for id in sorted(common):
            if sum(set(counted) == {id} for counted in missing) >= 0.9 * len(missing):
                yield Relation(
                    says.format(id),
                    lambda e, a, id=id, order=order: (
                        _without((e, a)[::order][0], id) == _without((e, a)[::order][1], id)
                    ),  # type: ignore[misc]
                )


def _without(row: Row, id: int) -> list[int]:
    return [one for one in row if one != id]


def _about_texts(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    yield Relation("it is decoded to nothing", lambda expected, actual: not actual)
    for says, change in WHOLE.items():
        yield Relation(
            f"the decoded text is the right one {says}",
            lambda e, a, change=change: change(_text(e)) == _text(a),  # type: ignore[misc]
            lambda right, change=change: change(_text(right)) == _text(right),  # type: ignore[misc]
        )
    yield Relation("the decoded text ends too early", _is_prefix)
    yield Relation("the beginning of the decoded text is lost", _is_suffix)
    for says, change in (
        ("characters above U+FFFF are lost in the decoded text", _basic),
        ("what is not ASCII is lost in the decoded text", lambda text: "".join(filter(str.isascii, text))),
    ):
        yield Relation(says, lambda e, a, change=change: change(_text(e)) == _text(a))  # type: ignore[misc]
    yield Relation("characters of the decoded text came as U+FFFD, and all others are right", _is_holed)
    yield from _one_string(answers)
    yield Relation("bytes are lost: what came are some of those expected, in their order", _is_part, is_loose=True)
    yield Relation("all the expected bytes came, in their order, and others", _has_part, is_loose=True)


def _one_string(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    """That all that is lost in what was decoded, or all that is added, is one string, here and there."""
    for says, order in (
        ("{} is lost in the decoded text, and nothing else", 1),
        ("{} is added to the decoded text, and nothing else", -1),
    ):
        between = Counter(_between(*map(_text, pair[::order])) for pair in answers)
        for string, _ in between.most_common(_STRINGS):
            if string:
                yield Relation(
                    says.format(named(string) if len(string) == 1 else literal(string)),
                    lambda e, a, s=string: e != a and _text(e).replace(s, "") == _text(a).replace(s, ""),  # type: ignore[misc]
                    is_loose=True,
                )


def _is_holed(expected: Row, actual: Row) -> bool:
    """Whether what came has U+FFFD in place of some characters, and the others are there in their order."""
    right, given = (bytes(row).decode("utf-8", "replace") for row in (expected, actual))
    first, *others = _HOLES.split(given)
    if given.count(_HOLE) <= right.count(_HOLE) or not right.startswith(first):
        return False
    at = len(first)
    for part in others[:-1]:
        at = right.find(part, at + 1) + len(part)
        if at < len(part):
            return False
    return right.endswith(others[-1]) and len(right) - len(others[-1]) > at


def _between(longer: str, shorter: str) -> str:
    """What the longer one has in one place and the shorter lacks; empty where there is more than that."""
    at = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(longer, shorter, strict=False)))
    end = at + len(longer) - len(shorter)
    return longer[at:end] if longer[end:] == shorter[at:] else ""


def _basic(text: str) -> str:
    return "".join(c for c in text if c <= "\uffff")


def _text(row: Row) -> str:
    return bytes(row).decode("utf-8", "surrogateescape")


def _is_prefix(expected: Row, actual: Row) -> bool:
    return 0 < len(actual) < len(expected) and expected[: len(actual)] == actual


def _is_suffix(expected: Row, actual: Row) -> bool:
    return 0 < len(actual) < len(expected) and expected[-len(actual) :] == actual


def _is_part(expected: Row, actual: Row) -> bool:
    """Whether what came is what was expected without some of it."""
    left = iter(expected)
    return 0 < len(actual) < len(expected) and all(any(one == other for other in left) for one in actual)


def _has_part(expected: Row, actual: Row) -> bool:
    return _is_part(actual, expected)


def _distance(expected: Row, actual: Row) -> int:
    return sum(map(int.__ne__, expected, actual)) if len(expected) == len(actual) else -1


_LOOSE: dict[str, Callable[[Row, Row], bool]] = {
    "ids are added: all the expected ones came, in their order, and others": _has_part,
    "as many ids came as were expected, and one of them is another": lambda e, a: _distance(e, a) == 1,
    "as many ids came as were expected": lambda e, a: len(e) == len(a),
}
