"""Lowers the case of a model that tells it apart."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.normalise import Lowercase


@dataclass(frozen=True)
class Lowered:
    """Normalises as before, then lowers the case."""

    inner: Normalise | None

    def __call__(self, text: str) -> str:
        return Lowercase()(self.inner(text) if self.inner else text)


QUIRK = Quirk(
    name="lowers_case",
    title="Lowers the case of a model that tells it apart",
    symptom="Capitals are lost: names and starts of sentences are other pieces.",
    cause="Lower case is applied to every model of a family (all BERTs, say), the cased ones included.",
    fix="Read do_lower_case or normalizer.lowercase.",
    field="normalise",
    derive=lambda behaviour: Lowered(behaviour.normalise),
    links=(
        "https://github.com/ggml-org/llama.cpp/pull/23899",
        "https://github.com/huggingface/swift-transformers/issues/156",
    ),
    witness=lambda: toys.wordpiece("hi Hi").on("Hi"),
)
