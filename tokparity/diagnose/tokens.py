"""Writes each added token in a text as one character, so that rules can speak of what is next to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tokparity.questions.json_text import literal
from tokparity.vocabulary import Kind, Vocabulary

MOST = 1024
FIRST, FIRST_OTHER = 0x10F000, 0x10F000 + MOST
"""The private-use code points from here on replace the special tokens, and the added tokens that are not special."""


def _no_text(ids: Sequence[int]) -> bytes:
    return b""


@dataclass(frozen=True)
class Tokens:
    """The spellings of a model's added tokens that have several characters and no white space."""

    special: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    decode: Callable[[Sequence[int]], bytes] = field(default=_no_text, compare=False, repr=False)
    """What the model itself decodes ids to, without special tokens; nothing where it cannot."""

    @cached_property
    def _characters(self) -> dict[str, str]:
        special = {content: chr(FIRST + i) for i, content in enumerate(self.special)}
        return special | {content: chr(FIRST_OTHER + i) for i, content in enumerate(self.others)}

    @cached_property
    def _contents(self) -> dict[str, str]:
        return {character: content for content, character in self._characters.items()}

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self._characters, key=len, reverse=True))))

    def folded(self, text: str) -> str:
        """The text with one character for each token that it spells; the longest where several begin."""
        return self._spelled.sub(lambda found: self._characters[found[0]], text) if self._characters else text

    def unfolded(self, text: str) -> str:
        """The text as it was; a character that replaces no token stays."""
        return "".join(self._contents.get(c, c) for c in text)

    def stands_for_none(self, text: str) -> bool:
        """Whether the text has a code point of the range that replaces tokens, and no token has it."""
        return any(FIRST <= ord(c) < FIRST_OTHER + MOST and c not in self._contents for c in text)

    def told(self, says: str) -> str:
        """Replace the stand-in characters in a sentence by the spellings of their special tokens."""
        for content, character in self._characters.items():
            says = says.replace(f"U+{ord(character):X}", literal(content))
            says = says.replace(literal(character)[1:-1], literal(content)[1:-1])
        return says


NONE = Tokens()
"""Of a model without added tokens."""


def of(vocabulary: Vocabulary) -> Tokens:
    """The added tokens of a model."""
    pieces = zip(vocabulary.pieces, vocabulary.kinds, strict=True)
    found = [piece.decode("utf-8", "replace") for piece, kind in pieces if kind is Kind.CONTROL]
    found += [token.content for token in vocabulary.added if token.special]
    others = [token.content for token in vocabulary.added if not token.special and token.content not in found]
    return Tokens(_apart(found), _apart(others))


def _apart(contents: Sequence[str]) -> tuple[str, ...]:
    some = [content for content in dict.fromkeys(contents) if len(content) > 1 and not re.search(r"\s", content)]
    return tuple(some[:MOST])
