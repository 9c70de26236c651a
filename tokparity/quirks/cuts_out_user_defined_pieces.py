"""Cuts user-defined pieces out of the raw text."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import AddedToken, Kind, Vocabulary


def user_defined_as_added(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with every user-defined piece listed as an added token that is not special."""
    known = {token.id for token in vocabulary.added}
    more = tuple(
        AddedToken(i, piece.decode("utf-8", "replace"), special=False)
        for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True))
        if kind is Kind.USER_DEFINED and i not in known
    )
    return replace(vocabulary, added=(*vocabulary.added, *more))


QUIRK = Quirk(
    name="cuts_out_user_defined_pieces",
    title="Cuts user-defined pieces out of the raw text",
    symptom=(
        "The word after a run of spaces, a tab or an HTML tag has a space too many before it; or capitals and other "
        "forms of a piece are no longer found."
    ),
    cause=(
        "User-defined pieces are looked for in the raw text, like special tokens, and what stands between them is "
        "tokenized on its own, each part with its own space prefix."
    ),
    fix="Find user-defined pieces in the normalised text, inside the algorithm.",
    field="match_added",
    derive=matches_as(user_defined_as_added),
    links=(
        "https://github.com/ggml-org/llama.cpp/issues/8338",
        "https://github.com/ggml-org/llama.cpp/issues/7049",
        "https://github.com/huggingface/transformers/issues/28218",
    ),
    witness=lambda: toys.spm("a ▁ ▁a <i>", kinds={"<i>": Kind.USER_DEFINED}, space_prefix="always").on("a<i>a"),
)
