"""Lists with one entry for each row of a model's embeddings, made as long as the file has rows."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from typing import Any

from tokparity.behaviour import MARKER
from tokparity.errors import CannotExpressError
from tokparity.formats.gguf_keys import PREFIX
from tokparity.questions.json_text import literal
from tokparity.vocabulary import Kind

TOKENS, TOKEN_TYPE = PREFIX + "tokens", PREFIX + "token_type"
PER_PIECE = (TOKENS, PREFIX + "scores", TOKEN_TYPE)
"""Keys with one entry for each row of the model's embeddings: their length is not ours to change."""
TOLD_PIECES, LONGEST_TOLD = 3, 60
"""Missing pieces that are told, and bytes of each."""
UNUSED_SCORE = -10000.0
"""As converters write it: in a unigram model llama.cpp looks for unused pieces as well, by their scores."""


class TooFewPiecesError(CannotExpressError):
    """The file lacks pieces, and so do its tensors: no key makes it right. `missing` are pieces that it lacks."""

    def __init__(self, has: int, needs: int, missing: Sequence[tuple[int, bytes]] = ()) -> None:
        told = ", ".join(f"{literal(piece[:LONGEST_TOLD])} [{i}]" for i, piece in missing[:TOLD_PIECES])
        more = f" and {len(missing) - TOLD_PIECES:,} more" if len(missing) > TOLD_PIECES else ""
        lacks = f"; it lacks {told}{more}" if missing else ""
        super().__init__(
            f"{TOKENS} has {has:,} entries and needs {needs:,}, and a row of the tensors belongs to each{lacks}",
            "convert the model again",
        )


def fitted(key: str, pieces: Sequence[bytes], before: Any, after: Any, found: Collection[int] = ()) -> Any:
    """The wanted value, with the padding that only the GGUF has; TooFewPiecesError where it has more entries.

    Padding stands behind the last piece, and on ids that have none in the source. It may not have the name of a piece,
    for llama.cpp opens no file with two pieces of one name. `before` is the value in the file,
    and `pieces` are its pieces. `found` are the rows of padding that texts match, and should not.
    """
    if key not in PER_PIECE or after is None or not pieces:
        return after
    if len(after) > len(pieces):
        raise TooFewPiecesError(len(pieces), len(after))
    if key == TOKENS:
        named = {*after}
        padding = [b"[PAD%d]" % i if piece in named else piece for i, piece in enumerate(pieces)]
        pairs = zip(pieces, padding, after, strict=False)
        after = [own if not its else ours if _is_placeholder(ours, its) else its for ours, own, its in pairs]
        return [*after, *padding[len(after) :]]
    of_padding = Kind.UNUSED if key == TOKEN_TYPE else 0
    tail = before[len(after) :] if isinstance(before, array) and len(before) == len(pieces) else ()
    tail = array(after.typecode, tail or [of_padding] * (len(pieces) - len(after)))
    for row in [row for row in found if row >= len(after)]:
        tail[row - len(after)] = Kind.UNUSED if key == TOKEN_TYPE else UNUSED_SCORE
    return after + tail


def found_padding(pieces: Sequence[bytes], kinds: Any, first: int, lists_all: bool) -> list[int]:
    """The rows from `first` on, beyond the pieces of the source, that are looked for in texts.

    Where the source would not list tokens that were added (`lists_all`), what looks like one of a chat may be one.
    """
    if not isinstance(kinds, array) or len(kinds) != len(pieces):
        return []
    rows = [i for i in range(first, len(pieces)) if kinds[i] in (Kind.USER_DEFINED, Kind.CONTROL)]
    return [i for i in rows if lists_all or not (pieces[i].startswith(b"<") and pieces[i].endswith(b">"))]


def _is_placeholder(ours: bytes, its: bytes) -> bool:
    """Whether it is what llama.cpp's converter leaves as it is, and ours marks as the begin of a word ([unused1])."""
    return bool(ours and its == MARKER.encode() + ours and ours.startswith(b"[") and ours.endswith(b"]"))
