"""Guesses from the pieces how spaces are spelled."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary

_LOOKED_AT = 10_000


@dataclass(frozen=True)
class GuessedMarker:
    """An algorithm that is given words in which the space is spelled as most pieces seem to spell it."""

    inner: Segment

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        segmenter = self.inner(vocabulary, behaviour)
        marker = behaviour.space_marker
        guess = _guess(vocabulary)
        # Over the byte alphabet a space comes out as Ġ by itself.
        if marker == guess or (behaviour.byte_level and guess == "Ġ"):
            return segmenter

        def segment(word: str, trace: Trace | None = None) -> list[int]:
            return segmenter(word.replace(marker, guess), trace)

        return segment


def _guess(vocabulary: Vocabulary) -> str:
    looked_at = vocabulary.pieces[:_LOOKED_AT]
    escaped = sum(piece.startswith("▁".encode()) for piece in looked_at)
    alphabet = sum(piece.startswith("Ġ".encode()) for piece in looked_at)
    return "▁" if escaped > 2 * alphabet else "Ġ"


QUIRK = Quirk(
    name="guesses_space_marker",
    title="Guesses the space marker from the pieces",
    symptom="With some vocabularies, no piece that begins with a space is found. Each space becomes a byte piece or "
    "the unknown token.",
    cause="The engine counts the first 10,000 pieces. It takes ▁ if more than twice as many begin with ▁ as with Ġ, "
    "and Ġ otherwise.",
    fix="Read how the model spells spaces: ▁ for SentencePiece, the byte alphabet (Ġ) for byte-level BPE.",
    field="segment",
    derive=Derived(Place.BEFORE, 100, lambda behaviour: GuessedMarker(behaviour.segment)),
    witness=lambda: toys.spm("a ▁ ▁a Ġ Ġa").on("a a"),
)
