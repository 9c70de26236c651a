"""Versions as PEP 440 spells them: what a user may name, what lies nearest to it, and which Pythons have its wheel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from packaging import tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from tokparity.errors import UsageError

_LONGEST = 64
_SHOWN = 6
_OLDEST, _NEWEST = 8, 20
"""Minor versions of Python: the first that an environment's worker runs on, and one that is still to come."""


def public(word: str, engine: str) -> str:
    """A public version of PEP 440 in its plain spelling; UsageError for anything else, such as a range or a marker."""
    try:
        version = Version(word) if len(word) <= _LONGEST and word == word.strip() else None
    except InvalidVersion:
        version = None
    if version is None or version.local:
        message = f"{word[:_LONGEST]!r} is not a version of {engine!r}"
        raise UsageError(message, f"name one exactly, such as {engine}@1.2.3: no range, no wildcard, no 'latest'")
    return str(version)


def nearest(asked: str, known: Iterable[str]) -> Sequence[str]:
    """The versions that begin with the requested one, else those around it; oldest first."""
    versions, wanted = sorted({Version(version) for version in known}), Version(asked)
    size = len(wanted.release)
    same = [version for version in versions if version.release[:size] == wanted.release]
    below, above = ([v for v in versions if v < wanted], [v for v in versions if v > wanted])
    return [str(version) for version in same[:_SHOWN] or [*below[-2:], *above[:2]]]


def pythons(wheels: Iterable[str]) -> list[str]:
    """The Pythons, as "3.10", that can install one of these wheels on this machine; oldest first."""
    found = frozenset().union(*(_tags_of(name) for name in wheels))
    platforms = list(tags.platform_tags())
    return [f"3.{minor}" for minor in range(_OLDEST, _NEWEST) if found & _tags_for(minor, platforms)]


def _tags_of(wheel: str) -> frozenset[tags.Tag]:
    try:
        return parse_wheel_filename(wheel)[3]
    except InvalidWheelFilename:
        return frozenset()


def _tags_for(minor: int, platforms: Sequence[str]) -> frozenset[tags.Tag]:
    """What CPython 3.`minor` takes here."""
    own = tags.cpython_tags((3, minor), platforms=platforms)
    return frozenset((*own, *tags.compatible_tags((3, minor), f"cp3{minor}", platforms)))
