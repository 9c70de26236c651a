"""Each library's engine on a file made here, and on one that is no model."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from tokparity.engines.buffers import Texts
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError
from tokparity.models.record import EMBEDDED


def test_tekken(tmp_path: Path) -> None:
    """A Tekken file made here: bytes and one merge behind ten special tokens, no special token recognized in a text."""
    pieces = [bytes([i]) for i in range(256)] + [b"ab"]
    vocabulary = [
        {"rank": i, "token_bytes": base64.b64encode(piece).decode(), "token_str": None}
        for i, piece in enumerate(pieces)
    ]
    special = [{"rank": i, "token_str": name, "is_control": True} for i, name in enumerate(["<unk>", "<s>", "</s>"])]
    config = {
        "pattern": r"\S+|\s+",
        "num_vocab_tokens": 257,
        "default_vocab_size": 267,
        "default_num_special_tokens": 10,
        "version": "v7",
    }
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps({"config": config, "vocab": vocabulary, "special_tokens": special}))
    with Client("mistral-common", str(path)) as client:
        ids = client.encode(Texts.from_list([b"ab a", b"<s>"]), True, False).ids
        assert [[1, 266, 42, 107], [1, *(10 + byte for byte in b"<s>")]] == ids.to_list()
        assert [b"<s>ab a", b"<s><s>"] == client.decode(ids, False).decoded.to_list()
        assert [b"ab a", b"<s>"] == client.decode(ids, True).decoded.to_list()
        assert "unsupported" == client.encode(Texts.from_list([b"a"]), True, True).failed[0].kind


def test_mistral_common_is_not_asked_for_pieces() -> None:
    """With special tokens kept it spells the pieces of a .model file, which is no text; without, it decodes them."""
    with Client("mistral-common", str(EMBEDDED / "small-spm.model")) as client:
        ids = client.encode(Texts.from_list([b"a b"]), False, False).ids
        assert [b"a b"] == client.decode(ids, True).decoded.to_list()
        assert "unsupported" == client.decode(ids, False).failed[0].kind


@pytest.mark.parametrize("engine", ["llama.cpp", "sentencepiece", "tokenizers", "transformers", "mistral-common"])
def test_a_file_that_is_no_model(engine: str, tmp_path: Path) -> None:
    """Each engine refuses it and names the path."""
    path = tmp_path / "nothing"
    path.write_bytes(b"this is not a model")
    with Client(engine, str(path)) as client, pytest.raises(EngineError, match="nothing"):
        client.wait_ready()
