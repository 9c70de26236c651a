"""Whether two pre-tokenizers are one: by what they match, however their patterns are spelled.

Each pattern has a normal form, in which escapes, the order inside of classes, and redundant groups are gone. Where the
normal forms differ, both pre-tokenizers cut texts made for the pair. A difference in what they match shows there.
"""

from __future__ import annotations

import copyreg
import random
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import lru_cache
from itertools import groupby

import regex

from tokparity.errors import FormatError
from tokparity.reference.onig import compile_onig
from tokparity.reference.onig_syntax import atoms
from tokparity.reference.splits import Chain, Characters, Split, SplitStage

_TEXTS = 4000
_PARTS = 6  # runs in one text, at most
_RUNS = (1, 1, 1, 1, 2, 2, 3, 4)
_MOST = 1025  # characters of one run
_ALIKE = 3  # characters of one kind that are put into texts
_CHARACTERS = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x32000, 16), 0xE0001)))
_TELLING = (
    "I'll don't WE'VE it's THEY\u2019RE x123456 1234567 v2.0 a_b foo.bar /usr//bin ",
    "  two\n\n \n\tthree    \r\n\r\n  four\u3000five\xa0six   ",
    "Nai\u0308ve \u4e2d\u6587\u30c6\u30b9\u30c8 \ud55c\uad6d\uc5b4 \u0939\u093f\u0928\u094d \xbd\xb2\u0663 "
    "CamelCaseHTML!!! \u2026\u3002 \U0001f600",
    '(a) [b] {c} #d $5 %e <f> "g" ,h .i ?j :k; -l=m+n~o^p|q\\r@s`t &u*',
)
"""Texts on which most pre-tokenizers differ."""
_NUMBERS = re.compile(r"(?<=[{,])\d{1,4}(?=[,}])")


def as_chain(stage: object) -> object:
    """A pre-tokenizer of one split as the chain of one, which is how the table has it."""
    return Chain((stage,)) if isinstance(stage, Split) else stage


def cut_alike(one: object, other: object) -> bool:
    """Whether two pre-tokenizers cut every text at the same places."""
    return _cut_alike(as_chain(one), as_chain(other))


@lru_cache(maxsize=1024)
def _cut_alike(one: object, other: object) -> bool:
    if one == other or not isinstance(one, Chain) or not isinstance(other, Chain):
        return one == other
    if _normal_form(one) == _normal_form(other):
        return True
    try:
        return all(list(one(text, True)) == list(other(text, True)) for text in _texts(one, other))
    except FormatError:
        return False  # a pattern that is given up on a text is not one that the other is known to equal


def _normal_form(stage: object) -> object:
    """The stage with what the library compiles in the place of each pattern."""
    if isinstance(stage, Split) and not stage.literal:
        covering = compile_onig(stage.pattern).covering
        compiled = copyreg.dispatch_table[regex.Pattern](covering)
        return (compiled[1][1:], stage.behaviour, stage.invert)
    if isinstance(stage, Chain):
        return tuple(map(_normal_form, stage.stages))
    return stage


def _texts(one: Chain, other: Chain) -> Iterator[str]:
    """Texts on which two pre-tokenizers show what they do differently, those first on which most of them do."""
    yield from _TELLING
    patterns = [*_patterns(one), *_patterns(other)]
    fragments = _fragments(patterns)
    numbers = {int(found) for pattern in patterns for found in _NUMBERS.findall(pattern)}
    runs = [*_RUNS, *(min(number + more, _MOST) for number in sorted(numbers) for more in (0, 1))]
    rng = random.Random(0)
    for _ in range(_TEXTS):
        yield "".join(rng.choice(fragments) * rng.choice(runs) for _ in range(rng.randint(1, _PARTS)))


def _patterns(stage: SplitStage) -> Iterator[str]:
    """The patterns of a pre-tokenizer, in Oniguruma's syntax."""
    if isinstance(stage, Split):
        yield regex.escape(stage.pattern) if stage.literal else stage.pattern
    elif isinstance(stage, Characters):
        yield stage.members.removeprefix("(?V1)")
    elif is_dataclass(stage):
        for inner in getattr(stage, "stages", ()):
            yield from _patterns(inner)


def _fragments(patterns: list[str]) -> list[str]:
    """Strings that the patterns spell, and characters of each kind that they tell apart."""
    kinds: dict[int, int] = dict.fromkeys(range(len(_CHARACTERS)), 0)
    spelled: dict[str, None] = {}
    tests: dict[str, None] = {}
    for pattern in patterns:
        for is_literal, run in groupby(atoms(pattern), key=lambda atom: len(atom) == 1):
            found = list(run)
            spelled |= {"".join(found): None, "".join(found).swapcase(): None} if is_literal else {}
            tests |= dict.fromkeys(found)
    for number, test in enumerate(tests):
        for flags in ("(?V1)", "(?V1)(?i)"):
            for match in regex.finditer(f"{flags}(?:{test})+", _CHARACTERS):
                for at in range(*match.span()):
                    kinds[at] |= 1 << (2 * number + (flags != "(?V1)"))
    chosen: dict[int, list[str]] = {}
    for at, kind in kinds.items():
        members = chosen.setdefault(kind, [])
        if len(members) < _ALIKE:
            members.append(_CHARACTERS[at])
    return [*spelled, *(character for members in chosen.values() for character in members)]
