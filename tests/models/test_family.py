"""Models that have nearly the same vocabulary: which of them stands for the others."""

from __future__ import annotations

from tokparity import models
from tokparity.models.family import represented
from tokparity.models.vocabularies import nearest


def test_a_model_with_its_own_file_stands_for_those_of_a_gguf() -> None:
    """Where it is run; without it, as on a machine without npm, the first of the others does."""
    every = [models.load(name) for name in ("qwen-3", "qwen2", "qwen35", "small-bpe")]
    assert {"qwen2": "qwen-3", "qwen35": "qwen-3"} == represented(every)
    assert {"qwen35": "qwen2"} == represented(every[1:])


def test_a_model_alone_is_put_whole() -> None:
    """Nobody stands for it, nor for one that has no family."""
    assert {} == represented([models.load("gpt-oss"), models.load("small-spm"), models.load("small-bpe")])


def test_a_family_is_one_vocabulary() -> None:
    """Two models of one family that have as many pieces have the same ones at nearly all places."""
    families: dict[str, list[str]] = {}
    for model in map(models.load, models.names()):
        if model.family:
            families.setdefault(model.family, []).append(model.name)
    assert all(len(members) > 1 for members in families.values()), families
    for name in ("qwen2", "llama-bpe", "tekken-240911", "mistral-v3", "mpt", "mistral-v1", "phi-3", "starcoder"):
        model = models.load(name)
        if model.is_here:
            pieces = list(models.primary_source(model).vocabulary.pieces)
            assert {*nearest(pieces)} <= {*families[model.family]}
