"""SPM: merging by score."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

from tests.reference.models import behaviour, scored_pieces, vocabulary
from tokparity.reference.spm import spm
from tokparity.vocabulary import Kind, Vocabulary

AS_SENTENCEPIECE = behaviour(spm, space_marker="▁", fuse_unknown=True, unused_pieces="resegment")
KINDS = st.dictionaries(
    st.text("abc▁", min_size=1, max_size=4), st.sampled_from([Kind.USER_DEFINED, Kind.UNUSED, Kind.CONTROL]), max_size=3
)


def sentencepiece(known: Vocabulary) -> SentencePieceProcessor:
    """SentencePiece's own BPE over the same pieces, without any normalization."""
    model = sentencepiece_model_pb2.ModelProto()
    model.trainer_spec.model_type = model.trainer_spec.BPE
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = False
    model.normalizer_spec.remove_extra_whitespaces = False
    for piece, score, kind in zip(known.pieces, known.scores, known.kinds, strict=False):
        model.pieces.add(piece=piece.decode(), score=score, type=int(kind))
    return SentencePieceProcessor(model_proto=model.SerializeToString())


@given(scored_pieces(), KINDS, st.lists(st.text("abc▁d", max_size=80), max_size=8))
def test_equal_to_sentencepiece(pieces: dict[str, float], kinds: dict[str, Kind], texts: list[str]) -> None:
    """Random vocabularies with user-defined, unused and control pieces: SentencePiece gives the same ids."""
    known = vocabulary(pieces, {piece: kind for piece, kind in kinds.items() if piece in pieces})
    segment, engine = spm(known, AS_SENTENCEPIECE), sentencepiece(known)
    for text in texts:
        assert engine.encode(text) == segment(text)


@given(scored_pieces(), st.lists(st.text("abc▁", max_size=12), max_size=20))
def test_seams_and_memo_change_nothing(pieces: dict[str, float], texts: list[str]) -> None:
    """A text cut at seams gives what merging over the whole text gives."""
    segment = spm(vocabulary(pieces), behaviour(spm, space_marker="▁"))
    text = "▁".join(texts)
    assert segment(text, trace=lambda step, data: None) == segment(text)


def test_best_total_score_is_not_what_counts() -> None:
    """The best pair is merged first even where another segmentation has the better total score."""
    known = vocabulary({"a": -9.0, "b": -9.0, "c": -9.0, "d": -9.0, "bc": -1.0, "ab": -2.0, "cd": -2.0})
    a, bc, d = 1, 5, 4
    assert [a, bc, d] == spm(known, AS_SENTENCEPIECE)("abcd")


def test_byte_fallback_spells_each_byte() -> None:
    """A character that is not a piece becomes its bytes; a byte without a piece becomes the unknown id."""
    bytes_of_e_acute = {"<0xC3>": 0.0, "<0xA9>": 0.0}
    known = vocabulary({"a": -1.0, **bytes_of_e_acute}, dict.fromkeys(bytes_of_e_acute, Kind.BYTE))
    segment = spm(known, behaviour(spm, fallback="bytes"))
    assert [1, 2, 3, 1] == segment("aéa")
    assert [1, 0] == segment("aü")


def test_user_defined_pieces_are_never_merged() -> None:
    """A user-defined piece is found first, the longest at each place, and takes no part in merging."""
    known = vocabulary({"a": -5.0, "b": -5.0, "ab": -1.0, "bb": -1.0, "abb": -0.5}, {"bb": Kind.USER_DEFINED})
    assert [1, 4] == spm(known, AS_SENTENCEPIECE)("abb")
