"""Takes a marker that is spelled in the text for a space."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys


@dataclass(frozen=True)
class UnescapedFirst:
    """Turns ▁ into a space, then normalises as before."""

    inner: Normalise | None

    def __call__(self, text: str) -> str:
        text = text.replace("▁", " ")
        return self.inner(text) if self.inner else text


QUIRK = Quirk(
    name="reads_marker_as_space",
    title="Takes a marker that is spelled in the text for a space",
    symptom="A text about tokenizers, with ▁ in it, comes out with spaces.",
    cause="U+2581 in the input is replaced by a space (or never told apart from an escaped one).",
    fix="Leave U+2581 alone where the model does not escape spaces. (SentencePiece itself cannot tell the two apart.)",
    field="normalise",
    derive=lambda behaviour: UnescapedFirst(behaviour.normalise),
    links=("https://github.com/google/sentencepiece/issues/863",),
    witness=lambda: toys.byte_bpe("Ġ+a").on("a▁a"),
)
