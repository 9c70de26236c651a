"""Adds ByteLevel's prefix space, which the model does not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Pretokenise
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import OfWords
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import Split


@dataclass(frozen=True)
class Spaced(OfWords):
    """Splits as before; every fragment that begins with no space gets one."""

    inner: Pretokenise

    def __call__(self, text: str, at_start: bool) -> Sequence[str]:
        return self.inner(text if text.startswith(" ") or not text else f" {text}", at_start)


def spaced(behaviour: Behaviour) -> Pretokenise | None:
    """The pre-tokenizer of a byte-level model with the space; others have fields of their own for it."""
    inner = behaviour.pretokenise
    return Spaced(inner) if inner and behaviour.byte_level else inner


QUIRK = Quirk(
    name="adds_prefix_space",
    title="Adds ByteLevel's prefix space, which the model does not have",
    symptom="The first word of a text, and each word behind a special token, has the ids of a word inside a sentence.",
    cause="add_prefix_space is true in the engine, and false in the model's pre-tokenizer ByteLevel.",
    fix="Set add_prefix_space as the model has it.",
    field="pretokenise",
    derive=Derived(Place.BEFORE, 30, spaced),
    links=("https://huggingface.co/docs/transformers/model_doc/gpt2",),
    witness=lambda: toys.byte_bpe("Ġ+a", pretokenise=Split(GPT2)).on("a"),
)
