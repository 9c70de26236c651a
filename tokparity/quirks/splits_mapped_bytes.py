"""Splits the text after its bytes were mapped to letters."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Pretokenise
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import OnAlphabet, Split, Stage


def _on_alphabet(behaviour: Behaviour) -> Pretokenise | None:
    inner = behaviour.pretokenise
    return OnAlphabet((inner,)) if behaviour.byte_level and isinstance(inner, Stage) else inner


QUIRK = Quirk(
    name="splits_mapped_bytes",
    title="Splits the text after mapping its bytes",
    symptom="Nearly every text with a space differs: the pattern matches the letter Ġ instead of the space, and cuts "
    "characters outside ASCII between their bytes.",
    cause="The pattern runs on the text in GPT-2's byte alphabet, not on the text itself.",
    fix="Run the pattern over the text first, then map the bytes of each word.",
    field="pretokenise",
    derive=Derived(Place.BEFORE, 200, _on_alphabet),
    links=("https://github.com/mukel/llama3.java",),
    witness=lambda: toys.byte_bpe("a+Ġ", pretokenise=Split(GPT2)).on("a a"),
)
