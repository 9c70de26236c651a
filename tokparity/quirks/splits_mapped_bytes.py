"""Splits the text after its bytes were mapped to letters."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Pretokenise
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.reference.splits import GPT2, OnAlphabet, Split, Stage


def _on_alphabet(behaviour: Behaviour) -> Pretokenise | None:
    inner = behaviour.pretokenise
    return OnAlphabet((inner,)) if behaviour.byte_level and isinstance(inner, Stage) else inner


QUIRK = Quirk(
    name="splits_mapped_bytes",
    title="Splits the text after its bytes were mapped to letters",
    symptom="Nearly every text differs that has a space: the pattern sees Ġ, a letter, where the space was, and cuts "
    "characters outside of ASCII between their bytes.",
    cause="The pattern runs over the text as GPT-2's byte alphabet spells it, not over the text itself.",
    fix="Run the pattern over the text first, then map the bytes of each word.",
    field="pretokenise",
    derive=Derived(Place.BEFORE, 200, _on_alphabet),
    links=("https://github.com/mukel/llama3.java",),
    witness=lambda: toys.byte_bpe("a+Ġ", pretokenise=Split(GPT2)).on("a a"),
)
