"""The precompiled charsmap in a model's file."""

from __future__ import annotations

from pathlib import Path

from tokparity.errors import FormatError
from tokparity.reference.charsmap import Charsmap
from tokparity.vocabulary import Kind, Vocabulary


def charsmap_of(path: Path, blob: bytes, vocabulary: Vocabulary, marks_nothing: bool = False) -> Charsmap | None:
    """The normalizer in a precompiled charsmap, None if it is empty; user-defined pieces pass it untouched."""
    pairs = zip(vocabulary.pieces, vocabulary.kinds, strict=True)
    keep = tuple(piece.decode("utf-8", "replace") for piece, kind in pairs if kind is Kind.USER_DEFINED)
    if not blob:
        return None
    found = Charsmap(blob, keep, marks_nothing)
    try:
        found.table  # noqa: B018 (asking for it checks all of it)
    except FormatError as error:
        raise FormatError(f"{path}: {error.message}", error.hint) from error
    return found
