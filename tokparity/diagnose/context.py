"""Which entries of a model's file belong to a field of the behavior, for a reader who wants to look them up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tokparity.behaviour import Stage, fields_of
from tokparity.vocabulary import Vocabulary

_GGML = "tokenizer.ggml."
_SPECIAL = (
    *("add_bos_token", "add_eos_token", "add_sep_token"),
    *("bos_token_id", "eos_token_id", "seperator_token_id"),
)
_SPACES = ("add_space_prefix", "remove_extra_whitespaces", "escape_whitespaces", "treat_whitespace_as_suffix")

_ALWAYS = ("model", "pre", "model_type")
_BY_FIELD: Mapping[str, tuple[str, ...]] = {
    "normalise": ("normalizer", "normalizer.lowercase", "normalizer.strip_accents", "precompiled_charsmap"),
    **dict.fromkeys((*fields_of(Stage.SPACES), "pretokenise", "strip_decoded_prefix", "decode"), _SPACES),
    "fallback": ("byte_fallback", "unknown_token_id"),
    "fuse_unknown": ("unknown_token_id",),
    "ignore_merges": ("ignore_merges",),
    **dict.fromkeys(fields_of(Stage.AROUND_THE_IDS), _SPECIAL),
}

_UNSHOWN: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("normalise", "pretokenise", "ignore_merges"), ("pre",)),
    "segment": ("model", "tokens", "scores", "merges", "token_type"),
    "match_added": ("tokens", "token_type"),
}
"""What is shown with every field, and lists."""


def concerns(key: str, field: str) -> bool:
    """Whether a key of a file has to do with a field of `Behaviour`."""
    return key.removeprefix(_GGML) in (*_BY_FIELD.get(field, ()), *_UNSHOWN.get(field, ()))


def context(metadata: Mapping[str, object], fields: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The entries of a source's metadata that concern these fields of `Behaviour`, as (key, value)."""
    wanted = dict.fromkeys((*_ALWAYS, *(key for field in fields for key in _BY_FIELD.get(field, ()))))
    names = (name for key in wanted for name in (_GGML + key, key))
    return tuple((name, str(metadata[name])[:200]) for name in names if name in metadata)


def sizes(vocabulary: Vocabulary, fields: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """What the algorithm works with, where one of these fields is the algorithm: how many pieces, merges and scores."""
    if "segment" not in fields:
        return ()
    lists = {"pieces": vocabulary.pieces, "merges": vocabulary.merges, "scores": vocabulary.scores}
    return tuple((name, f"{len(entries):,}") for name, entries in lists.items() if entries)
