"""What has changed between two vectors files of one model, and why.

Comments, and what the catalog says of a fault, are for readers: other words make no file stale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from tokparity.vectors.model import Vector, Vectors

_LISTED = 5


def changes(old: Vectors, new: Vectors) -> Iterator[str]:
    """A line for each kind of change, the causes first; nothing where texts, answers and names of faults are equal."""
    what = list(_changes(old, new))
    if what and old.tokparity != new.tokparity:
        yield f"tokparity was {old.tokparity}, and is {new.tokparity}"
    yield from what


def _changes(old: Vectors, new: Vectors) -> Iterator[str]:
    if old.oracle != new.oracle:
        yield f"the oracle was {old.oracle}, and is {new.oracle}"
    if old.sources != new.sources:
        yield "the model's files are others"
    before, now = _told(old), _told(new)
    yield from _names("known faults that are new", now.keys() - before.keys())
    yield from _names("known faults that are gone", before.keys() - now.keys())
    yield from _names("known faults that are shown, or alike, otherwise", _differing(before, now))
    was, case = ({case.id: case for part in vectors.parts for case in part.cases} for vectors in (old, new))
    rights = ({name: _right(one) for name, one in cases.items()} for cases in (was, case))
    yield from _names("cases with another right answer", _differing(*rights))
    wrongs = ({name: one.wrong for name, one in cases.items()} for cases in (was, case))
    yield from _names("cases with other wrong answers", _differing(*wrongs))
    yield from _names("cases that are new", case.keys() - was.keys())
    yield from _names("cases that are gone", was.keys() - case.keys())


def _differing(old: Mapping[str, object], new: Mapping[str, object]) -> set[str]:
    return {name for name in old.keys() & new.keys() if old[name] != new[name]}


def _told(vectors: Vectors) -> Mapping[str, object]:
    """Each fault of the catalog, with the fault under whose name the file has it; None for one that no case shows."""
    untold = dict.fromkeys(name for part in vectors.parts for one in part.untold for name in one.faults)
    faults = chain.from_iterable(part.faults.items() for part in vectors.parts)
    return {**untold, **{twin: name for name, fault in faults for twin in (name, *fault.alike)}}


def _right(case: Vector) -> object:
    """The right answer of a case and the acceptable ones."""
    return case.question, case.answer, [(one.answer, one.faults) for one in case.acceptable]


def _names(what: str, names: set[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        yield f"{len(names)} {what}: {', '.join(sorted(names)[:_LISTED])}{more}"
