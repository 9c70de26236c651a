"""tokenizer.json, the format of Hugging Face's `tokenizers` (0.23).

The vocabulary is the model's pieces and the added tokens. What has exactly the meaning of a canonical field of
`Behaviour` is lifted into it (`tokenizer_json_lift`), everything else stays a stage. Truncation and padding change no
behavior, for no engine is asked to obey them; `metadata` says that they are there.
Source: tokenizers 0.23, `tokenizer/serialization.rs`, `models/*/serialization.rs`, `processors/*.rs`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.errors import FormatError
from tokparity.formats import Source, beside
from tokparity.formats.excerpt import excerpt
from tokparity.formats.json_fields import JsonFields, is_id, load_json
from tokparity.formats.tokenizer_json_lift import lifted, lifted_decoder
from tokparity.formats.tokenizer_json_stages import decoder_stages, normalisers, pre_tokenisers
from tokparity.formats.tokenizer_json_template import template_ids
from tokparity.formats.tokenizer_json_vocabulary import vocabulary_of
from tokparity.formats.tokenizer_json_writer import json_of
from tokparity.reference.bpe import bpe
from tokparity.reference.merging import merge_nothing
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.text import replace_each_byte
from tokparity.reference.ugm import ugm
from tokparity.reference.word_level import word_level
from tokparity.reference.wpm import wpm
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import Vocabulary

NAME = "tokenizer.json"
SUFFIXES = (".json",)


def sniff(path: Path) -> bool:
    """Whether the file is a JSON object with an `added_tokens` or `model` near its beginning."""
    with path.open("rb") as file:
        head = file.read(4096)
    return head.lstrip().startswith(b"{") and any(key in head for key in (b'"added_tokens"', b'"truncation"'))


def read(path: Path) -> Source:
    """The tokenizer in a tokenizer.json."""
    fields = load_json(path)
    vocabulary, behaviour = tokenizer_of(fields)
    return beside.completed(Source(NAME, path, vocabulary, behaviour, _settings(fields, vocabulary)))


def _settings(fields: JsonFields, vocabulary: Vocabulary) -> dict[str, object]:
    """What a library obeys and no tokenizer of ours: where it cuts rows of ids, and whether it fills them.

    `added_tokens` are those that say another id than the library gives them, `unk_token` is one that is no piece.
    """
    cut = fields.data.get("truncation")
    most = cut.get("max_length") if isinstance(cut, dict) else None
    found: dict[str, object] = {"truncation": most} if is_id(most) else {}
    if fields.data.get("padding"):
        found["padding"] = True
    unknown = fields.data["model"].get("unk_token")
    if isinstance(unknown, str) and unknown and vocabulary.unknown_id is None:
        found["unk_token"] = unknown
    said = {token.need("content", str): token.need("id", int) for token in fields.list_of("added_tokens")}
    other = {token.content: said[token.content] for token in vocabulary.added if said[token.content] != token.id}
    return {**found, "added_tokens": other} if other else found


def write(source: Source, path: Path) -> None:
    """Write a source as tokenizer.json; CannotExpressError names what it cannot express."""
    path.write_text(json_of(source), encoding="utf-8")


companions = beside.written
"""What stands beside the file, for it has no place in it."""


def tokenizer_of(fields: JsonFields) -> tuple[Vocabulary, Behaviour]:
    """What the JSON says; FormatError names the field that is wrong."""
    model = fields.inner("model")
    if model is None:
        raise fields.error("model", "is missing: this is not a tokenizer.json")
    kind = _model_kind(model)
    vocabulary = vocabulary_of(fields, model, kind)
    decoder = fields.inner("decoder")
    stages = normalisers(fields.inner("normalizer")), pre_tokenisers(fields.inner("pre_tokenizer"))
    lifts = lifted(*stages, vocabulary.added, kind == "BPE")
    rest: dict[str, Any] = {**_MODELS[kind](model), **lifts, **_around(fields, len(vocabulary))}
    behaviour = Behaviour(
        decode_text=replace_each_byte,
        starts_as_given=True,
        match_added=leftmost_longest,
        wrap=wrap_once,
        **lifted_decoder(None if decoder is None else decoder_stages(decoder)),
        **rest,
    )
    return vocabulary, behaviour


def _around(fields: JsonFields, size: int) -> dict[str, tuple[int, ...]]:
    """The ids around a text; FormatError for one that the vocabulary does not have."""
    found = template_ids(fields.inner("post_processor"))
    for i in (*found["prefix_ids"], *found["suffix_ids"]):
        if i >= size:
            raise fields.error("post_processor", f"adds the id {i}, but ids end at {size - 1}")
    return found


def _model_kind(model: JsonFields) -> str:
    """The model's type; older files don't say it."""
    kind = model.text("type")
    if not kind:
        if "merges" in model.data:
            kind = "BPE"
        elif isinstance(model.data.get("vocab"), list):
            kind = "Unigram"
        else:
            kind = "WordPiece" if "max_input_chars_per_word" in model.data else "WordLevel"
    if kind not in _MODELS:
        raise FormatError(
            f"{model.path}: model.type is {excerpt(kind)}, which is not a kind of model that tokparity reads",
            f"it reads {', '.join(_MODELS)}",
        )
    return kind


def _bpe(model: JsonFields) -> dict[str, Any]:
    dropout = model.get("dropout", (int, float), 0)
    if dropout:
        raise model.error(
            "dropout", f"is {excerpt(dropout)}: its ids are random, so there is nothing to compare; set it to null"
        )
    return {
        "segment": bpe,
        "merge": None if model.get("merges", list) else merge_nothing,
        "fallback": _fallback(model, has_unknown=bool(model.text("unk_token"))),
        "fuse_unknown": model.flag("fuse_unk", False),
        "unknown_waits": True,
        "ignore_merges": model.flag("ignore_merges", False),
        "continuing_prefix": model.text("continuing_subword_prefix"),
        "word_suffix": model.text("end_of_word_suffix"),
    }


def _unigram(model: JsonFields) -> dict[str, Any]:
    return {
        "segment": ugm,
        "score_parsing": "divided",
        "fallback": _fallback(model, has_unknown=model.get("unk_id", int) is not None),
        "fuse_unknown": True,
        "user_defined_score": "own",
        "matches_every_kind": True,
    }


def _fallback(model: JsonFields, has_unknown: bool) -> str:
    if model.flag("byte_fallback", False):
        return "bytes"
    return "unknown" if has_unknown else "drop"


def _wordpiece(model: JsonFields) -> dict[str, Any]:
    return {
        "segment": wpm,
        "continuing_prefix": model.text("continuing_subword_prefix", "##"),
        "max_word_chars": model.count("max_input_chars_per_word", 100),
    }


_MODELS: Mapping[str, Callable[[JsonFields], dict[str, Any]]] = {
    "BPE": _bpe,
    "Unigram": _unigram,
    "WordPiece": _wordpiece,
    "WordLevel": lambda model: {"segment": word_level},
}
