"""Gives nothing for the unknown id when decoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Kind, Vocabulary


@dataclass(frozen=True)
class WithoutUnknown:
    """Decodes as before what is left when pieces of the kind unknown are taken out."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        return self.inner(vocabulary, behaviour, [i for i in ids if not _is_unknown(vocabulary, i)])


def _is_unknown(vocabulary: Vocabulary, i: int) -> bool:
    return i == vocabulary.unknown_id or (0 <= i < len(vocabulary) and vocabulary.kinds[i] is Kind.UNKNOWN)


QUIRK = Quirk(
    name="hides_unknown_when_decoding",
    title="Gives nothing for the unknown id when decoding",
    symptom="Texts with unknown characters decode shorter than they should; SentencePiece shows each as ⁇.",
    cause="The unknown piece counts as a special token, and special tokens are left out of the text.",
    fix="Show the unknown piece as the original does, or say that it is left out.",
    field="decode",
    derive=lambda behaviour: WithoutUnknown(behaviour.decode),
    witness=lambda: toys.spm("a b").on("axb"),
)
