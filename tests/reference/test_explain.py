"""What the reference says it did, on two models of which the steps were once worked out by hand in a debugger."""

from __future__ import annotations

import pytest

from tests.reference.models import behaviour, vocabulary
from tests.shared_models import SHARED_MODELS, needs_shared_models
from tokparity import formats, models
from tokparity.formats import Source
from tokparity.reference.explain import Step, explain, lines
from tokparity.reference.spm import spm
from tokparity.reference.tokenizer import Tokenizer


def steps_of(source: Source) -> list[Step]:
    """The steps of "What is LoRA?" on a real model."""
    return explain(Tokenizer(source.vocabulary, source.behaviour), b"What is LoRA?", add_special=False)


def step(steps: list[Step], name: str) -> dict[str, object]:
    """The data of the first step with a name."""
    return next(step.data for step in steps if step.name == name)


def test_spm_trace() -> None:
    """The vocabulary of Llama 2: nine pairs in the queue, "at" merged first, five pieces."""
    steps = steps_of(models.primary_source(models.load("llama-spm")))
    queue = {
        "at": -12,
        "is": -16,
        "▁L": -106,
        "▁W": -140,
        "▁i": -215,
        "ha": -2091,
        "Lo": -3151,
        "RA": -4458,
        "Wh": -8550,
    }
    assert list("▁What▁is▁LoRA?") == step(steps, "symbols")["symbols"]
    assert list(queue.items()) == step(steps, "symbols")["queue"]
    assert {"left": "a", "right": "t", "score": -12} == step(steps, "merge")
    assert {"ids": [1724, 338, 4309, 4717, 29973], "pieces": ["▁What", "▁is", "▁Lo", "RA", "?"]} == step(steps, "ids")
    assert "symbols: 20 bytes, 14 symbols: " in "\n".join(lines(steps))


@needs_shared_models
def test_ugm_trace() -> None:
    """nai-t5: the charsmap's 44,288 units, the score at byte 3 with the piece ▁, five pieces."""
    steps = steps_of(formats.read(SHARED_MODELS / "sentencepiece" / "nai-t5.model"))
    rows = step(steps, "lattice")["best"]
    assert isinstance(rows, list)
    first = rows[0]
    assert (3, "▁", 3) == (first["byte"], first["piece"], first["id"])
    assert pytest.approx(-2.01229286) == first["score"]
    assert "44288 units" in str(step(steps, "normalised")["by"])
    assert "▁What▁is▁LoRA?" == step(steps, "spaces")["text"]
    assert [363, 19, 1815, 4763, 58] == step(steps, "ids")["ids"]


def test_ids_of_the_trace_are_those_of_encoding() -> None:
    """Telling its steps does not change what the reference does."""
    tokenizer = Tokenizer(vocabulary({"a": -1.0, "b": -2.0, "ab": -0.5}), behaviour(spm, space_prefix="always"))
    assert tokenizer.encode(b"abc ba") == step(explain(tokenizer, b"abc ba"), "ids")["ids"]


def test_lines_escape_what_does_not_print() -> None:
    """Control characters of an untrusted text do not reach the terminal."""
    tokenizer = Tokenizer(vocabulary({"a": -1.0}), behaviour(spm))
    assert not any("\x1b" in line or "\u202e" in line for line in lines(explain(tokenizer, "\x1b[2Ja\u202e".encode())))


def test_parts_between_added_tokens_are_not_called_added_tokens() -> None:
    """A line says where a text was cut, and by which tokens; or that none was found."""
    none, cut = ["a b"], ["a ", 0, " b"]
    told = list(lines([Step("added tokens", {"fragments": none}), Step("added tokens", {"fragments": cut})]))
    assert ["added tokens: none", "cut at added tokens: 'a ', id 0, ' b'"] == told
