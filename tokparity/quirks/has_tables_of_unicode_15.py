"""Splits with the tables of Unicode 15."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Pretokenise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.has_tables_of_unicode_9 import OldTables
from tokparity.reference.splits import GPT2, Split
from tokparity.reference.unicode_ages import added, character_class


def _with_old_tables(behaviour: Behaviour) -> Pretokenise | None:
    inner = behaviour.pretokenise
    return OldTables(inner, f"[{character_class(added(16))}]") if inner else None


QUIRK = Quirk(
    name="has_tables_of_unicode_15",
    title="Splits with the tables of Unicode 15",
    symptom="Letters of Unicode 16 (U+1C89, the extended hieroglyphs, Garay, Todhri) are taken for symbols.",
    cause="The regular-expression engine, or its tables, are a version behind those of the model's tokenizer.",
    fix="Update the tables of the engine.",
    field="pretokenise",
    derive=_with_old_tables,
    witness=lambda: toys.byte_bpe("a+á", pretokenise=Split(GPT2)).on("a\u1c89"),
)
