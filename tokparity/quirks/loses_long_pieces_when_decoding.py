"""Loses pieces of more than 32 bytes when decoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Kind, Vocabulary

SIZE = 32
"""Bytes of the buffer that `Llama.detokenize` of llama-cpp-python 0.3.36 has."""
LONG = "=" * (SIZE + 1)


@dataclass(frozen=True)
class ShortOnly:
    """Decodes as before, without the pieces that are too long."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        short = [i for i in ids if len(self.inner(vocabulary, behaviour, [i])) <= SIZE]
        return self.inner(vocabulary, behaviour, short)


QUIRK = Quirk(
    name="loses_long_pieces_when_decoding",
    title="Loses pieces of more than 32 bytes when decoding",
    symptom=(
        "Long runs of spaces or dashes, and long words of scripts with three bytes per letter, are missing from "
        "decoded text."
    ),
    cause=(
        "Each piece goes through a buffer of 32 bytes; a longer one does not fit, and the negative length that says "
        "so is not looked at."
    ),
    fix="Ask again with a buffer of the size that was reported.",
    field="decode",
    derive=lambda behaviour: ShortOnly(behaviour.decode),
    witness=lambda: toys.spm("- " + LONG, kinds={LONG: Kind.USER_DEFINED}).on("-" + LONG),
)
