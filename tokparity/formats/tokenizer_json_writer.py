"""A tokenizer as the text of a tokenizer.json.

What `tokenizers` has a type for is written, also where the library is known to do something else with it (it applies a
precompiled charsmap in its own way, and a unigram model finds control pieces in the text): then its ids differ, which
is a finding about it. What has no words is a CannotExpressError.
"""

from __future__ import annotations

import json
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.errors import CannotExpressError
from tokparity.formats import Source
from tokparity.formats.tokenizer_json_models import model_json, spelled_pieces
from tokparity.formats.tokenizer_json_stage_writer import (
    byte_level_json,
    decoder_json,
    metaspace_json,
    normalisers_json,
    pre_tokenisers_json,
    sequence_json,
)
from tokparity.formats.tokenizer_json_stages import Json
from tokparity.reference import decode_stages as decoders
from tokparity.reference import splits
from tokparity.reference.decode import (
    DecodePieces,
    HuggingFaceDecode,
    decode_between_specials,
    decode_byte_level,
    decode_byte_level_text,
    decode_wordpiece,
)
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

FORMAT = "tokenizer.json"
HINT = "choose another format, or change the model's file"


def json_of(source: Source) -> str:
    """The whole file; CannotExpressError names what there are no words for."""
    vocabulary, behaviour = source.vocabulary, source.behaviour
    pieces = spelled_pieces(vocabulary, behaviour)
    added = [*vocabulary.added, *_whole_pieces(vocabulary, behaviour)]
    normalisers, pre = _text_stages(vocabulary, behaviour)
    data = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added_json(token) for token in sorted(added, key=lambda token: token.id)],
        "normalizer": sequence_json(normalisers, "normalizers"),
        "pre_tokenizer": sequence_json(pre, "pretokenizers"),
        "post_processor": _template(behaviour, pieces),
        "decoder": _decoder(behaviour),
        "model": model_json(vocabulary, behaviour, pieces, {token.id: token.content for token in added}),
    }
    return json.dumps(data, ensure_ascii=False)


def _whole_pieces(vocabulary: Vocabulary, behaviour: Behaviour) -> list[AddedToken]:
    """The pieces that SPM finds whole in the text (user-defined ones; in UGM they score), as added tokens."""
    if behaviour.segment is ugm:
        return []
    known = {token.id for token in vocabulary.added}
    whole = [i for i, kind in enumerate(vocabulary.kinds) if kind is Kind.USER_DEFINED and i not in known]
    contents = [vocabulary.pieces[i].decode("utf-8", "replace") for i in whole]
    # With nothing but escaping before it, `normalized` is where SPM looks: a space and a marker are the same there.
    escaped_only = behaviour.normalise is None and not behaviour.collapse_spaces
    for content in contents:
        if behaviour.space_prefix != "never":
            raise CannotExpressError(
                f"{FORMAT} cannot express the user-defined piece {content!r} in a model with a space prefix", HINT
            )
        if not escaped_only and behaviour.space_marker in content:
            raise CannotExpressError(
                f"{FORMAT} cannot express the user-defined piece {content!r} where more than spaces is normalized",
                HINT,
            )
    tokens = zip(whole, contents, strict=True)
    return [AddedToken(i, content, special=False, normalized=escaped_only) for i, content in tokens]


def _added_json(token: AddedToken) -> Json:
    return {
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    }


# --- normalizers and pre-tokenizers


