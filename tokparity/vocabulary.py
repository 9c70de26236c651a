"""The data of a tokenizer: pieces, scores, kinds, merges, added tokens, special ids.

Pieces are stored as the model's file spells them (UTF-8 of "▁the", "Ġthe", "##ing", "<0x0A>"). So every format can be
read and written without loss. What a piece *means* is `Behaviour`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

BYTE_PIECE = re.compile(rb"<0x[0-9A-Fa-f]{2}>")
"""How a byte piece is spelled."""

BEGINNINGS = 64
"""Beginnings of pieces are held up to this many characters. So they grow with the vocabulary and not with the square of
its longest piece, which may be of any length."""


class Kind(IntEnum):
    """The kind of a piece. The numbers are those of SentencePiece and of `tokenizer.ggml.token_type`."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A token that is matched in the text itself, before the model sees it.

    `special` tokens are matched only when special tokens are to be parsed; the others always.
    `normalized` tokens are looked for in the normalized text, the others in the raw text.
    `single_word`, `lstrip`, `rstrip` as in Hugging Face tokenizers.
    """

    id: int
    content: str
    special: bool = True
    normalized: bool = False
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """One model's pieces and everything that is data rather than behavior.

    `pieces[id]` is the piece as spelled in the file (bytes); ids without a piece are b"" and UNUSED.
    `scores` is empty or has one float per piece (float32 values). `kinds` has one Kind per piece.
    `merges` holds pairs of pieces, best first; empty where scores or ids order the merges.
    `special` maps bos, eos, unk, sep, pad, cls, mask to an id; a missing name means there is none.
    """

    pieces: tuple[bytes, ...]
    kinds: tuple[Kind, ...]
    scores: tuple[float, ...] = ()
    merges: tuple[tuple[bytes, bytes], ...] = ()
    added: tuple[AddedToken, ...] = ()
    special: Mapping[str, int] = field(default_factory=dict)
    outside: frozenset[int] = frozenset()
    """Ids of added tokens that are not pieces of the model. They are matched in the text as tokens, never by the
    algorithm. A tokenizer.json and tiktoken keep them apart; a GGUF and SentencePiece do not."""

    def __len__(self) -> int:
        return len(self.pieces)

    @cached_property
    def ids(self) -> dict[bytes, int]:
        """Piece to id; of two equal pieces the later one wins, as in llama.cpp. Ids without a piece are left out."""
        return {piece: i for i, piece in enumerate(self.pieces) if piece}

    @cached_property
    def model_ids(self) -> dict[bytes, int]:
        """Piece to id, of the pieces that the algorithm may find."""
        return {piece: i for piece, i in self.ids.items() if i not in self.outside} if self.outside else self.ids

    @cached_property
    def spelled_ids(self) -> dict[str, int]:
        """The same, each piece as text; a byte that is not UTF-8 is a lone surrogate."""
        return {piece.decode("utf-8", "surrogateescape"): i for piece, i in self.model_ids.items()}

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """All texts of up to BEGINNINGS characters that a piece begins with, itself among them."""
        lengths = ((piece, min(len(piece), BEGINNINGS)) for piece in self.spelled_ids)
        return frozenset(piece[:end] for piece, length in lengths for end in range(1, length + 1))

    @cached_property
    def merge_places(self) -> dict[tuple[str, str], int]:
        """The place of each pair in the list of merges; of a pair that is listed twice the first counts."""
        places: dict[tuple[str, str], int] = {}
        for n, (left, right) in enumerate(self.merges):
            places.setdefault((left.decode("utf-8", "surrogateescape"), right.decode("utf-8", "surrogateescape")), n)
        return places

    @cached_property
    def merge_seams(self) -> frozenset[str]:
        """The two characters that meet in each merge of the list; a merge with nothing never happens."""
        return frozenset(left[-1] + right[0] for left, right in self.merge_places if left and right)

    @cached_property
    def byte_ids(self) -> tuple[int | None, ...]:
        """The id of the byte piece `<0xXX>` for each of the 256 byte values, None where there is none.

        One that is spelled otherwise (with small letters, say) is not a byte piece: no library looks for it.
        """
        found: list[int | None] = [None] * 256
        for i, (piece, kind) in enumerate(zip(self.pieces, self.kinds, strict=True)):
            if kind is Kind.BYTE and BYTE_PIECE.fullmatch(piece) and piece[3:5] == piece[3:5].upper():
                found[int(piece[3:5], 16)] = i
        return tuple(found)

    @cached_property
    def added_by_id(self) -> dict[int, AddedToken]:
        """The added token of each id that has one."""
        return {token.id: token for token in self.added}

    @cached_property
    def shared_ids(self) -> dict[int, tuple[str, ...]]:
        """The ids that more than one added token has, each with the names of these tokens."""
        names: dict[int, dict[str, None]] = {}
        for token in self.added:
            names.setdefault(token.id, {})[token.content] = None
        return {i: tuple(several) for i, several in names.items() if len(several) > 1}

    @cached_property
    def special_added(self) -> frozenset[int]:
        """The ids of the added tokens that are special."""
        return frozenset(token.id for token in self.added if token.special)

    @cached_property
    def special_contents(self) -> frozenset[str]:
        """How the added tokens that are special are spelled."""
        return frozenset(token.content for token in self.added if token.special)

    @property
    def unknown_id(self) -> int | None:
        """The id of text that no piece covers, if the model has one."""
        return self.special.get("unk")

    @cached_property
    def unknown_ids(self) -> frozenset[int]:
        """That id, and those of the pieces whose kind is unknown."""
        of_kind = (i for i, kind in enumerate(self.kinds) if kind is Kind.UNKNOWN)
        return frozenset(of_kind) if self.unknown_id is None else frozenset((self.unknown_id, *of_kind))

    @cached_property
    def byte_values(self) -> dict[int, int]:
        """The byte that each byte piece is for, by id."""
        of_kind = ((i, self.pieces[i]) for i, kind in enumerate(self.kinds) if kind is Kind.BYTE)
        return {i: int(piece[3:5], 16) for i, piece in of_kind if BYTE_PIECE.fullmatch(piece)}


def pieces_at(pieces: Sequence[bytes], ids: Sequence[int]) -> tuple[bytes, ...]:
    """The piece of each id; empty for an id without a piece."""
    if ids and 0 <= min(ids) and max(ids) < len(pieces):
        return tuple(map(pieces.__getitem__, ids))
    return tuple(pieces[i] if 0 <= i < len(pieces) else b"" for i in ids)
