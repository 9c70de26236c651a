"""Whether a text holds a special token, so that it matters whether special tokens are parsed."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from tokparity.vocabulary import Kind, Vocabulary


@dataclass(frozen=True)
class SpecialTokens:
    """The tokens as they are looked for: without case and in NFKC, for a normaliser may make one of what is not."""

    tokens: tuple[str, ...]
    begins: re.Pattern[str]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> SpecialTokens:
        """All added tokens, and all pieces of a special kind."""
        pairs = zip(vocabulary.pieces, vocabulary.kinds, strict=True)
        marked = (Kind.CONTROL, Kind.UNKNOWN, Kind.USER_DEFINED)
        pieces = [piece.decode("utf-8", "surrogateescape") for piece, kind in pairs if kind in marked and piece]
        tokens = dict.fromkeys(_folded(token) for token in (*(a.content for a in vocabulary.added), *pieces) if token)
        first = "".join(re.escape(character) for character in sorted({token[0] for token in tokens}))
        return cls(tuple(tokens), re.compile(f"[{first}]" if first else r"(?!)"))

    def __call__(self, text: bytes) -> bool:
        """Whether one of the tokens may be in a text."""
        shown = _folded(text.decode("utf-8", "surrogateescape"))
        # Most texts hold none of the characters that these begin with, which is seen at once.
        return self.begins.search(shown) is not None and any(token in shown for token in self.tokens)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