def _text_stages(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[list[Json], list[Json]]:
    if behaviour.space_as_suffix:
        raise CannotExpressError(f"{FORMAT} cannot express a space added as a suffix", HINT)
    if behaviour.escape_order == "after_split" and behaviour.pretokenise is not None and behaviour.space_marker != " ":
        raise CannotExpressError(f"{FORMAT} cannot express escaping spaces after the pre-tokenizer", HINT)
    normalisers = normalisers_json(behaviour.normalise)
    sees_spaces = behaviour.collapse_spaces or behaviour.space_marker != " " or behaviour.space_prefix != "never"
    if sees_spaces and not behaviour.byte_level and any(token.normalized for token in vocabulary.added):
        normalised = next(token.content for token in vocabulary.added if token.normalized)
        raise CannotExpressError(
            f"{FORMAT} cannot express the `normalized` token {normalised!r} where spaces are arranged after it", HINT
        )
    if behaviour.collapse_spaces:
        normalisers += _collapsing(behaviour.space_marker)
    if behaviour.byte_level:
        return normalisers, _byte_level_stages(behaviour)
    marker = behaviour.space_marker
    if behaviour.space_prefix == "never" or (behaviour.space_prefix == "always" and _doubles(behaviour)):
        if behaviour.space_prefix == "always":
            normalisers.append({"type": "Prepend", "prepend": marker})
        if marker != " ":
            normalisers.append({"type": "Replace", "pattern": {"String": " "}, "content": marker})
        return normalisers, pre_tokenisers_json(behaviour.pretokenise)
    if _doubles(behaviour) or marker == " ":
        raise CannotExpressError(f"{FORMAT} cannot express this space prefix: {behaviour.space_prefix}", HINT)
    splits_too = behaviour.pretokenise == splits.metaspace_split(marker)
    rest = [] if splits_too else pre_tokenisers_json(behaviour.pretokenise)
    return normalisers, [metaspace_json(marker, behaviour.space_prefix, splits_too), *rest]


def _doubles(behaviour: Behaviour) -> bool:
    """Whether the prefix may meet a space; after collapsing there is none."""
    return behaviour.prefix_doubles or behaviour.collapse_spaces


def _collapsing(marker: str) -> list[Json]:
    """remove_extra_whitespaces: at the end, spelled-out markers go as well."""
    patterns = ((r"\A +", ""), (" {2,}", " "), (rf"[ {marker}]+\z", ""))
    return [{"type": "Replace", "pattern": {"Regex": regex}, "content": content} for regex, content in patterns]


def _byte_level_stages(behaviour: Behaviour) -> list[Json]:
    if behaviour.space_marker != " ":
        raise CannotExpressError(f"{FORMAT} cannot express escaped spaces before the byte alphabet", HINT)
    stages: list[Any] = list(getattr(behaviour.pretokenise, "stages", [behaviour.pretokenise]))
    stages = [stage for stage in stages if stage is not None]
    behind = stages.pop() if stages and isinstance(stages[-1], splits.OnAlphabet) else None
    use_regex = bool(stages) and stages[-1] == splits.Split(GPT2)
    before = stages[:-1] if use_regex else stages
    prefix = behaviour.space_prefix == "always" and not behaviour.prefix_doubles
    if behaviour.space_prefix != "never" and (not prefix or before):
        raise CannotExpressError(f"{FORMAT} cannot express this space prefix before the byte alphabet", HINT)
    written = [data for stage in before for data in pre_tokenisers_json(stage)]
    after = [data for stage in behind.stages for data in pre_tokenisers_json(stage)] if behind else []
    return [*written, byte_level_json(prefix, use_regex), *after]


# --- around the ids, and decoding


def _template(behaviour: Behaviour, pieces: list[str]) -> Json | None:
    before, after = behaviour.prefix_ids, behaviour.suffix_ids
    if behaviour.wrap is None or not (before or after):
        return None
    tokens = {pieces[i]: {"id": pieces[i], "ids": [i], "tokens": [pieces[i]]} for i in (*before, *after)}
    special = {i: {"SpecialToken": {"id": pieces[i], "type_id": 0}} for i in (*before, *after)}
    around = [*(special[i] for i in before), {"Sequence": {"id": "A", "type_id": 0}}, *(special[i] for i in after)]
    pair = [*around, {"Sequence": {"id": "B", "type_id": 1}}]
    return {"type": "TemplateProcessing", "single": around, "pair": pair, "special_tokens": tokens}


def _decoder(behaviour: Behaviour) -> Json | None:
    decode = behaviour.decode
    stages: list[decoders.DecodeStage]
    if isinstance(decode, HuggingFaceDecode):
        if decode.stages is None:
            return None
        stages = list(decode.stages)
        if behaviour.strip_decoded_prefix:
            stages += [*([] if stages[-1:] == [decoders.Fuse()] else [decoders.Fuse()]), decoders.Strip(" ", 1, 0)]
    elif isinstance(decode, DecodePieces):
        stages = [decoders.Replace(behaviour.space_marker, " "), decoders.ByteFallback(), decoders.Fuse()]
        if behaviour.strip_decoded_prefix:
            stages.append(decoders.Strip(" ", 1, 0))
    elif decode in (decode_between_specials, decode_byte_level, decode_byte_level_text):
        stages = [decoders.ByteLevel()]
    elif decode is decode_wordpiece:
        stages = [decoders.WordPiece(behaviour.continuing_prefix or "##", behaviour.clean_up)]
    else:
        raise CannotExpressError(f"{FORMAT} cannot express the decoding {str(decode)[:80]}", HINT)
    return sequence_json([decoder_json(stage) for stage in stages], "decoders")
