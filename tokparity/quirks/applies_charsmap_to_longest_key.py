"""Applies the charsmap to the longest key, not per grapheme cluster."""

from __future__ import annotations

from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.quirks.toys import CHARSMAP
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap


def longest_key(stage: Any) -> Any:
    """A charsmap as SentencePiece applies it, other stages as they are."""
    return Charsmap(stage.blob) if isinstance(stage, GraphemeCharsmap) else stage


QUIRK = Quirk(
    name="applies_charsmap_to_longest_key",
    title="Applies the charsmap to the longest key, not per grapheme cluster",
    symptom="Letters with combining marks keep them; plain text agrees.",
    cause=(
        "The charsmap is applied as SentencePiece does it, to a model whose tokenizer.json is run by Hugging Face "
        "tokenizers, which goes by grapheme clusters."
    ),
    fix="Decide which of the two the model was trained with; SentencePiece models mostly with the former.",
    field="normalise",
    derive=normalises_with(longest_key),
    links=("https://github.com/huggingface/tokenizers/issues/2116",),
    witness=lambda: toys.unigram({"a": -1, "á": -2, "b": -3}, normalise=GraphemeCharsmap(CHARSMAP.blob)).on(
        "ª\N{COMBINING ACUTE ACCENT}b"
    ),
)
