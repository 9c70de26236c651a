"""Unknown text beside byte pieces and beside a spelled unknown piece, as Hugging Face takes it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer as Library

from tokparity import formats
from tokparity.formats import Source
from tokparity.generators.blueprint import Blueprint, Entry
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind

PARTS = ("<unk>", "<s>", "a", "b", "é", "<", "ü", "c")


def blueprint(hole: bool) -> Blueprint:
    """A unigram model with byte pieces; with a hole, that of the first byte of é and ü is missing."""
    special = (Entry(b"<unk>", Kind.UNKNOWN), Entry(b"<s>", Kind.CONTROL), Entry(b"</s>", Kind.CONTROL))
    pieces = (Entry(piece.encode(), Kind.NORMAL, -1.0 - i) for i, piece in enumerate(("▁", "a", "<", "ab", "c")))
    byte_pieces = (Entry(b"<0x%02X>" % byte, Kind.BYTE) for byte in range(256) if not (hole and byte == 0xC3))
    return Blueprint("ugm", (*special, *pieces, *byte_pieces))


@pytest.mark.parametrize("hole", [False, True])
def test_as_the_library_does_it(tmp_path: Path, hole: bool) -> None:
    """The unknown piece is spelled in bytes beside what is unknown; a run with a byte that has no piece is one."""
    path = tmp_path / "tokenizer.json"
    formats.write(Source("generated", Path("generated"), *blueprint(hole).build()), "tokenizer.json", path)
    library, source = Library.from_file(str(path)), formats.read(path)
    library.encode_special_tokens = True
    ours = Tokenizer(source.vocabulary, source.behaviour)
    rng = random.Random(1)
    texts = ["".join(rng.choice(PARTS) for _ in range(rng.randint(1, 7))) for _ in range(600)]
    expected = [library.encode(text, add_special_tokens=False).ids for text in texts]
    assert expected == [ours.encode(text.encode(), False, False) for text in texts]


@pytest.mark.parametrize("fuses", [False, True])
def test_bytes_go_before_an_unknown_that_waits(tmp_path: Path, fuses: bool) -> None:
    """BPE with a few byte pieces: what has none waits for the next piece."""
    spelled = ["<unk>", "a", "b", "ab", "<0x63>", "<0xC3>", "<0xA9>"]
    model = {
        "type": "BPE", "unk_token": "<unk>", "fuse_unk": fuses, "byte_fallback": True,
        "vocab": {piece: i for i, piece in enumerate(spelled)}, "merges": [["a", "b"]],
    }  # fmt: skip
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model}), encoding="utf-8")
    library, source = Library.from_file(str(path)), formats.read(path)
    ours = Tokenizer(source.vocabulary, source.behaviour)
    rng = random.Random(2)
    texts = ["".join(rng.choice("abcéüx") for _ in range(rng.randint(1, 9))) for _ in range(600)]
    assert [library.encode(text).ids for text in texts] == [ours.encode(text.encode(), False, False) for text in texts]
