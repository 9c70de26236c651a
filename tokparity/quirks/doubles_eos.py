"""Puts what goes behind a text (EOS, SEP) there twice."""

from __future__ import annotations

from tokparity.behaviour import Behaviour
from tokparity.quirk import Quirk
from tokparity.quirks import toys


def _twice(behaviour: Behaviour) -> tuple[int, ...]:
    return behaviour.suffix_ids * 2


QUIRK = Quirk(
    name="doubles_eos",
    title="Puts what goes behind a text (EOS, SEP) there twice",
    symptom="Two EOS tokens at the end of every text; embeddings that are taken from the last token are off.",
    cause="Both the caller (or the post-processor) and the tokenizer add it.",
    fix="Add EOS in one place only.",
    field="suffix_ids",
    derive=_twice,
    witness=lambda: toys.spm("a b", suffix_ids=(toys.EOS,)).on("ab", add_special=True),
)
