"""The Vocabulary in the keys of a GGUF file. Source: llama.cpp, `src/llama-vocab.cpp` (load)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tokparity.errors import FormatError
from tokparity.formats.byte_pieces import check_byte_pieces
from tokparity.formats.excerpt import excerpt
from tokparity.formats.gguf_keys import BROKEN, PREFIX, Keys
from tokparity.formats.scores import check_scores
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

SPECIAL_KEYS = {
    "bos": "bos_token_id",
    "eos": "eos_token_id",
    "unk": "unknown_token_id",
    "sep": "seperator_token_id",  # spelled like this in every GGUF
    "pad": "padding_token_id",
    "cls": "cls_token_id",
    "mask": "mask_token_id",
}

SPECIAL_DEFAULTS: Mapping[str, Mapping[str, int]] = {
    "llama": {"bos": 1, "eos": 2, "unk": 0},
    "t5": {"eos": 1, "unk": 2, "pad": 0},
    "bert": {"bos": 101, "unk": 100, "sep": 102, "pad": 0, "mask": 103},
    "gpt2": {},
    "gemma4": {},
}
"""Special ids by `tokenizer.ggml.model`, for files without the keys."""
_UNNAMED = 11
"""What llama.cpp takes for BOS and EOS of a GPT-2 model whose file does not name them (`llama-vocab.cpp`)."""


def id_without_key(model: str, role: str) -> int | None:
    """The special id that llama.cpp takes where a file of this type does not name it; None where it has none then."""
    if model == "gpt2" and role in ("bos", "eos"):
        return _UNNAMED
    return SPECIAL_DEFAULTS.get(model, {}).get(role)


def vocabulary_of(keys: Keys) -> Vocabulary:
    """Pieces, scores, kinds, merges, added tokens and special ids; FormatError where they contradict each other."""
    model = keys.text("model")
    special = special_ids(keys, model)
    pieces = tuple(keys.strings("tokens"))
    kinds = _kinds(keys, pieces)
    return Vocabulary(
        pieces=pieces,
        kinds=kinds,
        scores=_scores(keys, len(pieces)),
        merges=_merges(keys, pieces),
        added=added_tokens(keys, model, pieces, kinds, special),
        special=special,
    )


def _scores(keys: Keys, size: int) -> tuple[float, ...]:
    scores = tuple(map(float, keys.numbers("scores", size)))
    check_scores(keys.path, scores, f"{PREFIX}scores: ")
    return scores


def special_ids(keys: Keys, model: str) -> dict[str, int]:
    """The ids with a role, by its name; an id that there is not counts as absent, as in llama.cpp."""
    size = len(keys.strings("tokens"))
    found = dict(SPECIAL_DEFAULTS[model])
    for name, key in SPECIAL_KEYS.items():
        value = keys.find(key, int, "a number")
        if value is not None and 0 <= value < size:
            found[name] = int(value)
    return {name: value for name, value in found.items() if value < size}


def _kinds(keys: Keys, pieces: Sequence[bytes]) -> tuple[Kind, ...]:
    types = keys.numbers("token_type", len(pieces))
    if not len(types):
        return tuple(Kind.NORMAL if piece else Kind.UNUSED for piece in pieces)
    known: dict[int, Kind] = {0: Kind.NORMAL} | {int(kind): kind for kind in Kind}
    try:
        kinds = tuple(known[int(value)] if piece else Kind.UNUSED for value, piece in zip(types, pieces, strict=True))
    except (KeyError, ValueError, OverflowError) as error:  # the latter two: no whole number
        raise FormatError(
            f"{keys.path}: {PREFIX}token_type holds {error}, which is not a type (1 to 6)", BROKEN
        ) from None
    check_byte_pieces(keys.path, pieces, kinds)
    return kinds


def _merges(keys: Keys, pieces: Sequence[bytes]) -> tuple[tuple[bytes, bytes], ...]:
    # Half a million merges share their halves with the pieces, which saves most of the memory.
    shared = {piece: piece for piece in pieces}.get
    merges: list[tuple[bytes, bytes]] = []
    for i, merge in enumerate(keys.strings("merges")):
        at = merge.find(b" ", 1)
        if at < 0 or at + 1 == len(merge):
            raise FormatError(
                f"{keys.path}: {PREFIX}merges[{i}] is {excerpt(merge)}, not two pieces with a space between", BROKEN
            )
        left, right = merge[:at], merge[at + 1 :]
        merges.append((shared(left, left), shared(right, right)))
    return tuple(merges)


def added_tokens(
    keys: Keys, model: str, pieces: Sequence[bytes], kinds: Sequence[Kind], special: Mapping[str, int]
) -> tuple[AddedToken, ...]:
    """Control tokens and the unknown token are special; user-defined ones are added tokens of BPE models only.

    SentencePiece finds its user-defined pieces itself, in the normalized text. Other pieces of the kind UNKNOWN are
    fillers that the model's tokenizer never had.
    """
    strips = _strips(keys)
    added = []
    for i, (piece, kind) in enumerate(zip(pieces, kinds, strict=True)):
        is_special = kind is Kind.CONTROL or (kind is Kind.UNKNOWN and i == special.get("unk"))
        if not is_special and kind is not Kind.USER_DEFINED:
            continue
        content = piece.decode("utf-8", "replace")
        lstrip, rstrip = strips(content)
        if is_special or model in ("gpt2", "gemma4", "bert") or lstrip or rstrip:
            added.append(AddedToken(i, content, special=is_special, lstrip=lstrip, rstrip=rstrip))
    return tuple(added)


def _strips(keys: Keys) -> Callable[[str], tuple[bool, bool]]:
    """Whether a token eats the spaces on its left and on its right. No key says it: names do, as in llama.cpp."""
    pre, architecture = keys.text("pre"), keys.text("general.architecture")
    name = keys.text("general.name").lower()
    if any(part in pre for part in ("jina-v2-de", "jina-v2-es", "jina-v2-code")) or any(
        part in architecture for part in ("nomic-bert-moe", "jina-bert-v3")
    ):
        return lambda content: (content == "<mask>", False)
    if "phi-3" in name or "phi3" in name:
        return lambda content: (False, content not in ("<unk>", "<s>", "<|endoftext|>"))
    return lambda content: ("modern-bert" in name and content == "[MASK]", False)
