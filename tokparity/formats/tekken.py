"""tekken.json, Mistral's format: byte-level BPE by rank, with the special tokens before the pieces.

The file lists more pieces than the model has; `default_vocab_size` says how many count. Special tokens fill the ids
from 0 to `default_num_special_tokens`; ids of pieces are their ranks plus that number. mistral-common never looks for
special tokens in a text. Source: mistral_common 1.13, `tokens/tokenizers/tekken.py`.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path

from tokparity.formats import Source
from tokparity.formats.excerpt import excerpt
from tokparity.formats.json_fields import JsonFields, is_id, load_json
from tokparity.formats.tiktoken import byte_vocabulary, checked_pattern, rank_behaviour
from tokparity.reference.decode import decode_between_specials
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import Vocabulary

NAME = "tekken"
SUFFIXES = ()

MAX_SPECIAL = 1 << 16
OLD_SPECIAL = (
    "<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] "
    "[IMG] <pad> [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT]"
)
"""The special tokens of files that don't list theirs."""
FILLER = "<SPECIAL_{}>"
BOS, EOS = "<s>", "</s>"


def sniff(path: Path) -> bool:
    """Whether the file is a JSON object that speaks of tekken's config."""
    with path.open("rb") as file:
        head = file.read(4096)
    return head.lstrip().startswith(b"{") and (b'"default_vocab_size"' in head or b'"token_bytes"' in head)


def read(path: Path) -> Source:
    """The tokenizer in a tekken.json."""
    fields = load_json(path)
    config = fields.inner("config")
    if config is None:
        raise fields.error("config", "is missing: this is not a tekken.json")
    count = int(config.need("default_num_special_tokens", int))
    if not 0 < count <= MAX_SPECIAL:
        raise config.error("default_num_special_tokens", f"is {excerpt(count)}, not 1 to {MAX_SPECIAL}")
    special = _special(fields, count)
    ranks = {piece: rank + count for piece, rank in _ranks(fields, config.need("default_vocab_size", int) - count)}
    pattern = checked_pattern(config)
    vocabulary = _with_names(byte_vocabulary(path, ranks, special), special)
    behaviour = replace(
        rank_behaviour(pattern),
        decode=decode_between_specials,
        parses_special="as_asked",
        wrap=wrap_once,
        prefix_ids=tuple(special[name] for name in (BOS,) if name in special),
    )
    return Source(NAME, path, vocabulary, behaviour, {"pattern": pattern, "version": config.text("version")})


def _special(fields: JsonFields, count: int) -> dict[str, int]:
    listed = fields.list_of("special_tokens")
    if listed:
        special = {str(token.need("token_str", str)): int(token.need("rank", int)) for token in listed}
    else:
        special = {name: i for i, name in enumerate(OLD_SPECIAL.split())}
    taken = set(special.values())
    if len(taken) < len(listed) or max(taken) >= count or min(taken) < 0:
        raise fields.error("special_tokens", f"are not {len(listed)} different ids below {count}")
    return special | {FILLER.format(i): i for i in range(count) if i not in taken}


def _ranks(fields: JsonFields, count: int) -> list[tuple[bytes, int]]:
    """(piece, rank) of the pieces that count."""
    ranks: list[tuple[bytes, int]] = []
    entries = fields.need("vocab", list)
    for i, entry in enumerate(entries[: max(count, 0)]):
        try:
            piece, rank = base64.b64decode(entry["token_bytes"], validate=True), entry["rank"]
        except (TypeError, KeyError, ValueError):  # the last: no base64, or not even ASCII
            raise fields.error(f"vocab[{i}]", f"is {excerpt(entry)}, not token_bytes and a rank") from None
        if rank != i or not is_id(rank):
            raise fields.error(f"vocab[{i}].rank", f"is {excerpt(rank)}: pieces must stand in the order of their ranks")
        ranks.append((piece, i))
    if len(ranks) < count:
        raise fields.error(
            "vocab", f"has {len(entries)} pieces for default_vocab_size minus special tokens = {excerpt(count)}"
        )
    return ranks


def _with_names(vocabulary: Vocabulary, special: dict[str, int]) -> Vocabulary:
    names = {"unk": "<unk>", "bos": BOS, "eos": EOS, "pad": "<pad>"}
    return replace(vocabulary, special={name: special[text] for name, text in names.items() if text in special})
