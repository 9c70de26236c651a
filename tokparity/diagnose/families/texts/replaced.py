"""Strings that the engine reads as others; what the wrong ids decode to shows which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import partial
from itertools import chain, product

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.answers.decoded_texts import change_of
from tokparity.diagnose.families.answers.lost_strings import named_string
from tokparity.diagnose.hypothesis import Variant, has_other_ids
from tokparity.diagnose.limits.families import SEEN, TOLD, TRIED
from tokparity.diagnose.limits.texts import BESIDE_REPLACED, LONGEST_ALIGNED, LONGEST_REPLACED
from tokparity.diagnose.probes import mixed

_AMONG = ("a", " ", "1", ".", "é", "one two")


def replaced_strings(facts: Facts) -> Iterator[Variant]:
    """The texts with one string in place of another."""
    yield from (_variant(facts, {old: new}) for old, new in _shown(facts, _counted(facts)))


def several_strings(facts: Facts) -> Iterator[Variant]:
    """The texts with several strings in place of others."""
    counted = _counted(facts)
    for old, new in _shown(facts, counted):
        table = {old: new}
        for other, instead in [pair for pair, times in counted.most_common(SEEN) if times > 1]:
            # What another one has a part of would be changed twice; a table of characters is another family's.
            if min(len(old), len(other)) > 1 and not any(one in other or other in one for one in table):
                table[other] = instead
        if len(table) > 1:
            yield _variant(facts, table)
    if counted and facts.asking.is_stored:  # where an engine can be asked, another family sorts characters
        yield _variant(facts, dict(chain.from_iterable(_apart(*seen.texts) for seen in facts.failing[:SEEN])))


def _counted(facts: Facts) -> Counter[tuple[str, str]]:
    if not facts.is_of_ids:
        return Counter()
    return Counter(pair for seen in facts.failing[:SEEN] for pair in {*_pairs(seen)})


def _shown(facts: Facts, counted: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """The commonest pairs that the smallest mismatch shows."""
    here = {*_pairs(facts.against)} if counted else set()
    return [pair for pair, _ in counted.most_common() if pair in here][:TRIED]


def _pairs(seen: Observation) -> Iterator[tuple[str, str]]:
    """What was changed in a text, as its wrong ids decode, with none or some of the characters beside it."""
    if not has_other_ids(seen):
        return
    right, came = seen.texts
    if right == came or not right or not came:
        return
    yield from _apart(right, came)
    old, new = change_of(right, came)
    at = next((i for i, both in enumerate(zip(right, came, strict=False)) if both[0] != both[1]), 0)
    at = min(at, len(right) - len(old))
    for before, behind in product(range(BESIDE_REPLACED + 1), repeat=2):
        start, end = max(at - before, 0), at + len(old) + behind
        whole = right[start:at] + old + right[at + len(old) : end]
        if 0 < len(whole) <= LONGEST_REPLACED:
            yield whole, right[start:at] + new + right[at + len(old) : end]


def _apart(right: str, came: str) -> Iterator[tuple[str, str]]:
    """Each change by itself, where a text was changed in several places."""
    if max(len(right), len(came)) <= LONGEST_ALIGNED:
        for _, start, end, first, last in SequenceMatcher(None, right, came, autojunk=False).get_opcodes():
            old, new = right[start:end], came[first:last]
            if old != new and 0 < len(old) <= LONGEST_REPLACED:
                yield old, new


def _variant(facts: Facts, table: Mapping[str, str]) -> Variant:
    told = ", and ".join(_told(old, new) for old, new in list(table.items())[:TOLD])
    more = f", and {len(table) - TOLD} more such strings" if len(table) > TOLD else ""
    some = [*table, *(string[i:] for string in table for i in range(1, len(string))), *(s[:-1] for s in table)]
    probes = mixed([*table], _AMONG, [*filter(None, some)])
    return facts.text_variant(f"{told}{more}", partial(_replaced, dict(table)), probes)


def _told(old: str, new: str) -> str:
    return f"with {named_string(new)} in place of {named_string(old)}" if new else f"without {named_string(old)}"


def _replaced(table: Mapping[str, str], text: str) -> tuple[str]:
    for old, new in table.items():
        text = text.replace(old, new)
    return (text,)
