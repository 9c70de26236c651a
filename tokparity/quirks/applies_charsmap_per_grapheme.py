"""Applies the charsmap to whole grapheme clusters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.quirks.toys import CHARSMAP
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap
from tokparity.reference.text import REPLACEMENT

_LONE_SURROGATES = re.compile("[\udc00-\udcff]")


@dataclass(frozen=True)
class PerGrapheme:
    """Hugging Face's way with a charsmap; an invalid byte (a lone surrogate) becomes U+FFFD as before."""

    charsmap: GraphemeCharsmap

    def __call__(self, text: str) -> str:
        return self.charsmap(_LONE_SURROGATES.sub(REPLACEMENT, text))


def per_grapheme(stage: Any) -> Any:
    """A charsmap as Hugging Face's tokenizers applies it, other stages as they are."""
    return PerGrapheme(GraphemeCharsmap(stage.blob)) if isinstance(stage, Charsmap) else stage


QUIRK = Quirk(
    name="applies_charsmap_per_grapheme",
    title="Applies the charsmap to whole grapheme clusters",
    symptom="Combining marks vanish, and decomposed Hangul stays decomposed; plain text agrees.",
    cause=(
        "A grapheme cluster of less than 6 bytes is replaced as a whole by what the shortest key that it begins with "
        "stands for; longer ones are looked up character by character."
    ),
    fix="Go through the text and replace, at each place, the longest key.",
    field="normalise",
    derive=normalises_with(per_grapheme),
    links=(
        "https://github.com/huggingface/tokenizers/issues/2116",
        "https://github.com/huggingface/tokenizers/issues/2334",
        "https://github.com/huggingface/tokenizers/pull/2430",
    ),
    witness=lambda: toys.unigram({"a": -1, "á": -2, "b": -3}, normalise=CHARSMAP).on("ª\N{COMBINING ACUTE ACCENT}b"),
)
