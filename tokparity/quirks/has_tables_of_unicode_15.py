"""Splits with the tables of Unicode 15."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Pretokenise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.has_tables_of_unicode_9 import OldTables
from tokparity.reference.splits import GPT2, Split
from tokparity.reference.unicode_versions import character_class

ADDED_16 = """
897 1B4E-1B4F 1B7F 1C89-1C8A 2427-2429 31E4-31E5 A7CB-A7CD A7DA-A7DC 105C0-105F3 10D40-10D65 10D69-10D85 10D8E-10D8F
10EC2-10EC4 10EFC 11380-11389 1138B 1138E 11390-113B5 113B7-113C0 113C2 113C5 113C7-113CA 113CC-113D5 113D7-113D8
113E1-113E2 116D0-116E3 11BC0-11BE1 11BF0-11BF9 11F5A 13460-143FA 16100-16139 16D40-16D79 1CC00-1CCF9 1CD00-1CEB3
1E5D0-1E5FA 1E5FF 1F8B2-1F8BB 1F8C0-1F8C1 1FA89 1FA8F 1FABE 1FAC6 1FADC 1FADF 1FAE9 1FBCB-1FBEF
"""
"""Characters that Unicode 16 added. Source: DerivedAge of the Unicode Character Database."""


def _with_old_tables(behaviour: Behaviour) -> Pretokenise | None:
    inner = behaviour.pretokenise
    return OldTables(inner, f"[{character_class(ADDED_16)}]") if inner else None


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
