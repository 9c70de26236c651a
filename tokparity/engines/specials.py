"""Special tokens as a text spells them: where none is spelled, an engine that always recognizes them may be asked."""

from __future__ import annotations

from collections.abc import Iterable

from tokparity import formats
from tokparity.engines.answers import UnsupportedError
from tokparity.errors import TokparityError
from tokparity.vocabulary import Kind

_KINDS = (Kind.CONTROL, Kind.UNKNOWN, Kind.USER_DEFINED)


def spelled(path: str) -> frozenset[str]:
    """How the special and added tokens of a model's file are spelled; none where the file cannot be read."""
    try:
        vocabulary = formats.read(path).vocabulary
    except TokparityError:
        return frozenset()
    pieces = zip(vocabulary.pieces, vocabulary.kinds, strict=False)
    found = {piece.decode("utf-8", "replace") for piece, kind in pieces if kind in _KINDS}
    return frozenset(found | {token.content for token in vocabulary.added}) - {""}


def refuse_spelled(texts: Iterable[str], specials: frozenset[str], engine: str) -> None:
    """Raise UnsupportedError where one of the texts spells a special token."""
    if any(special in text for text in texts for special in specials):
        # The reason is the same for every such text, so that those who count can add them up.
        message = f"{engine} always recognizes special tokens, and the text contains one"
        raise UnsupportedError(message, "run it with --parse-special")
