"""What has changed between two vectors files of one model, and why."""

from __future__ import annotations

from collections.abc import Iterator

from tokparity.vectors.model import Vectors

_LISTED = 5


def changes(old: Vectors, new: Vectors) -> Iterator[str]:
    """A line for each kind of change, the causes first; nothing where the two are the same."""
    if old.oracle != new.oracle:
        yield f"the oracle was {old.oracle}, and is {new.oracle}"
    if old.tokparity != new.tokparity:
        yield f"tokparity was {old.tokparity}, and is {new.tokparity}"
    if old.sources != new.sources:
        yield "the model's files are others"
    yield from _names("known faults that are new", new.faults.keys() - old.faults.keys())
    yield from _names("known faults that are gone or alike others", old.faults.keys() - new.faults.keys())
    before, now = ({case.id: case for case in vectors.cases} for vectors in (old, new))
    both = before.keys() & now.keys()
    yield from _names("cases with another right answer", {one for one in both if before[one].answer != now[one].answer})
    yield from _names("cases with other wrong answers", {one for one in both if before[one].wrong != now[one].wrong})
    yield from _names("cases that are new", now.keys() - before.keys())
    yield from _names("cases that are gone", before.keys() - now.keys())


def _names(what: str, names: set[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        yield f"{len(names)} {what}: {', '.join(sorted(names)[:_LISTED])}{more}"
