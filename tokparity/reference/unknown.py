"""What becomes of text that no piece covers."""

from __future__ import annotations

from collections.abc import Callable

from tokparity.behaviour import Behaviour
from tokparity.reference.text import encode_text
from tokparity.vocabulary import Vocabulary

Fallback = Callable[[str], list[int]]


def fallback(vocabulary: Vocabulary, behaviour: Behaviour) -> Fallback:
    """Text that no piece covers -> ids: byte pieces, or the unknown id, or nothing, as the behaviour says.

    A byte without a piece falls back to the unknown id; a model that has no unknown id drops it.
    """
    unknown = [] if vocabulary.unknown_id is None else [vocabulary.unknown_id]
    byte_ids = vocabulary.byte_ids

    def as_bytes(text: str) -> list[int]:
        found = [byte_ids[byte] for byte in encode_text(text)]
        return unknown if None in found else [i for i in found if i is not None]

    def nothing(text: str) -> list[int]:
        return []

    ways: dict[str, Fallback] = {"bytes": as_bytes, "unknown": lambda text: unknown}
    return ways.get(behaviour.fallback, nothing)


def fuse_unknown(ids: list[int], unknown: int | None) -> list[int]:
    """The ids with each run of unknowns made one."""
    if unknown is None or unknown not in ids:
        return ids
    return [i for n, i in enumerate(ids) if i != unknown or n == 0 or ids[n - 1] != unknown]
