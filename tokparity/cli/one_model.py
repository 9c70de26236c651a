"""Refuses to compare two files that belong to different models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokparity.cli.arguments import Named
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.formats import Source

_RUINED = 0.5
"""Below this share of common pieces nobody takes a GGUF for a spoilt conversion of the model."""


def demand_one_model(ours: Source, theirs: Source, least: float) -> None:
    """Raise UsageError where fewer than this share of the pieces are common, or both are known, and two models."""
    from tokparity.lint import share_of_common_pieces
    from tokparity.models.vocabularies import are_two
    from tokparity.report.rule import SENTENCES

    known = are_two(ours.vocabulary.pieces, theirs.vocabulary.pieces)
    if known is not None:
        raise UsageError(
            SENTENCES["two models"].format(its=known[1], ours=known[0]),
            "give the tokenizer that this model was trained with",
        )
    common = share_of_common_pieces(ours, theirs)
    if common < least:
        raise UsageError(
            f"these are different models: {100 * common:.1f} % of their pieces are common ({ours.path.name}, "
            f"{theirs.path.name})",
            "give the tokenizer that this model was trained with",
        )


def demand_own_sources(named: Sequence[Named]) -> None:
    """Raise UsageError if a user's GGUF is named together with the tokenizer of another model."""
    from tokparity import models
    from tokparity.doctor import legible

    for one in named:
        model = one.model
        if not model.pinned and "gguf" in model.sources and models.primary_format(model) != "gguf":
            source = models.primary_source(model)
            demand_one_model(legible(model.sources["gguf"], source), source, _RUINED)
