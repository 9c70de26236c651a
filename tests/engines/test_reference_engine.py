"""Our reference as an engine, alone and with quirks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokparity import engines, models
from tokparity.engines.buffers import Texts
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError, UsageError


def test_quirks_are_named_behind_plus_signs() -> None:
    """The name says them all, in the order asked for."""
    name = "reference+greedy_longest_match+omits_bos"
    assert name == engines.get(name).NAME
    assert "reference" == engines.get("reference").NAME


def test_an_unknown_quirk() -> None:
    """Refused before any process is started."""
    with pytest.raises(UsageError, match="greedy_longest_match"):
        engines.get("reference+greedy_longest_matsch")


def test_two_quirks_on_one_field() -> None:
    """They exclude each other."""
    with pytest.raises(UsageError, match="both set 'fallback'"):
        engines.get("reference+drops_unknown_text+ignores_byte_fallback")


def test_it_encodes_decodes_and_deviates() -> None:
    """On Llama 2's vocabulary; with a quirk the ids are others and decode to the same text."""
    path = str(models.load("llama-spm").sources["gguf"])
    texts = Texts.from_list([b"The capital of France is", b"a\xffb"])
    with Client("reference", path) as right, Client("reference+omits_space_prefix", path) as wrong:
        result = right.submit(texts, False, False, decode_skip_special=True).result()
        assert [450, 7483, 310, 3444, 338] == result.ids[0].tolist()
        assert b"The capital of France is" == result.decoded[0].strip()
        assert () == result.failures
        assert result.ids[0].tolist() != wrong.encode(texts, False, False).ids[0].tolist()


def test_a_file_of_no_known_format(tmp_path: Path) -> None:
    """The reader's own message arrives."""
    path = tmp_path / "nothing"
    path.write_bytes(b"this is not a model")
    with Client("reference", str(path)) as client, pytest.raises(EngineError, match="nothing"):
        client.wait_ready()
