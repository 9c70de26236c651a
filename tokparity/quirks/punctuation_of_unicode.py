"""Quirks of splitting in a language that has the tables of one version of Unicode: what is punctuation."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import pretokenises_with
from tokparity.quirks.marks_of_unicode import LANGUAGES, LINKS
from tokparity.quirks.pretokenisation import newer
from tokparity.reference.splits import punctuation
from tokparity.reference.unicode_versions import AsOf

_SIGNS = {13: "\u2e52", 14: "\u2e53"}
"""Punctuation that came with these versions."""


def _punctuation(version: int) -> Quirk:
    return Quirk(
        name=f"finds_punctuation_of_unicode_{version}",
        title=f"Finds the punctuation of Unicode {version}",
        symptom=f"Punctuation that Unicode added from 2016 on, up to version {version}, is cut off the word. The "
        "model's own tokenizer leaves it in the word.",
        cause=f"The engine's tables are of Unicode {version} ({LANGUAGES[version]}). Punctuation and BertPreTokenizer "
        "of Hugging Face's tokenizers use a package that stopped at Unicode 8.",
        fix="To get equal ids, use the tables of Unicode 8, which the model was trained with.",
        field="pretokenise",
        derive=pretokenises_with(version, lambda stage: newer(stage, AsOf(version))),
        links=LINKS,
        witness=lambda: toys.byte_bpe("Ġ+â", pretokenise=punctuation("contiguous")).on(f" {_SIGNS[version]}"),
    )


QUIRKS = tuple(map(_punctuation, LANGUAGES))
