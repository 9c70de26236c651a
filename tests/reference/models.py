"""Small vocabularies and behaviors for the tests of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tokparity.behaviour import Behaviour, Segment
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.text import keep_bytes
from tokparity.vocabulary import Kind, Vocabulary


def join_pieces(vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
    """The pieces as they are spelled, one after the other."""
    return b"".join(vocabulary.pieces[i] for i in ids)


def behaviour(segment: Segment, **fields: Any) -> Behaviour:
    """A plain behavior around one algorithm."""
    plain = {"decode": join_pieces, "decode_text": keep_bytes, "match_added": leftmost_longest}
    return Behaviour(segment=segment, **{**plain, **fields})


def vocabulary(pieces: dict[str, float], kinds: dict[str, Kind] | None = None, **fields: Any) -> Vocabulary:
    """A vocabulary with <unk> as id 0 and then the given pieces with their scores."""
    spelled = ["<unk>", *pieces]
    kinds = {"<unk>": Kind.UNKNOWN, **(kinds or {})}
    return Vocabulary(
        pieces=tuple(piece.encode() for piece in spelled),
        kinds=tuple(kinds.get(piece, Kind.NORMAL) for piece in spelled),
        scores=(0.0, *pieces.values()),
        special={"unk": 0},
        **fields,
    )


def scored_pieces(alphabet: str = "abc▁") -> st.SearchStrategy[dict[str, float]]:
    """Overlapping pieces over a small alphabet; scores from a short list, so that ties are common."""
    scores = st.sampled_from([-1.0, -1.5, -2.0, -3.25, -4.0, -7.0])
    return st.dictionaries(st.text(alphabet, min_size=1, max_size=4), scores, min_size=1, max_size=20)
