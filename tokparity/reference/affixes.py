"""How BPE marks the symbols that continue a word, in models with a prefix for that."""

from __future__ import annotations

CONTINUES = "\ud800"
"""Stands before a character that continues a word, where the model has a prefix for that. No text holds it."""


def spelling(symbol: str, prefix: str) -> str:
    """How the vocabulary spells a symbol: one prefix at its front, none inside."""
    return (prefix if symbol.startswith(CONTINUES) else "") + symbol.replace(CONTINUES, "") if prefix else symbol
