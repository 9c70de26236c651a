"""Patterns, and parts of them, that several pre-tokenizers have."""

from __future__ import annotations

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""GPT-2's pattern, which is built into Hugging Face's ByteLevel."""

UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
"""The classes of capitals and of small letters in the patterns that tell them apart (GPT-4o's, Tekken's)."""
