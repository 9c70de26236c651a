"""Treats user-defined pieces as normal ones."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import segments_as
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Kind, Vocabulary


def user_defined_as_normal(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with user-defined pieces marked as normal."""
    kinds = tuple(Kind.NORMAL if kind is Kind.USER_DEFINED else kind for kind in vocabulary.kinds)
    return replace(vocabulary, kinds=kinds)


QUIRK = Quirk(
    name="splits_user_defined_pieces",
    title="Treats user-defined pieces as normal ones",
    symptom="Runs of spaces or tabs, HTML tags and markers such as [toxicity=0] fall apart into common pieces.",
    cause=(
        "The pieces are marked as normal in the converted file, or the kind is not read: they have to win by score "
        "like any other."
    ),
    fix="Write token_type 4 (user defined) for them, and match them in the text before anything is merged.",
    field="segment",
    derive=segments_as(user_defined_as_normal, spm, ugm),
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/8338",
        "https://github.com/ggml-org/llama.cpp/issues/8349",
        "https://github.com/ggml-org/llama.cpp/pull/8228",
    ),
    witness=lambda: toys.spm("a < i > <i>", kinds={"<i>": Kind.USER_DEFINED}).on("a<i>"),
)
