"""Runs the unigram Viterbi over an SPM vocabulary."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Segment
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm


def _swapped(behaviour: Behaviour) -> Segment:
    return ugm if behaviour.segment is spm else behaviour.segment


QUIRK = Quirk(
    name="runs_viterbi_on_spm",
    title="Runs the unigram Viterbi over an SPM vocabulary",
    symptom="Common words agree; rare words and runs of punctuation are cut differently.",
    cause=(
        "Every SentencePiece vocabulary is taken for a unigram model: the path with the best sum of scores is "
        "searched. The scores of an SPM vocabulary are only the order of the merges, so their sum means nothing."
    ),
    fix="Read trainer_spec.model_type (tokenizer.ggml.model: llama is SPM, t5 is unigram) and merge by score for SPM.",
    field="segment",
    derive=_swapped,
    witness=lambda: toys.spm("bc ab cd a b c d").on("abcd"),
)
