"""Puts BOS before texts of a model that wants none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Wrap
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class WithBos:
    """Wraps as before, with BOS in front where the model puts nothing there."""

    inner: Wrap

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> list[int]:
        bos = vocabulary.special.get("bos")
        if not behaviour.prefix_ids and bos is not None:
            behaviour = replace(behaviour, prefix_ids=(bos,))
        return self.inner(vocabulary, behaviour, ids)


QUIRK = Quirk(
    name="adds_bos_unasked",
    title="Puts BOS before texts of a model that wants none",
    symptom="Every text begins with a token that the model has hardly seen there.",
    cause="add_bos_token is assumed to be true.",
    fix="Add BOS only where the model says so (Qwen, for one, has none).",
    field="wrap",
    derive=lambda behaviour: WithBos(behaviour.wrap or wrap_once),
    links=("https://github.com/ggml-org/llama.cpp/pull/4040",),
    witness=lambda: toys.spm("a b", prefix_ids=()).on("ab", add_special=True),
)
