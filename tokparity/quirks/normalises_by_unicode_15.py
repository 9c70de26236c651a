"""Normalises for BERT with the tables of Unicode 15."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference import splits
from tokparity.reference.normalise import Bert
from tokparity.reference.unicode_ages import character_class, spans

_FORMAT = "890-891 8E2 110CD 13430-1343F"
"""Format characters of Unicode 9 to 15."""

_CAPITALS = "1C89 A7CB-A7CC A7CE A7D2 A7D4 A7DA A7DC 10D50-10D65 16EA0-16EB8"
"""Capital letters of Unicode 16 and 17."""

_FORMATS = re.compile(f"[{character_class(spans(_FORMAT))}]+")
_LATER = re.compile(f"([{character_class(spans(_CAPITALS))}])")


@dataclass(frozen=True)
class ByUnicode15:
    """BERT's normaliser, on a text without newer format characters; capitals that came later stay as they are."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        if text.isascii():
            return self.inner(text)
        parts = _LATER.split(_FORMATS.sub("", text))
        return "".join(part if at % 2 else self.inner(part) for at, part in enumerate(parts))


def by_unicode_15(stage: Any) -> Any:
    """BERT's normaliser with other tables, other stages as they are."""
    return ByUnicode15(stage) if isinstance(stage, Bert) else stage


QUIRK = Quirk(
    name="normalises_by_unicode_15",
    title="Normalises for BERT with the tables of Unicode 15",
    symptom="Format characters that came after 2015 (U+08E2) are removed, and capitals of Unicode 16 (U+1C89) stay.",
    cause=(
        "The engine's tables are newer than those for control characters in Hugging Face's tokenizers (Unicode 8), and "
        "older than those for small letters (Unicode 17)."
    ),
    fix="None is needed but for equal ids.",
    field="normalise",
    derive=normalises_with(by_unicode_15),
    links=("https://crates.io/crates/unicode_categories",),
    witness=lambda: toys.wordpiece("a b ab", normalise=Bert(), pretokenise=splits.Bert()).on("a\u08e2b"),
)
