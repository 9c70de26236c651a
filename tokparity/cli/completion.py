"""Completes half-typed words in a shell; click calls these functions."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def _beginning(names: Iterable[str], typed: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(typed)]


def models_and_files(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Known models; where none begins like this, files."""
    from tokparity import models

    return _beginning(models.names(), typed) or [CompletionItem(typed, type="file")]


def engines(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Engines, and after "reference+" the quirks."""
    from tokparity import engines, quirks

    before, plus, _ = typed.rpartition("+")
    return _beginning((f"{before}{plus}{name}" for name in (quirks.names() if plus else engines.names())), typed)


def corpora(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Corpora; where none begins like this, files."""
    from tokparity.sources import corpus

    return _beginning(corpus.names(), typed) or [CompletionItem(typed, type="file")]


def generators(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Generators of texts."""
    from tokparity import generators

    return _beginning(generators.modules(), typed)


def quirks(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Known quirks."""
    from tokparity import quirks

    return _beginning(quirks.names(), typed)
