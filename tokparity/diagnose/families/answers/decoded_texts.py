"""How a wrong decoded text is made from the expected text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from tokparity.diagnose.families.answers.lost_strings import lost_where, named_string
from tokparity.diagnose.families.answers.related import (
    Relation,
    Row,
    has_part,
    is_part,
    is_prefix,
    is_suffix,
    of_changed_text,
    text_of,
)  # fmt: skip
from tokparity.diagnose.families.texts.other_texts import WHOLE
from tokparity.diagnose.limits.families import TOLD
from tokparity.diagnose.limits.texts import LONGEST_DECODED
from tokparity.diagnose.tokens import Tokens

_HOLE = "\ufffd"
_HOLES = re.compile(f"{_HOLE}+")


def about_texts(answers: Sequence[tuple[Row, Row]], tokens: Tokens, spared: Sequence[Row] = ()) -> Iterator[Relation]:
    """Relations that may hold for pairs of bytes, most specific first; `spared` are rightly decoded texts."""
    yield Relation("it is decoded to nothing", lambda expected, actual: not actual)
    for says, change in WHOLE.items():
        yield of_changed_text(f"the decoded text is the right one {says}", change)
    yield Relation("the decoded text ends too early", is_prefix)
    yield Relation("the beginning of the decoded text is lost", is_suffix)
    for says, change in (
        ("characters above U+FFFF are lost in the decoded text", _basic),
        ("what is not ASCII is lost in the decoded text", lambda text: "".join(filter(str.isascii, text))),
    ):
        yield replace(of_changed_text(says, change), spares=lambda right: True)
    yield Relation("characters of the decoded text came as U+FFFD, and all others are right", _is_holed)
    yield Relation("bytes above 0x7F of the decoded text came as the characters of these numbers", _is_latin_1)
    kinds = {"special tokens": tokens.special, "added tokens that are not special": tokens.others}
    for kind, contents in kinds.items():
        if not contents:
            continue
        for says, order in (
            (f"the decoded text has {kind} that should be left out, and nothing else is wrong", 1),
            (f"{kind} are left out of the decoded text that should be shown, and nothing else is wrong", -1),
        ):
            with_tokens = partial(_is_with_tokens, sorted(contents, key=len, reverse=True))
            yield Relation(says, with_tokens if order > 0 else partial(_turned, with_tokens))
    yield from _one_string(answers, spared)
    yield from _another_string(answers)
    yield Relation("bytes are lost: what came are some of those expected, in their order", is_part, is_loose=True)
    yield Relation("all the expected bytes came, in their order, and others", has_part, is_loose=True)


def _one_string(answers: Sequence[tuple[Row, Row]], spared: Sequence[Row]) -> Iterator[Relation]:
    """That all that is lost in what was decoded, or all that is added, is one string, here and there."""
    for says, order in (
        ("{} is lost in the decoded text, and nothing else", 1),
        ("{} is added to the decoded text, and nothing else", -1),
    ):
        between = Counter(_between(*map(text_of, pair[::order])) for pair in answers)
        for string, _ in between.most_common(TOLD):
            if string:
                yield from lost_where(string, answers, spared) if order > 0 else ()
                yield Relation(says.format(named_string(string)), partial(_but_for, string), is_loose=True)


def _another_string(answers: Sequence[tuple[Row, Row]]) -> Iterator[Relation]:
    """That what is wrong in what was decoded is one string, here and there, in place of another."""
    changed = Counter(change_of(text_of(expected), text_of(actual)) for expected, actual in answers)
    for (old, new), _ in changed.most_common(TOLD):
        if old and new:
            yield Relation(
                f"{named_string(old)} came as {named_string(new)} in the decoded text, and nothing else is wrong",
                partial(_is_with, old, new),
            )


def change_of(right: str, given: str) -> tuple[str, str]:
    """The two different parts of the texts, from the first difference to the last."""
    start = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(right, given, strict=False)))
    old, new = right[start:], given[start:]
    end = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(old[::-1], new[::-1], strict=False)))
    return old[: len(old) - end], new[: len(new) - end]


def _but_for(string: str, expected: Row, actual: Row) -> bool:
    """Whether two rows differ in nothing but how often a string stands in them."""
    return expected != actual and text_of(expected).replace(string, "") == text_of(actual).replace(string, "")


def _turned(holds: Callable[[Row, Row], bool], expected: Row, actual: Row) -> bool:
    return holds(actual, expected)


def _is_with(old: str, new: str, expected: Row, actual: Row) -> bool:
    """Whether one text is the other with `new` in place of `old`, in one or more places."""
    right, given = text_of(expected), text_of(actual)
    if right == given or max(len(right), len(given)) > LONGEST_DECODED:
        return False
    places = {(0, 0)}
    while places:
        some = {(i + 1, j + 1) for i, j in places if right[i : i + 1] == given[j : j + 1] != ""}
        some |= {
            (i + len(old), j + len(new)) for i, j in places if right.startswith(old, i) and given.startswith(new, j)
        }
        if (len(right), len(given)) in some:
            return True
        places = some
    return False


def _is_latin_1(expected: Row, actual: Row) -> bool:
    """Whether some bytes of what was expected came as the characters of their numbers, in two bytes of UTF-8."""
    right, at, some = bytes(expected), 0, False
    for character in text_of(actual):
        spelled = character.encode("utf-8", "surrogateescape")
        if right.startswith(spelled, at):
            at += len(spelled)
        elif "\x80" <= character <= "\xff" and right[at : at + 1] == bytes((ord(character),)):
            at, some = at + 1, True
        else:
            return False
    return some and at == len(right)


def _is_with_tokens(contents: Collection[str], without: Row, given: Row) -> bool:
    """Whether one text is the other with some of these here and there, and nothing else."""
    short, long = text_of(without), text_of(given)
    if len(short) >= len(long) or len(long) > LONGEST_DECODED:
        return False
    added = {found.start(): found.end() for found in re.finditer("|".join(map(re.escape, contents)), long)}
    left: list[set[int]] = [set() for _ in range(len(long) + 1)]
    left[0].add(0)
    for at, places in enumerate(left[:-1]):  # of the other text, so much has come at each place of this one
        left[at + 1].update(place + 1 for place in places if short[place : place + 1] == long[at])
        if at in added:
            left[added[at]].update(places)
    return len(short) in left[-1]


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
