"""Which token ends a turn: llama.cpp finds it by its name, unless the file names another token."""

from __future__ import annotations

from pathlib import Path

from tokparity.doctor.change import KeyChange, tokenizer_keys
from tokparity.doctor.fitting import TOKENS
from tokparity.formats import Source
from tokparity.formats.gguf_keys import PREFIX
from tokparity.questions.json_text import literal

_KEY = PREFIX + "eot_token_id"
_NAMES = frozenset(
    name.encode()
    for name in (
        *("<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>", "<|end_of_text|>", "<EOT>"),
        *("_<EOT>", "[EOT]", "<｜end▁of▁sentence｜>", "<end_of_utterance>"),
    )
)
"""Names of tokens that end a turn, as llama.cpp looks for them (`llama-vocab.cpp`)."""


def of_turn(path: Path, source: Source) -> list[KeyChange]:
    """The key of the token that ends a turn, where it names another token than llama.cpp would find without the key.

    Only a GGUF has a place for this id, so another source leaves it open.
    """
    keys = tokenizer_keys(path)
    pieces, said = keys[TOKENS], keys.get(_KEY)
    by_name = [i for i, piece in enumerate(pieces) if piece in _NAMES]
    is_piece = isinstance(said, int) and 0 <= said < len(pieces)
    if source.format == "gguf" or not is_piece or not by_name or said in by_name:
        return []
    found = ", ".join(f"{literal(pieces[i])} [{i}]" for i in by_name)
    own = f"that is {literal(pieces[said])}"
    why = f"{own}; {source.path.name} does not name this token, and without the key llama.cpp finds {found} by name"
    return [KeyChange(_KEY, said, None, pieces, unsaid=why)]
