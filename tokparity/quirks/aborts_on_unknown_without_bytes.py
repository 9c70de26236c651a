"""Crashes on the first character that no piece covers, where the vocabulary has no byte pieces."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.errors import AbortedError
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import algorithm
from tokparity.reference.spm import spm
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class AbortsOnUnknown:
    """Cuts as before what it survives; SPM finds the unknown piece in no text, so its id says that it was needed."""

    inner: Segment

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        segmenter = self.inner(vocabulary, behaviour)
        unknown = vocabulary.unknown_id

        def segment(word: str, trace: Trace | None = None) -> list[int]:
            ids = segmenter(word, trace)
            if unknown in ids:
                raise AbortedError(f"no piece covers all of {word!r}", "this quirk represents a crash")
            return ids

        return segment


def _derive(behaviour: Behaviour) -> object:
    return AbortsOnUnknown(behaviour.segment) if algorithm(behaviour.segment) is spm else behaviour.segment


QUIRK = Quirk(
    name="aborts_on_unknown_without_bytes",
    title="Crashes on the first character that no piece covers",
    symptom="The whole process ends on any text with a character that is no part of any piece. The vocabulary has no "
    "byte pieces to write instead.",
    cause="llama.cpp looks up a byte piece, and then a piece of that one byte, without knowing that both are "
    "missing (llama_vocab::byte_to_token). Nobody catches the exception.",
    fix="Return the unknown id where there is no byte piece, or refuse to load an SPM vocabulary without byte pieces.",
    field="segment",
    derive=Derived(Place.AFTER, 10, _derive),
    stands_for_crash=True,
    links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
    witness=lambda: toys.spm("a b ab").on("aéb"),
)
