"""Leaves the marker in decoded text."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.behaviour import Behaviour
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary


def as_spelled(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
    """The pieces as the vocabulary spells them."""
    return b"".join(vocabulary.pieces[i] for i in ids)


QUIRK = Quirk(
    name="leaves_marker_in_decoded_text",
    title="Leaves the marker in decoded text",
    symptom="Decoded text shows ▁ or Ġ where spaces belong.",
    cause="Pieces are joined as they are spelled in the vocabulary.",
    fix="Turn the marker back into a space (or map the byte alphabet back to bytes).",
    field="decode",
    value=as_spelled,
    links=("https://github.com/ggml-org/llama.cpp/issues/2743",),
    witness=lambda: toys.spm("a ▁ ▁a").on("a a"),
)
