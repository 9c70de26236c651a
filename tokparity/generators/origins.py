"""A generated text from its origin: a generator's, or one that was grown from another text."""

from __future__ import annotations

import random

from tokparity.case import Origin
from tokparity.errors import UsageError
from tokparity.generators import names, texts
from tokparity.generators.mutations import mutate
from tokparity.generators.subject import Subject

GROWN = "grown"
"""The generator's name in the origin of a text that is a mutation of another one."""

DEEPEST = 4
"""Mutations of mutations: beyond this a text is not grown any further, so that origins stay short."""


def grown(parent: Origin, seed: int, index: int) -> Origin:
    """The origin of the index-th grown text, made from the text of `parent`."""
    return Origin("generator", GROWN, index, seed, parent)


def grow(origin: Origin, text: bytes, subject: Subject) -> bytes:
    """The text that the last step of a recipe makes from the text of the step before, its parent."""
    return mutate(random.Random(str(origin._replace(parent=None))), text, subject.words)


def text_of(origin: Origin, subject: Subject) -> bytes:
    """The text that had this origin; UsageError where no generator made it."""
    known = origin.source == "generator" and (origin.name in names() or origin.name == GROWN)
    if not known or (origin.parent is not None) != (origin.name == GROWN):
        raise UsageError(f"{str(origin)!r} is not the origin of a generated text", "write one such as joints:0:17")
    if origin.parent is not None:
        return grow(origin, text_of(origin.parent, subject), subject)
    return next(texts(origin.name, origin.seed, subject, origin.number))
