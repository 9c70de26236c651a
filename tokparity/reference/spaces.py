"""Spaces before the model sees them: collapsed, prefixed, escaped."""

from __future__ import annotations

import re

from tokparity.behaviour import Behaviour

_RUNS = re.compile(" {2,}")


def arrange_spaces(text: str, behaviour: Behaviour, at_start: bool) -> str:
    """A normalised text as the behaviour's whitespace fields want it.

    The order is SentencePiece's (`normalizer.cc`): leading spaces go, runs collapse, the space is added and escaped,
    and then trailing markers go, among them a marker that was spelled out in the text.
    """
    left_nothing = not text
    if behaviour.collapse_spaces:
        text = _RUNS.sub(" ", text.lstrip(" "))
    if not text and not (left_nothing and behaviour.prefixes_nothing):
        return text
    adds = behaviour.space_prefix == "always" or (behaviour.space_prefix == "first" and at_start)
    if adds and not behaviour.space_as_suffix:
        text = with_prefix(text, behaviour)
    if behaviour.collapse_spaces and not behaviour.trims_spelled_marker:
        text = text.rstrip(" ")
    if behaviour.escape_order == "before_split":
        text = text.replace(" ", behaviour.space_marker)
    if behaviour.collapse_spaces and behaviour.trims_spelled_marker:
        text = text.rstrip(behaviour.space_marker)
    if adds and behaviour.space_as_suffix:
        text += behaviour.space_marker
    return text


def with_prefix(text: str, behaviour: Behaviour) -> str:
    """The text with one space before it, unless it has one and the behaviour does not double it."""
    if not behaviour.prefix_doubles and text.startswith((" ", behaviour.space_marker)):
        return text
    return " " + text
