"""What goes around the ids of a text: BOS, EOS, CLS, SEP."""

from __future__ import annotations


def wrap_once(ids: list[int], prefix: tuple[int, ...], suffix: tuple[int, ...]) -> list[int]:
    """The ids with the model's prefix and suffix, whatever the text itself begins with."""
    return [*prefix, *ids, *suffix]
