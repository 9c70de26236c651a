"""Words as long as a model takes them, and texts longer than the buffers of engines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tokparity.generators.subject import Subject

_LONGEST_WORD = 10_000
"""Characters of a word, up to which words are made as long as a model's limit."""

_WORDS = (
    "Notwithstanding internationalization, straightforward documentation requires systematically considerable "
    "experimentation. "
)
_SIZES = (1_500, 5_000)
"""Characters of a long text."""


def at_limits(subject: Subject) -> Iterator[bytes]:
    """Words about as long as the model takes them, in characters and in bytes, of letters of one or several bytes."""
    limit, prefix = subject.behaviour.max_word_chars, subject.behaviour.continuing_prefix.encode()
    if limit is None or limit > _LONGEST_WORD:
        return
    ids, normalise = subject.vocabulary.ids, subject.behaviour.normalise or str
    letters: dict[int, str] = {}
    for piece in ids:
        text = piece.decode("utf-8", "replace")
        if len(text) == 1 and text.isalpha() and prefix + piece in ids and normalise(text) == text:
            letters.setdefault(len(piece), text)
    lengths = sorted({limit // size + more for size in (1, *letters) for more in (0, 1)})
    yield from ((text * length).encode() for text, length in product(letters.values(), lengths))


def long_texts() -> Iterator[bytes]:
    """Texts of long words: an engine that reads a buffer at a time cuts one of them, whatever the buffer's size.

    One is a single word, for engines that keep each word in a buffer.
    """
    yield from ((_WORDS * (size // len(_WORDS) + 1))[:size].encode() for size in _SIZES)
    letters = "".join(filter(str.isalpha, _WORDS))
    yield (letters * (_SIZES[0] // len(letters) + 1))[: _SIZES[0]].encode()
