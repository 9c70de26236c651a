"""Quirks of taking pieces of some kinds for added tokens, which are cut out of the text before anything else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import AddedToken, Kind, Vocabulary


def kinds_2_and_4_as_added(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with only unknown and user-defined pieces of two characters and more as added tokens."""
    added = _tokens(vocabulary, Kind.UNKNOWN, Kind.USER_DEFINED, special=False)
    return replace(vocabulary, added=tuple(token for token in added if len(token.content) > 1))


def user_defined_as_added(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with every user-defined piece listed as an added token that is not special."""
    return _with_more(vocabulary, _tokens(vocabulary, Kind.USER_DEFINED, special=False))


def unknown_as_added(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with every unknown piece listed as a special token; it takes spaces if most of these do."""
    strips = [token.rstrip for token in vocabulary.added if token.special]
    return _with_more(vocabulary, _tokens(vocabulary, Kind.UNKNOWN, rstrip=2 * sum(strips) > len(strips)))


def _tokens(vocabulary: Vocabulary, *kinds: Kind, **attributes: bool) -> Iterator[AddedToken]:
    for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True)):
        if kind in kinds:
            yield AddedToken(i, piece.decode("utf-8", "replace"), **attributes)


def _with_more(vocabulary: Vocabulary, tokens: Iterator[AddedToken]) -> Vocabulary:
    known = {token.id for token in vocabulary.added}
    return replace(vocabulary, added=(*vocabulary.added, *(token for token in tokens if token.id not in known)))


QUIRKS = (
    Quirk(
        name="cuts_out_unknown_and_user_defined",
        title="Cuts pieces of kinds 2 and 4 from raw text",
        symptom="Control tokens in the text are not found although they are parsed. User-defined pieces are cut out "
        "before normalization.",
        cause="The engine takes token_type 2 for control (it means unknown; control is 3) and 4 for user defined. "
        "It matches both in the raw text, longest first.",
        fix="Read token_type as llama.cpp writes it: 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte.",
        field="match_added",
        derive=matches_as(30, kinds_2_and_4_as_added),
        witness=lambda: toys.spm("a ▁ ▁a <i>", kinds={"<i>": Kind.USER_DEFINED}, space_prefix="always").on(
            "a<s>a", parse_special=True
        ),
    ),
    Quirk(
        name="cuts_out_user_defined_pieces",
        title="Cuts user-defined pieces out of the raw text",
        symptom="The word after a run of spaces, a tab or an HTML tag has one ▁ too many. Or a user-defined piece is "
        "not found where the text has it in capitals or in another form.",
        cause="The engine looks for user-defined pieces in the raw text, like special tokens. It tokenizes what "
        "lies between them separately, each part with its own space prefix.",
        fix="Find user-defined pieces in the normalized text, inside the algorithm.",
        field="match_added",
        derive=matches_as(40, user_defined_as_added),
        links=github(
            "ggml-org/llama.cpp/issues/8338", "ggml-org/llama.cpp/issues/7049", "huggingface/transformers/issues/28218"
        ),
        witness=lambda: toys.spm("a ▁ ▁a <i>", kinds={"<i>": Kind.USER_DEFINED}, space_prefix="always").on("a<i>a"),
    ),
    Quirk(
        name="parses_unknown_pieces",
        title="Matches every piece of the kind unknown in the text",
        symptom="A text that contains a filler's spelling, such as [PAD32043], gets the filler's id. The model never "
        "saw that id in training.",
        cause="Every piece with token_type 2 is matched like a special token; converters give that type to fillers of "
        "the embedding matrix.",
        fix="Match the one unknown token, and leave the fillers (better: mark them as unused, 5).",
        field="match_added",
        derive=matches_as(80, unknown_as_added),
        witness=lambda: toys.spm("< P > <P>", kinds={"<P>": Kind.UNKNOWN}).on("<P>", parse_special=True),
    ),
)
