"""Merges or searches as if all scores were equal."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Vocabulary


def without_scores(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with every score 0."""
    return replace(vocabulary, scores=(0.0,) * len(vocabulary.scores))


QUIRK = Quirk(
    name="ignores_scores",
    title="Merges or searches as if all scores were equal",
    symptom="Everything is cut differently: the first pair that spells any piece is merged, whatever it is worth.",
    cause=(
        "The scores were lost when the model was converted (tokenizer.ggml.scores is missing or all zero), or they "
        "are not read."
    ),
    fix=(
        "Write tokenizer.ggml.scores from the SentencePiece model, one per piece, and refuse to load a model without "
        "them."
    ),
    field="segment",
    derive=segments_as(without_scores, spm, ugm),
    witness=lambda: toys.spm("bc ab a b c").on("abc"),
)
