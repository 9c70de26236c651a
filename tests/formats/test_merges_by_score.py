"""A tokenizer.json like Llama 2's (BPE over characters, a space before the text) as a GGUF that merges by score."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tokparity import formats
from tokparity.errors import CannotExpressError
from tokparity.reference.tokenizer import Tokenizer

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
PIECES = ["<unk>", "<s>", *BYTES, "▁", "a", "b", "c", "▁a", "ab", "▁▁", "▁ab", "bc", "aa", "▁▁▁", "aaa"]
MERGES = ["▁ a", "a b", "▁ ▁", "▁ ab", "▁a b", "b c", "a a", "▁▁ ▁", "▁ ▁▁", "aa a", "a aa"]


def llama2(path: Path, merges: list[str]) -> Path:
    """The file, with its merges."""
    normalizers = [
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    ]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    model = {
        "type": "BPE",
        "vocab": {piece: i for i, piece in enumerate(PIECES)},
        "merges": merges,
        "unk_token": "<unk>",
        "fuse_unk": True,
        "byte_fallback": True,
    }
    data = {
        "added_tokens": [{"id": i, "content": PIECES[i], **flags} for i in (0, 1)],
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "model": model,
    }
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_merges_in_the_order_of_pieces_are_scores(tmp_path: Path) -> None:
    """The GGUF is one of SPM, and the reference gives the same ids for it as for the source."""
    source = formats.read(llama2(tmp_path / "tokenizer.json", MERGES))
    formats.write(source, "gguf", tmp_path / "x.gguf")
    found = formats.read(tmp_path / "x.gguf")
    assert "llama" == found.metadata["tokenizer.ggml.model"]
    ours, theirs = (Tokenizer(one.vocabulary, one.behaviour) for one in (source, found))
    rng = random.Random(0)
    texts = ["".join(rng.choices(" abcé", k=rng.randint(1, 9))).encode() for _ in range(500)]
    assert [ours.encode(text) for text in texts] == [theirs.encode(text) for text in texts]


@pytest.mark.parametrize("merges", [MERGES[:-1], [*MERGES[:3], *MERGES[4:], MERGES[3]]])
def test_merges_that_scores_cannot_say_are_refused(merges: list[str], tmp_path: Path) -> None:
    """A piece that is not made in every way, or at two places of the list, has no score that says it."""
    source = formats.read(llama2(tmp_path / "tokenizer.json", merges))
    with pytest.raises(CannotExpressError, match="space prefix"):
        formats.write(source, "gguf", tmp_path / "x.gguf")
