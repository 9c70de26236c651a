"""Special tokens as characters: each that a text spells is one, so that what stands beside it can be found out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tokparity.questions.json_text import literal
from tokparity.vocabulary import Kind, Vocabulary

FIRST = 0x10F000
"""Private-use code points from here on stand for the tokens."""
MOST = 1024


@dataclass(frozen=True)
class Tokens:
    """How the special tokens of a model are spelled, those that are more than one character and hold no white space."""

    contents: tuple[str, ...] = ()

    @cached_property
    def _characters(self) -> dict[str, str]:
        return {content: chr(FIRST + i) for i, content in enumerate(self.contents)}

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self.contents, key=len, reverse=True))))

    def folded(self, text: str) -> str:
        """The text with one character for each token that it spells; the longest where several begin."""
        return self._spelled.sub(lambda found: self._characters[found[0]], text) if self.contents else text

    def unfolded(self, text: str) -> str:
        """The text as it was; a character that stands for no token stays."""
        return "".join(self.contents[at] if 0 <= (at := ord(c) - FIRST) < len(self.contents) else c for c in text)

    def stands_for_none(self, text: str) -> bool:
        """Whether the text has a character of those that stand for tokens, which stands for none of these."""
        return any(len(self.contents) <= ord(c) - FIRST < MOST for c in text)

    def told(self, says: str) -> str:
        """A sentence with the tokens as they are spelled in the place of their characters."""
        for content, character in self._characters.items():
            says = says.replace(f"U+{ord(character):X}", literal(content))
            says = says.replace(literal(character)[1:-1], literal(content)[1:-1])
        return says


NONE = Tokens()
"""Of a model without special tokens."""


def of(vocabulary: Vocabulary) -> Tokens:
    """The special tokens of a model."""
    pieces = zip(vocabulary.pieces, vocabulary.kinds, strict=True)
    found = [piece.decode("utf-8", "replace") for piece, kind in pieces if kind is Kind.CONTROL]
    found += [token.content for token in vocabulary.added if token.special]
    return Tokens(tuple(_apart(list(dict.fromkeys(found)))[:MOST]))


def _apart(contents: Sequence[str]) -> list[str]:
    return [content for content in contents if len(content) > 1 and not re.search(r"\s", content)]
