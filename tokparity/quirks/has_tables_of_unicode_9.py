"""Splits with the tables of Unicode 9."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokparity.behaviour import Pretokenise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.splits import GPT2, Split
from tokparity.reference.unicode_versions import ADDED_10_TO_16, character_class

_LATER = re.compile(f"[{character_class(ADDED_10_TO_16)}]")
_UNASSIGNED = "\ufdd0"


@dataclass(frozen=True)
class OldTables:
    """Splits as before, but later characters are taken for code points without a character."""

    inner: Pretokenise

    def __call__(self, text: str, at_start: bool) -> Sequence[str]:
        words = self.inner(_LATER.sub(_UNASSIGNED, text), at_start)
        if "".join(words) == text or sum(map(len, words)) != len(text):
            return words if _UNASSIGNED not in "".join(words) else self.inner(text, at_start)
        ends = [0]
        for word in words:
            ends.append(ends[-1] + len(word))
        return [text[start:end] for start, end in pairwise(ends)]


QUIRK = Quirk(
    name="has_tables_of_unicode_9",
    title="Splits with the tables of Unicode 9",
    symptom="Letters, digits and marks that came later (Georgian capitals, new scripts) are taken for symbols.",
    cause="The regular-expression engine, or its tables, are older than those of the model's tokenizer.",
    fix="Update the tables of the engine.",
    field="pretokenise",
    derive=lambda behaviour: OldTables(behaviour.pretokenise) if behaviour.pretokenise else None,
    witness=lambda: toys.byte_bpe("a+á", pretokenise=Split(GPT2)).on("aᲐ"),
)
