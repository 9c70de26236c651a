"""Models that have nearly the same vocabulary: in a run of all models, one of them represents the others."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.models.record import Model


def represented(models: Sequence[Model]) -> dict[str, str]:
    """The names of models that another one represents, with the name of that one.

    A model with a tokenizer file of its own goes before one that has a GGUF, which shows no fault of that file.
    """
    first: dict[str, str] = {}
    for model in sorted(models, key=lambda one: "gguf" in one.sources):
        if model.family:
            first.setdefault(model.family, model.name)
    return {model.name: first[model.family] for model in models if first.get(model.family, model.name) != model.name}
