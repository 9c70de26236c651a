"""docs/models.md: a row for each known model, with where its file comes from and under which terms."""

from __future__ import annotations

from pathlib import Path

from tokparity import models
from tokparity.models.pull import origin

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
HEAD = "| model | oracle | file | terms |\n|---|---|---|---|\n"


def row(model: models.Model) -> str:
    """The row of a model."""
    of_sources = [file for file in model.pulled if file.path in model.sources.values()]
    place = f"`{origin(of_sources[0])}`" if of_sources else f"`{next(iter(model.sources.values())).name}`"
    kind = " of tokparity" if model.embedded else "" if of_sources else " of mistral-common"
    terms = model.license or (
        "Apache-2.0" if model.embedded or not of_sources else "package: MIT; vocabulary: its model's"
    )
    return f"| {model.name} | {model.oracle} | {place}{kind} | {terms} |\n"


def test_the_page_lists_every_model() -> None:
    """The table is the one that today's models make."""
    table = HEAD + "".join(row(models.load(name)) for name in models.names())
    assert table in PAGE.read_text(encoding="utf-8")


def test_every_model_of_a_package_names_its_terms() -> None:
    """Those of the package and those of the vocabulary in it."""
    packaged = [model for model in map(models.load, models.names()) if any(one.archive.folder for one in model.pulled)]
    assert 9 == len(packaged)
    for model in packaged:
        assert model.license.startswith("package: "), model.name
        assert "; vocabulary: " in model.license, model.name
