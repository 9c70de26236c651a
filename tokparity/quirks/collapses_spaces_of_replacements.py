"""Makes several spaces that a charsmap puts in one's place one space."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.text import INNER_SPACE


@dataclass(frozen=True)
class SpacesAlike:
    """Normalises as `inner`; a space inside a replacement is like any other."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        return self.inner(text).replace(INNER_SPACE, " ")


def _derive(behaviour: Behaviour) -> object:
    return None if behaviour.normalise is None else SpacesAlike(behaviour.normalise)


QUIRK = Quirk(
    name="collapses_spaces_of_replacements",
    title="Makes several spaces that a charsmap puts in one's place one space",
    symptom="A character that the charsmap replaces by two spaces gives one ▁ instead of two.",
    cause="Spaces are collapsed in the normalised text as a whole, one character after the other.",
    fix="Look at each replacement by itself, as SentencePiece does: spaces inside it stay.",
    field="normalise",
    derive=_derive,
    links=("https://github.com/google/sentencepiece/blob/master/src/normalizer.cc",),
    witness=lambda: toys.unigram({"a": -1.0, "▁": -1.0}, normalise=toys.charsmap({"ª": "  "}), collapse_spaces=True).on(
        "aªa"
    ),
)
