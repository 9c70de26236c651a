"""One difference between two sources, and how pieces are shown in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.questions.json_text import literal
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.vocabulary import Vocabulary

Apply = Callable[[Vocabulary, Behaviour], tuple[Vocabulary, Behaviour]]
"""The left source with this one difference made as in the right one."""

_EXAMPLES = 5


@dataclass(frozen=True)
class Difference:
    """One difference: where, what is so on each side, what it is likely to do, and the left source with it made right.

    `texts` are texts on which it may show.
    """

    part: str
    what: str
    effect: str
    apply: Apply = field(compare=False)
    texts: tuple[bytes, ...] = ()
    unsaid: bool = False
    """Whether one side's format has no place for it, so that it says nothing of it."""


def vocabulary_with(**fields: Any) -> Apply:
    """The left source with these fields of its vocabulary."""
    return lambda vocabulary, behaviour: (replace(vocabulary, **fields), behaviour)


def some(pieces: Sequence[bytes]) -> str:
    """The first few pieces, for a reader."""
    shown = ", ".join(literal(piece[:60]) for piece in pieces[:_EXAMPLES])
    return shown + (" ..." if len(pieces) > _EXAMPLES else "")


def text_of(piece: bytes) -> bytes:
    """The piece as it may stand in a text."""
    text = piece.decode("utf-8", "surrogateescape").removeprefix("##")
    if "▁" in text:
        return text.replace("▁", " ").encode("utf-8", "surrogateescape")
    return from_alphabet(text) if any(c in text for c in "ĠĊĉ") else piece.removeprefix(b"##")
