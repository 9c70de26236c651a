"""Byte pieces: `<0x00>` to `<0xFF>`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokparity.errors import FormatError
from tokparity.formats.excerpt import excerpt
from tokparity.vocabulary import BYTE_PIECE, Kind


def check_byte_pieces(path: Path, pieces: Sequence[bytes], kinds: Sequence[Kind]) -> None:
    """FormatError if a piece is marked as a byte but not spelled as one."""
    for i, (piece, kind) in enumerate(zip(pieces, kinds, strict=True)):
        if kind is Kind.BYTE and not BYTE_PIECE.fullmatch(piece):
            raise FormatError(
                f"{path}: piece {i} is marked as a byte and spelled {excerpt(piece)}", "expected <0x00> to <0xFF>"
            )
