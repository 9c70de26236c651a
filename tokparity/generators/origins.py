"""A text from its origin: "NAME:SEED:INDEX", or "grown:SEED:INDEX@ORIGIN" for one that was made from another text."""

from __future__ import annotations

import random

from tokparity.errors import UsageError
from tokparity.generators import names, texts
from tokparity.generators.mutations import mutate
from tokparity.generators.subject import Subject

GROWN = "grown"
"""How the origin of a text begins that is a mutation of another one."""

DEEPEST = 4
"""Mutations of mutations: beyond this a text is not grown any further, so that origins stay short."""


def grown(parent: str, seed: int, index: int) -> str:
    """The origin of the index-th grown text, made from the text of `parent`."""
    return f"{GROWN}:{seed}:{index}@{parent}"


def grow(origin: str, text: bytes, subject: Subject) -> bytes:
    """The text with this (grown) origin, given its parent's text."""
    return mutate(random.Random(origin.partition("@")[0]), text, subject.words)


def text_of(origin: str, subject: Subject) -> bytes:
    """The text that had this origin; UsageError where no generator made it."""
    own, _, parent = origin.partition("@")
    name, _, rest = own.partition(":")
    seed, _, index = rest.partition(":")
    if (name not in names() and name != GROWN) or bool(parent) != (name == GROWN) or not index.isdigit():
        raise UsageError(f"{origin!r} is no origin of a generated text", "it looks like joints:0:17")
    if parent:
        return grow(own, text_of(parent, subject), subject)
    return next(texts(name, int(seed), subject, int(index)))
