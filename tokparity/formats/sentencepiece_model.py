"""What a SentencePiece protobuf says: Vocabulary and `Behaviour`.

One of its parts is not read: `self_test_data` (samples for the library's own use).
Source: sentencepiece, `sentencepiece_model.proto`, `model_interface.cc`, `normalizer.cc`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.errors import FormatError
from tokparity.formats.byte_pieces import check_byte_pieces
from tokparity.formats.charsmap_blob import charsmap_of
from tokparity.formats.excerpt import excerpt
from tokparity.formats.scores import check_scores
from tokparity.reference.decode import DecodePieces
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.spm import spm
from tokparity.reference.text import keep_bytes, replace_each_byte
from tokparity.reference.ugm import ugm
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

UNIGRAM, BPE, WORD, CHAR = 1, 2, 3, 4
ALGORITHMS = {UNIGRAM: ugm, BPE: spm}
REBASE_BELOW = -100_000.0
"""Unigram: where a sum falls below this, SentencePiece begins to count anew."""

ADD_BOS, ADD_EOS = "add_bos_token", "add_eos_token"
"""What tokenizer_config.json says and the .model does not: whether BOS and EOS are set around a text."""

TYPE_NAMES = {UNIGRAM: "unigram", BPE: "bpe", WORD: "word", CHAR: "char"}
DAMAGED = "the file is truncated, damaged or no SentencePiece model: fetch it again, or check the path"


def protobuf() -> Any:
    """SentencePiece's protobuf module."""
    from sentencepiece import sentencepiece_model_pb2

    return sentencepiece_model_pb2


def parse(path: Path) -> Any:
    """The ModelProto in a file; FormatError if there is none."""
    from google.protobuf.message import DecodeError

    model = protobuf().ModelProto()
    try:
        model.ParseFromString(path.read_bytes())
    except DecodeError as error:
        raise FormatError(f"{path} can't be parsed as a SentencePiece model: {error}", DAMAGED) from error
    for part in ("trainer_spec", "normalizer_spec"):
        if not model.HasField(part):
            raise FormatError(f"{path}: {part} is missing ({path.stat().st_size} bytes read)", DAMAGED)
    return model


def tokenizer_of(path: Path, model: Any, sidecar: Mapping[str, object]) -> tuple[Vocabulary, Behaviour]:
    """The tokenizer that a parsed model describes."""
    trainer, normalizer = model.trainer_spec, model.normalizer_spec
    if trainer.model_type not in ALGORITHMS:
        name = TYPE_NAMES.get(trainer.model_type, trainer.model_type)
        raise FormatError(f"{path}: model_type {name!r} is not supported", "supported: 'unigram' and 'bpe'")
    vocabulary = _vocabulary(path, model)
    is_bpe = trainer.model_type == BPE
    adds_bos = sidecar.get(ADD_BOS, is_bpe and trainer.byte_fallback) is True
    adds_eos = sidecar.get(ADD_EOS, not is_bpe) is True
    charsmap = charsmap_of(path, normalizer.precompiled_charsmap, vocabulary, trainer.treat_whitespace_as_suffix)
    special = vocabulary.special
    return vocabulary, Behaviour(
        segment=ALGORITHMS[trainer.model_type],
        decode=_decode(path, model, vocabulary),
        decode_text=keep_bytes if charsmap else replace_each_byte,
        match_added=leftmost_longest,
        parses_special="as_asked",
        normalise=charsmap,
        collapse_spaces=normalizer.remove_extra_whitespaces,
        space_prefix="always" if normalizer.add_dummy_prefix else "never",
        prefixes_nothing=True,
        space_as_suffix=trainer.treat_whitespace_as_suffix,
        space_marker="▁" if normalizer.escape_whitespaces else " ",
        fallback="bytes" if trainer.byte_fallback else "unknown",
        fuse_unknown=True,
        score_bits=32,
        user_defined_score="length",
        rebase_below=None if is_bpe else REBASE_BELOW,
        unused_pieces="resegment" if is_bpe else "never",
        wrap=wrap_once,
        prefix_ids=(special["bos"],) if adds_bos and "bos" in special else (),
        suffix_ids=(special["eos"],) if adds_eos and "eos" in special else (),
        strip_decoded_prefix=normalizer.add_dummy_prefix or normalizer.remove_extra_whitespaces,
    )


def _decode(path: Path, model: Any, vocabulary: Vocabulary) -> DecodePieces:
    """How ids become text: the marker is a space there even where no space becomes a marker."""
    return DecodePieces(
        marker="" if model.normalizer_spec.escape_whitespaces else "▁",
        unknown_surface=text_of(path, model.trainer_spec, "unk_surface"),
        denormalise=charsmap_of(path, model.denormalizer_spec.precompiled_charsmap, vocabulary),
    )


def text_of(path: Path, part: Any, name: str, where: str = "") -> str:
    """A string of the protobuf; FormatError if it is not UTF-8, which the library finds out only now.

    Some of its versions raise an error then, others give bytes.
    """
    try:
        found = getattr(part, name)
    except UnicodeDecodeError as error:
        found = error.object
    if isinstance(found, bytes):
        raise FormatError(f"{path}: {where or name} is {excerpt(found)}, which is not UTF-8", DAMAGED)
    return str(found)


def _vocabulary(path: Path, model: Any) -> Vocabulary:
    if not model.pieces:
        raise FormatError(f"{path}: there are no pieces in it", DAMAGED)
    spelled = [text_of(path, entry, "piece", f"piece {i}") for i, entry in enumerate(model.pieces)]
    pieces = tuple(map(str.encode, spelled))
    scores = tuple(entry.score for entry in model.pieces)
    check_scores(path, scores)
    kinds = tuple(Kind(entry.type) for entry in model.pieces)
    unknown = [i for i, kind in enumerate(kinds) if kind is Kind.UNKNOWN]
    if len(unknown) != 1:
        raise FormatError(f"{path}: {len(unknown)} pieces are marked as unknown", "a model has exactly one: " + DAMAGED)
    check_byte_pieces(path, pieces, kinds)
    special = {"unk": unknown[0]}
    for name in ("bos", "eos", "pad"):
        wanted = text_of(path, model.trainer_spec, f"{name}_piece").encode()
        found = [i for i, piece in enumerate(pieces) if piece == wanted and kinds[i] is Kind.CONTROL]
        special |= {name: found[0]} if found else {}
    added = (AddedToken(i, piece) for i, piece in enumerate(spelled) if kinds[i] in (Kind.CONTROL, Kind.UNKNOWN))
    return Vocabulary(pieces, kinds, scores, (), tuple(added), special)
