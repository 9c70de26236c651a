"""Known vocabularies: recognized by hash and by nearness, and two models told as two."""

from __future__ import annotations

import json

import pytest

from tokparity import models
from tokparity.models import vocabularies
from tokparity.models.vocabularies import PATH, SAMPLES, are_two, described, nearest

EMBEDDED = ("small-bpe", "small-spm", "small-unigram", "small-wordpiece")
KNOWN = json.loads(PATH.read_text(encoding="utf-8"))


def pieces(name: str) -> list[bytes]:
    """The pieces of a known model."""
    return list(models.primary_source(models.load(name)).vocabulary.pieces)


def test_each_known_model_is_described() -> None:
    """A new model is added to the file."""
    assert sorted(KNOWN) == sorted(models.names())


@pytest.mark.parametrize("name", EMBEDDED)
def test_what_is_kept_is_what_the_model_has(name: str) -> None:
    """The file is as it would be made today."""
    assert KNOWN[name] == described(pieces(name))
    assert name in nearest(pieces(name))


def test_a_few_other_pieces_and_padding_change_nothing() -> None:
    """A damaged vocabulary is still near to its own."""
    damaged = [*pieces("small-spm"), b"[PAD]", b"[PAD]"]
    damaged[7] = b"other"
    assert ("small-spm",) == nearest(damaged)


def test_two_models_are_told_as_two() -> None:
    """By both names; one model with itself, and what nobody knows, are not."""
    one, other = pieces("small-spm"), pieces("small-unigram")
    assert ("small-spm", "small-unigram") == are_two(one, other)
    assert are_two(one, one) is None
    assert are_two(one, [b"%d" % i for i in range(2800)]) is None


def test_a_model_whose_pieces_are_those_of_another_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a few pieces of the smaller model are spoilt, it is not taken for the larger one, as with llama-spm and
    phi-3."""
    small = pieces("small-spm")
    large = [*small, *(b"<|%d|>" % i for i in range(16))]
    monkeypatch.setattr(vocabularies, "_known", lambda: {"small": described(small), "large": described(large)})
    spoilt = [*small]
    spoilt[len(small) // SAMPLES] = b"other"  # a sample of the smaller model alone
    assert (("large",), None) == (nearest(spoilt), are_two(spoilt, small))
    assert ("large", "small") == are_two(large, small)
