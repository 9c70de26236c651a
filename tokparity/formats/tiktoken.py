"""OpenAI's .tiktoken: pieces in the order of their merging, one line of base64 and rank for each.

The file has neither the pattern nor the special tokens. They come from a table of known encodings by the file's name,
or from a file beside it (`NAME.tiktoken.json`: {"pattern": "...", "special_tokens": {"<|endoftext|>": 100257}}).
Pieces are spelled in the byte alphabet. Any two neighbors that together are a piece may merge, lowest rank first.
Source: tiktoken 0.12, `load.py`, `_educational.py`, `tiktoken_ext/openai_public.py`; Llama 3 and 4: Meta's
`tokenizer.py`; Qwen: `tokenization_qwen.py`.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tokparity.behaviour import Behaviour
from tokparity.errors import CannotExpressError, FormatError
from tokparity.formats import Source
from tokparity.formats.excerpt import excerpt
from tokparity.formats.json_fields import DAMAGED, MAX_BYTES, JsonFields, is_id, load_json
from tokparity.reference import splits
from tokparity.reference.bpe import bpe
from tokparity.reference.byte_alphabet import ALPHABET, from_alphabet
from tokparity.reference.decode import decode_byte_level
from tokparity.reference.fancy_regex import of_fancy_regex
from tokparity.reference.onig import compile_onig
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.pretokeniser_patterns import CL100K_FANCY, GPT4O, LLAMA3, QWEN2
from tokparity.reference.same_cuts import cut_alike
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.text import replace_maximal
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

NAME = "tiktoken"
SUFFIXES = (".tiktoken",)
SHARES_IDS = True


@dataclass(frozen=True)
class Encoding:
    """What a .tiktoken file does not say: the pattern (in the syntax of Rust's fancy-regex) and the special tokens."""

    pattern: str
    special: Mapping[str, int]


_RANK_DIGITS = 10
_RESERVED = 256
"""Llama 3's special tokens, from the first free id on."""
_LLAMA3_NAMES = (
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|reserved_special_token_0|>",
    "<|reserved_special_token_1|>",
    "<|finetune_right_pad_id|>",
    "<|step_id|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|python_tag|>",
)


def _llama3() -> dict[str, int]:
    names = [*_LLAMA3_NAMES, *(f"<|reserved_special_token_{i}|>" for i in range(2, _RESERVED - len(_LLAMA3_NAMES) + 2))]
    return {name: 128000 + i for i, name in enumerate(names)}


_FIM = {"<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260}
KNOWN: Mapping[str, Encoding] = {
    "gpt2": Encoding(GPT2, {"<|endoftext|>": 50256}),
    "r50k_base": Encoding(GPT2, {"<|endoftext|>": 50256}),
    "p50k_base": Encoding(GPT2, {"<|endoftext|>": 50256}),
    "p50k_edit": Encoding(
        GPT2, {"<|endoftext|>": 50256, "<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283}
    ),
    "cl100k_base": Encoding(CL100K_FANCY, {"<|endoftext|>": 100257, **_FIM, "<|endofprompt|>": 100276}),
    "o200k_base": Encoding(GPT4O, {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}),
    "llama3": Encoding(LLAMA3, _llama3()),
    "llama4": Encoding(GPT4O, {"<|begin_of_text|>": 200000, "<|end_of_text|>": 200001}),
    "qwen": Encoding(QWEN2, {"<|endoftext|>": 151643, "<|im_start|>": 151644, "<|im_end|>": 151645}),
}


def sniff(path: Path) -> bool:
    """Whether the first line is base64, a space and a number."""
    with path.open("rb") as file:
        parts = file.readline(1024).split()
    return len(parts) == 2 and parts[1].isdigit() and _decoded(parts[0]) is not None


def read(path: Path) -> Source:
    """The tokenizer in a .tiktoken file."""
    encoding = _encoding(path)
    ranks = _ranks(path)
    vocabulary = byte_vocabulary(path, ranks, encoding.special)
    metadata = {"pattern": encoding.pattern, "special_tokens": dict(encoding.special)}
    return Source(NAME, path, vocabulary, rank_behaviour(encoding.pattern), metadata)


def write(source: Source, path: Path) -> None:
    """Write the ranks; CannotExpressError for anything but byte-level BPE that merges in the order of ids, by a pattern
    and without a normalizer. What the file does not say stands beside it (see `companions`)."""
    vocabulary, behaviour = source.vocabulary, source.behaviour
    why = ""
    if behaviour.segment is not bpe or not behaviour.byte_level:
        why = "it knows nothing but byte-level BPE"
    elif behaviour.normalise is not None:
        why = "it knows no normalizer"
    elif not _merges_by_id(vocabulary):
        why = "the order of its merges is not that of their ids"
    elif _pattern_of(source) is None:
        why = "it splits by one pattern, and this one's is not known in the syntax of tiktoken"
    if why:
        raise CannotExpressError(f"tiktoken cannot express this tokenizer: {why}", "choose another format")
    lines = []
    for i, (piece, kind) in enumerate(zip(vocabulary.pieces, vocabulary.kinds, strict=True)):
        if kind is Kind.NORMAL and piece:
            lines.append(base64.b64encode(from_alphabet(piece.decode())) + b" %d\n" % i)
    path.write_bytes(b"".join(lines))


def companions(source: Source, path: Path) -> dict[Path, bytes]:
    """The file that says the pattern and the special tokens, where the name of `path` does not represent just these."""
    pattern, special = _pattern_of(source) or "", {token.content: token.id for token in source.vocabulary.added}
    if KNOWN.get(path.stem) == Encoding(pattern, special):
        return {}
    said = json.dumps({"pattern": pattern, "special_tokens": special}, ensure_ascii=False, indent=1)
    return {path.with_name(path.name + ".json"): said.encode() + b"\n"}


def _merges_by_id(vocabulary: Vocabulary) -> bool:
    """Whether its merges, if it has a list of them, make pieces, in the order of their ids."""
    made = [vocabulary.ids.get(left + right, -1) for left, right in vocabulary.merges]
    return -1 not in made and all(one <= other for one, other in pairwise(made))


def _pattern_of(source: Source) -> str | None:
    """The pattern that it splits by, as tiktoken writes it: what its own file says, or one that is known."""
    said = source.metadata.get("pattern")
    patterns = [str(said)] if said else list(dict.fromkeys(encoding.pattern for encoding in KNOWN.values()))
    stage = source.behaviour.pretokenise
    return next((one for one in patterns if cut_alike(rank_behaviour(one).pretokenise, stage)), None)


def byte_vocabulary(path: Path, ranks: Mapping[bytes, int], special: Mapping[str, int]) -> Vocabulary:
    """Pieces of bytes and special tokens by id; FormatError if two of them have one id or a byte has no piece."""
    missing = [byte for byte in range(256) if bytes((byte,)) not in ranks]
    if missing:
        raise FormatError(f"{path}: there is no piece for the byte 0x{missing[0]:02X}", DAMAGED)
    spelled = {rank: "".join(ALPHABET[byte] for byte in piece).encode() for piece, rank in ranks.items()}
    tokens = {i: name.encode() for name, i in special.items()}
    times = Counter([*ranks.values(), *tokens])
    if clash := [i for i, pieces in times.items() if pieces > 1]:
        raise FormatError(f"{path}: two pieces have the id {min(clash)}", DAMAGED)
    size = max(*spelled, *tokens) + 1
    if size > 2 * (len(spelled) + len(tokens)) + 4096:
        raise FormatError(
            f"{path}: its {len(spelled) + len(tokens)} pieces have ids up to {size - 1}, so some ids have no piece",
            DAMAGED,
        )
    everything = spelled | tokens
    kinds = tuple(Kind.CONTROL if i in tokens else Kind.NORMAL if i in spelled else Kind.UNUSED for i in range(size))
    added = tuple(AddedToken(i, name) for name, i in special.items())
    return Vocabulary(tuple(everything.get(i, b"") for i in range(size)), kinds, added=added, outside=frozenset(tokens))


def rank_behaviour(pattern: str) -> Behaviour:
    """Byte-level BPE that merges by rank; a word that is a piece is that piece."""
    return Behaviour(
        segment=bpe,
        decode=decode_byte_level,
        decode_text=replace_maximal,
        match_added=leftmost_longest,
        pretokenise=splits.Split(of_fancy_regex(pattern)),
        byte_level=True,
        ignore_merges=True,
        fallback="drop",
    )


def checked_pattern(fields: JsonFields) -> str:
    """The field `pattern`; FormatError if it can't be translated."""
    pattern = str(fields.need("pattern", str))
    try:
        compile_onig(of_fancy_regex(pattern))
    except FormatError as error:
        raise fields.error("pattern", f"is none: {error.message}") from error
    return pattern


def _encoding(path: Path) -> Encoding:
    beside = path.with_name(path.name + ".json")
    if beside.is_file():
        fields = load_json(beside)
        special = fields.get("special_tokens", dict, {})
        for name, i in special.items():
            if not is_id(i):
                raise fields.error(f"special_tokens[{excerpt(name)}]", f"is {excerpt(i)}, which is not an id")
        return Encoding(checked_pattern(fields), special)
    if path.stem in KNOWN:
        return KNOWN[path.stem]
    raise FormatError(
        f"{path}: the pattern of {excerpt(path.stem)} is not known, and a .tiktoken file doesn't hold it",
        f'write {{"pattern": ..., "special_tokens": {{...}}}} to {beside.name}; known names: {", ".join(KNOWN)}',
    )


def _ranks(path: Path) -> dict[bytes, int]:
    if path.stat().st_size > MAX_BYTES:
        raise FormatError(f"{path}: {path.stat().st_size} bytes are too many, at most {MAX_BYTES} are read", DAMAGED)
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        parts = line.split()
        if not parts:
            continue
        piece = _decoded(parts[0])
        if len(parts) != 2 or piece is None or not parts[1].isdigit() or len(parts[1]) > _RANK_DIGITS:
            raise FormatError(f"{path}: line {number} is {excerpt(line)}, not base64 and a rank", DAMAGED)
        ranks[piece] = int(parts[1])
    return ranks


def _decoded(text: bytes) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return None
