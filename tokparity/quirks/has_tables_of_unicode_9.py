"""Splits with the tables of Unicode 9."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Pretokenise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.splits import GPT2, Split
from tokparity.reference.unicode_ages import added, character_class

_UNASSIGNED = "\ufdd0"


@dataclass(frozen=True)
class OldTables:
    """Splits as before, but characters of `later` (a character class) are taken for code points without a character."""

    inner: Pretokenise
    later: str

    def __call__(self, text: str, at_start: bool) -> Sequence[str]:
        seen = re.sub(self.later, _UNASSIGNED, text)
        words = self.inner(seen, at_start)
        if seen == text:
            return words
        found: list[str] = []
        done = 0
        for word in words:
            start = seen.index(word, done)
            done = start + len(word)
            found.append(text[start:done])
        return found


def _with_old_tables(behaviour: Behaviour) -> Pretokenise | None:
    inner = behaviour.pretokenise
    return OldTables(inner, f"[{character_class(added(10))}]") if inner else None


QUIRK = Quirk(
    name="has_tables_of_unicode_9",
    title="Splits with the tables of Unicode 9",
    symptom="Letters, digits and marks that came later (Georgian capitals, new scripts) are taken for symbols.",
    cause="The regular-expression engine, or its tables, are older than those of the model's tokenizer.",
    fix="Update the tables of the engine.",
    field="pretokenise",
    derive=_with_old_tables,
    witness=lambda: toys.byte_bpe("a+á", pretokenise=Split(GPT2)).on("aᲐ"),
)
