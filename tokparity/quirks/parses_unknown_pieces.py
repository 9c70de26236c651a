"""Recognises every piece of the kind unknown in the text."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import AddedToken, Kind, Vocabulary


def unknown_as_added(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with every unknown piece listed as a special token; it takes spaces if most of these do."""
    known = {token.id for token in vocabulary.added}
    strips = [token.rstrip for token in vocabulary.added if token.special]
    rstrip = 2 * sum(strips) > len(strips)
    more = tuple(
        AddedToken(i, piece.decode("utf-8", "replace"), rstrip=rstrip)
        for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True))
        if kind is Kind.UNKNOWN and i not in known
    )
    return replace(vocabulary, added=(*vocabulary.added, *more))


QUIRK = Quirk(
    name="parses_unknown_pieces",
    title="Recognises every piece of the kind unknown in the text",
    symptom="Texts that spell a filler such as [PAD32043] give its id, which the model has never seen.",
    cause=(
        "Every piece with token_type 2 is matched like a special token; converters give that type to fillers of the "
        "embedding matrix."
    ),
    fix="Match the one unknown token, and leave the fillers (better: mark them as unused, 5).",
    field="match_added",
    derive=matches_as(unknown_as_added),
    witness=lambda: toys.spm("< P > <P>", kinds={"<P>": Kind.UNKNOWN}).on("<P>", parse_special=True),
)
