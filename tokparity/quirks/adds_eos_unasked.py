"""Puts EOS behind texts of a model that wants none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Wrap
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class WithEos:
    """Wraps as before, with EOS behind where the model puts nothing there."""

    inner: Wrap

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> list[int]:
        eos = vocabulary.special.get("eos")
        if not behaviour.suffix_ids and eos is not None:
            behaviour = replace(behaviour, suffix_ids=(eos,))
        return self.inner(vocabulary, behaviour, ids)


QUIRK = Quirk(
    name="adds_eos_unasked",
    title="Puts EOS behind texts of a model that wants none",
    symptom="Answers are empty or unrelated: the model believes that the text is over.",
    cause="add_eos_token is assumed to be true, or add_special adds both ends.",
    fix="Add EOS only where the model says so.",
    field="wrap",
    derive=lambda behaviour: WithEos(behaviour.wrap or wrap_once),
    links=("https://github.com/ggml-org/llama.cpp/pull/10129",),
    witness=lambda: toys.spm("a b").on("ab", add_special=True),
)
