"""An SPM or UGM tokenizer as a SentencePiece protobuf."""

from __future__ import annotations

from typing import Any

from tokparity.errors import CannotExpressError
from tokparity.formats import Source
from tokparity.formats.expressible import check_added, check_behaviour
from tokparity.formats.sentencepiece_model import BPE, UNIGRAM, protobuf, tokenizer_of
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.decode import UNKNOWN_SURFACE, DecodePieces
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Kind, Vocabulary

FORMAT = "sentencepiece"


def model_of(source: Source) -> Any:
    """The ModelProto of a source; CannotExpressError names what SentencePiece cannot express."""
    vocabulary, behaviour = source.vocabulary, source.behaviour
    if behaviour.segment not in (spm, ugm) or not vocabulary.scores:
        name = getattr(behaviour.segment, "__name__", repr(behaviour.segment))
        raise CannotExpressError(
            f"{FORMAT} cannot express the algorithm {name}",
            "it merges by score (SPM), or maximizes the sum of scores (UGM)",
        )
    model = protobuf().ModelProto()
    _pieces(model, vocabulary)
    trainer, normalizer = model.trainer_spec, model.normalizer_spec
    trainer.model_type = BPE if behaviour.segment is spm else UNIGRAM
    trainer.vocab_size = len(vocabulary)
    trainer.byte_fallback = behaviour.fallback == "bytes"
    trainer.treat_whitespace_as_suffix = behaviour.space_as_suffix
    for name in ("unk", "bos", "eos", "pad"):
        i = vocabulary.special.get(name, -1)
        setattr(trainer, f"{name}_id", i)
        if i >= 0:
            setattr(trainer, f"{name}_piece", model.pieces[i].piece)
    normalizer.name = _normaliser_name(source)
    if isinstance(behaviour.normalise, Charsmap):
        normalizer.precompiled_charsmap = behaviour.normalise.blob
    normalizer.add_dummy_prefix = behaviour.space_prefix in ("always", "first")
    normalizer.remove_extra_whitespaces = behaviour.collapse_spaces
    normalizer.escape_whitespaces = behaviour.space_marker != " "
    if isinstance(behaviour.decode, DecodePieces):
        _decoding(model, behaviour.decode)
    found_vocabulary, found = tokenizer_of(source.path, model, {})
    # Which ids go around a text is not part of the file: the engine is told.
    check_behaviour(FORMAT, vocabulary, behaviour, found, leave_out=("prefix_ids", "suffix_ids"))
    # SentencePiece never parses special tokens, so nothing of theirs can be lost.
    check_added(FORMAT, vocabulary, found_vocabulary, behaviour, special=False)
    return model


def _decoding(model: Any, decode: DecodePieces) -> None:
    if decode.unknown_surface != UNKNOWN_SURFACE:
        model.trainer_spec.unk_surface = decode.unknown_surface
    if isinstance(decode.denormalise, Charsmap):
        rewriting = model.denormalizer_spec
        rewriting.name, rewriting.precompiled_charsmap = "user_defined", decode.denormalise.blob
        rewriting.add_dummy_prefix = rewriting.remove_extra_whitespaces = rewriting.escape_whitespaces = False


def _normaliser_name(source: Source) -> str:
    """What SentencePiece calls the normalizer: other engines know its names, and refuse a model with any other."""
    if not isinstance(source.behaviour.normalise, Charsmap):
        return "identity"
    own = source.metadata.get("normalizer")
    return str(own) if source.format == FORMAT and own else "user_defined"


def _pieces(model: Any, vocabulary: Vocabulary) -> None:
    taken = set(vocabulary.pieces)
    if len(taken) + vocabulary.pieces.count(b"") - (b"" in taken) != len(vocabulary):
        raise CannotExpressError(f"{FORMAT} cannot express a piece that occurs twice", "remove one of them")
    if Kind.BYTE in vocabulary.kinds and None in vocabulary.byte_ids:
        missing = vocabulary.byte_ids.index(None)
        raise CannotExpressError(f"{FORMAT} wants all 256 byte pieces, <0x{missing:02X}> is missing", "add it")
    if vocabulary.unknown_id is None:
        raise CannotExpressError(f"{FORMAT} cannot express a model without an unknown piece", "add one")
    for i, (piece, kind, score) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, vocabulary.scores, strict=True)):
        entry = model.pieces.add()
        try:
            entry.piece = piece.decode() if piece else _placeholder(i, taken)
        except UnicodeDecodeError:
            raise CannotExpressError(f"{FORMAT} cannot express piece {i}, {piece!r}", "it must be UTF-8") from None
        entry.score = score
        entry.type = int(_kind(i, kind, vocabulary.unknown_id))


def _kind(i: int, kind: Kind, unknown: int) -> Kind:
    """The piece's kind; exactly one is UNKNOWN. Control pieces, like other unknown ones, are never matched in text."""
    if i == unknown:
        return Kind.UNKNOWN
    return Kind.CONTROL if kind is Kind.UNKNOWN else kind


def _placeholder(i: int, taken: set[bytes]) -> str:
    """A piece for an id without one: SentencePiece wants each to be there and to be different."""
    spelled = f"[EMPTY_{i}]"
    while spelled.encode() in taken:
        spelled += "_"
    taken.add(spelled.encode())
    return spelled
