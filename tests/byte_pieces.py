"""A tokenizer.json with a piece for each byte, whose decoding takes text back."""

from __future__ import annotations

from typing import Any


def with_byte_pieces() -> dict[str, Any]:
    """Its decoder makes U+FFFD of every byte of a run, as soon as the run is not UTF-8."""
    pieces = [f"<0x{byte:02X}>" for byte in range(256)] + ["▁", "a", "b", "▁a"]
    decoders = (
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
    )
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {"type": "Sequence", "decoders": list(decoders)},
        "model": {
            "type": "BPE",
            "vocab": {piece: i for i, piece in enumerate(pieces)},
            "merges": [["▁", "a"]],
            "byte_fallback": True,
        },
    }
