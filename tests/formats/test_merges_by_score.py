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


def llama2(path: Path, merges: list[str], prepend: bool = True, marker: str = "") -> Path:
    """The file, with its merges; `marker` is a piece that is an added token, but not a special one."""
    normalizers = [
        *([{"type": "Prepend", "prepend": "▁"}] if prepend else []),
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
        "added_tokens": [{"id": i, "content": PIECES[i], **flags} for i in (0, 1)]
        + [{"id": PIECES.index(piece), "content": piece, **flags, "special": False} for piece in [marker] if piece],
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


def test_gemma_2_is_written_as_bpe_where_added_tokens_are_not_special(tmp_path: Path) -> None:
    """SPM has no such tokens, BPE over characters (gemma4) has; its split at spaces never cuts where all are marked."""
    source = formats.read(llama2(tmp_path / "tokenizer.json", MERGES, prepend=False, marker="bc"))
    formats.write(source, "gguf", tmp_path / "x.gguf")
    found = formats.read(tmp_path / "x.gguf")
    assert "gemma4" == found.metadata["tokenizer.ggml.model"]
    ours, theirs = (Tokenizer(one.vocabulary, one.behaviour) for one in (source, found))
    rng = random.Random(0)
    texts = ["".join(rng.choices(" abcé▁", k=rng.randint(1, 9))).encode() for _ in range(500)]
    assert [ours.encode(text, add_special=False) for text in texts] == [
        theirs.encode(text, add_special=False) for text in texts
    ]


def test_an_added_token_behind_a_space_prefix_is_refused_in_the_words_of_llama_cpp(tmp_path: Path) -> None:
    """BPE has no space prefix in llama.cpp, and SPM no added tokens that are not special: the hint says the second."""
    source = formats.read(llama2(tmp_path / "tokenizer.json", MERGES, marker="bc"))
    with pytest.raises(CannotExpressError, match="added token 'bc'") as told:
        formats.write(source, "gguf", tmp_path / "x.gguf")
    assert "llama.cpp" in told.value.hint
    assert "special" in told.value.hint


def test_a_split_that_removes_spaces_is_no_idle_one(tmp_path: Path) -> None:
    """Only a split at spaces goes unheeded, and only where every space was marked before."""
    path = llama2(tmp_path / "tokenizer.json", MERGES, prepend=False, marker="bc")
    data = json.loads(path.read_text(encoding="utf-8"))
    data["pre_tokenizer"] = {"type": "Split", "pattern": {"String": "▁"}, "behavior": "Removed", "invert": False}
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(CannotExpressError, match="pre-tokenizer"):
        formats.write(formats.read(path), "gguf", tmp_path / "x.gguf")
