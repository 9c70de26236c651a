"""What is wrong with one key of a GGUF, told to somebody who has never seen its numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tokparity.formats.gguf_keys import PREFIX
from tokparity.questions.json_text import literal
from tokparity.vocabulary import Kind

TOKEN_TYPE, SCORES = PREFIX + "token_type", PREFIX + "scores"
CHARSMAP = PREFIX + "precompiled_charsmap"

_TABLE = "bytes of the table by which a text is normalized (full-width letters, ligatures)"
_UNITS: Mapping[str, str] = {CHARSMAP: _TABLE}
"""What a long value is made of; absent: entries."""
_LONG = 4  # entries; a list with more is not shown as a whole
_LARGE = 100.0  # from here on a number is shown without a fraction
_EXAMPLES = 2
_GROUPS = 4  # of pieces whose type changes in the same way
_KINDS = {kind.value: f"{kind.name.lower().replace('_', '-')} ({kind.value})" for kind in Kind}


def told(key: str, before: Any, after: Any, pieces: Sequence[bytes] = ()) -> tuple[str, str]:
    """The value and what it should be; of a long list, or beside one, one phrase that says both, and no second.

    `pieces` are those of the file, whose entries are named by them.
    """
    if is_long(before) or is_long(after):
        return _phrase(key, before, after, pieces), ""
    if before is None and isinstance(after, bool):  # without the key it is the other one, or nothing would be wrong
        return f"{_value(None)} (llama.cpp takes {_value(not after)})", _value(after)
    return _value(before), _value(after)


def told_type(types: tuple[str, str]) -> str:
    """That a key has the first type and should have the second."""
    return f"is written as {types[0]}, should be {types[1]}"


def with_types(value: str, should: str, types: tuple[str, str]) -> tuple[str, str]:
    """The sentence `told`, with the type that a key has and the type that it should have."""
    if not should:
        return f"{told_type(types)}; it {value}", ""
    return f"{value} ({types[0]})", should if should == _value(None) else f"{should} ({types[1]})"


def is_long(value: Any) -> bool:
    """Whether a value is too long to be shown whole."""
    return isinstance(value, list | array) and len(value) > _LONG


def _phrase(key: str, before: Any, after: Any, pieces: Sequence[bytes]) -> str:
    unit = _UNITS.get(key, "entries")
    if not is_long(before):
        return f"is {_value(before)}, should have {len(after):,} {unit}"
    if not is_long(after):
        return f"has {len(before):,} {unit}, should be {_value(after)}"
    has, needs = len(before), len(after)
    if has == needs:
        return _entries(key, before, after, unit, pieces)
    if before == after[:has]:
        return f"is cut short: it has the first {has:,} of {needs:,} {unit}"
    if after == before[:needs]:
        return f"is too long: it has {has - needs:,} more than the {needs:,} {unit} that it should have"
    return f"has {has:,} {unit}, should have {needs:,}" + "".join(_lists(key, before, after))


def _lists(key: str, before: Any, after: Any) -> Iterator[str]:
    """Which entries only one of the two lists has, in a list of texts."""
    if key in (TOKEN_TYPE, SCORES, CHARSMAP):
        return
    for what, entries, others in (("missing", after, set(before)), ("too many", before, set(after))):
        only = [_value(entry) for entry in entries if entry not in others]
        if only:
            more = f", and {len(only) - _EXAMPLES:,} more" if len(only) > _EXAMPLES else ""
            yield f"; {what}: {', '.join(only[:_EXAMPLES])}{more}"


def _entries(key: str, before: Any, after: Any, unit: str, pieces: Sequence[bytes]) -> str:
    other = [i for i in range(len(before)) if before[i] != after[i]]
    if isinstance(before, list) and (moved := _moved(before, after, other[0], other[-1])) is not None:
        entry, stands, should = moved
        return f"has {_value(entry)} at [{stands}], should have it at [{should}]; the others are in order"
    found = f"differs in {len(other):,} of {len(before):,} {unit}"
    if key == CHARSMAP:
        return found
    if key == TOKEN_TYPE:
        return f"{found}: {'; '.join(_types(other, before, after, pieces))}"
    if isinstance(before, array) and before.typecode in "fd":
        most = max(abs(before[i] - after[i]) for i in other)
        found += f", by at most {most:.2g}" if most < _LARGE else f", by at most {most:,.0f}"
    named = [_entry(key, i, before[i], after[i], pieces) for i in other[:_EXAMPLES]]
    return f"{found}: {', '.join(named)}" + (f", and {len(other) - _EXAMPLES:,} more" if len(other) > _EXAMPLES else "")


def _moved(before: Sequence[Any], after: Sequence[Any], first: int, last: int) -> tuple[Any, int, int] | None:
    """(entry, its place, the right one) where one entry that was moved makes all the difference; else None.

    `first` and `last` are the places of the first and the last difference.
    """
    if last - first < 2:  # of two that are swapped nobody knows which one was moved
        return None
    if before[last] == after[first] and before[first:last] == after[first + 1 : last + 1]:
        return before[last], last, first
    if before[first] == after[last] and before[first + 1 : last + 1] == after[first:last]:
        return before[first], first, last
    return None


def _types(other: Sequence[int], before: Any, after: Any, pieces: Sequence[bytes]) -> Iterator[str]:
    """How many pieces have one type instead of another, with examples; the change that most pieces need comes first."""
    groups: dict[tuple[int, int], list[int]] = {}
    for i in other:
        groups.setdefault((before[i], after[i]), []).append(i)
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    for (has, needs), places in ordered[:_GROUPS]:
        noun = "piece has" if len(places) == 1 else "pieces have"
        named = [f"{literal(pieces[i])} [{i}]" if i < len(pieces) else f"[{i}]" for i in places[:_EXAMPLES]]
        more = f", and {len(places) - _EXAMPLES:,} more" if len(places) > _EXAMPLES else ""
        yield f"{len(places):,} {noun} type {_kind(has)}, should be {_kind(needs)}: {', '.join(named)}{more}"
    if left := sum(len(places) for _, places in ordered[_GROUPS:]):
        yield f"{left:,} pieces have another wrong type"


def _entry(key: str, i: int, before: Any, after: Any, pieces: Sequence[bytes]) -> str:
    piece = f" {literal(pieces[i])}" if key == SCORES and i < len(pieces) else ""
    return f"[{i}]{piece} is {_value(before)}, should be {_value(after)}"


def _kind(value: int) -> str:
    return _KINDS.get(value, str(value))


def _value(value: Any) -> str:
    if value is None:
        return "absent"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | array):
        return f"[{', '.join(map(_value, value))}]"
    return literal(value) if isinstance(value, bytes) else str(value)
