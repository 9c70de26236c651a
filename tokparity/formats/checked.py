"""What several formats hold and may get wrong: byte pieces and precompiled charsmaps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tokparity.errors import FormatError
from tokparity.reference.charsmap import Charsmap
from tokparity.vocabulary import Kind, Vocabulary

_BYTE_PIECE = re.compile(rb"<0x[0-9A-Fa-f]{2}>")


def check_byte_pieces(path: Path, pieces: Sequence[bytes], kinds: Sequence[Kind]) -> None:
    """FormatError if a piece is marked as a byte but not spelled as one."""
    for i, (piece, kind) in enumerate(zip(pieces, kinds, strict=True)):
        if kind is Kind.BYTE and not _BYTE_PIECE.fullmatch(piece):
            raise FormatError(
                f"{path}: piece {i} is marked as a byte and spelled {piece!r}", "expected <0x00> to <0xFF>"
            )


def charsmap_of(path: Path, blob: bytes, vocabulary: Vocabulary) -> Charsmap | None:
    """The normaliser in a precompiled charsmap, None if it is empty; user-defined pieces pass it untouched."""
    pairs = zip(vocabulary.pieces, vocabulary.kinds, strict=True)
    keep = tuple(piece.decode("utf-8", "replace") for piece, kind in pairs if kind is Kind.USER_DEFINED)
    if not blob:
        return None
    found = Charsmap(blob, keep)
    try:
        found.units  # noqa: B018 (asking for them checks the sizes)
    except FormatError as error:
        raise FormatError(f"{path}: {error.message}", error.hint) from error
    return found
