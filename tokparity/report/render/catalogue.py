"""The catalog of quirks as a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tokparity.quirk import Quirk
from tokparity.report.render.markup import cell

_TABLED = "uses_pre_"
"""Quirks that are called so come from the table of pre-tokenizers and differ only in which one; a line each will do."""


def catalogue(quirks: Sequence[Quirk]) -> str:
    """The page: quirks by the field of `Behaviour` that they are about, in the order of their names."""
    return "\n".join(_lines(quirks)) + "\n"


def _lines(quirks: Sequence[Quirk]) -> Iterator[str]:
    tabled = [quirk for quirk in quirks if quirk.name.startswith(_TABLED)]
    written = sorted((quirk for quirk in quirks if quirk not in tabled), key=lambda quirk: (quirk.field, quirk.name))
    yield from ("# Quirks", "")
    yield f"{len(quirks)} known ways in which tokenizers differ. `tokparity quirks NAME` shows one at work; an engine"
    yield "that has some of them is called `reference+NAME+NAME`. This page is made by `tokparity quirks --markdown`."
    for field, group in groupby(written, key=lambda quirk: quirk.field):
        yield from ("", f"## {field}")
        for quirk in group:
            yield from _one(quirk)
    if tabled:
        yield from ("", "## Wrong pre-tokenizers", "", "| quirk | what it does |", "|---|---|")
        yield from (f"| {quirk.name} | {cell(quirk.title)} |" for quirk in tabled)


def _one(quirk: Quirk) -> Iterator[str]:
    yield from ("", f"### {quirk.name}", "", f"{cell(quirk.title)}.", "")
    for label in ("symptom", "cause", "fix"):
        yield f"- {label.capitalize()}: {cell(getattr(quirk, label))}"
    for link in quirk.links:
        yield f"- See: <{link}>"
