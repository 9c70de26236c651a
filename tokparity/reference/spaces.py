"""Spaces before the model sees them: collapsed, prefixed, escaped."""

from __future__ import annotations

import re

from tokparity.behaviour import Behaviour
from tokparity.reference.text import INNER_SPACE, NOTHING

_RUNS = re.compile(" {2,}")
_SINGLE = re.compile("(?<! ) (?! )")
_REPEATED = re.compile(f"(?<=[ {INNER_SPACE}]) {INNER_SPACE}*")
"""The spaces with which a replacement begins, behind a space."""


def normalized(text: str, behaviour: Behaviour) -> str:
    """A fragment as the normalizer leaves it; an engine may have collapsed its spaces before."""
    normalise = behaviour.normalise or str
    if _collapses_after(behaviour):
        return normalise(text)
    text = " ".join(text.split()) if behaviour.collapses == "given_white_space" else _RUNS.sub(" ", text).strip(" ")
    return text and (normalise(text) or NOTHING)


def arrange_spaces(text: str, behaviour: Behaviour, at_start: bool) -> str:
    """A normalized text as the behavior's whitespace fields want it.

    The order is SentencePiece's (`normalizer.cc`), which treats each replacement of a charsmap by itself. Its leading
    spaces go at the start and after a space, and those inside it stay. Then the space is added, spaces are escaped,
    and trailing markers go, among them a marker that was spelled out in the text.
    """
    # To SentencePiece, a replacement by several spaces or by nothing is none of the spaces that it skips at the start.
    collapses = behaviour.collapse_spaces and _collapses_after(behaviour)
    left_nothing = text[0] == NOTHING or INNER_SPACE in text if text else _collapses_after(behaviour)
    text = text.removeprefix(NOTHING)
    if collapses:
        text = text.lstrip(" " + INNER_SPACE)
        text = _REPEATED.sub("", text) if INNER_SPACE in text else _RUNS.sub(" ", text)
    text = text.replace(INNER_SPACE, " ")
    if not text and not (left_nothing and behaviour.prefixes_nothing):
        return text
    adds = behaviour.space_prefix == "always" or (behaviour.space_prefix == "first" and at_start)
    if adds and not behaviour.prefixes_blank:
        adds = not text or bool(text.strip(" "))
    prefix = 0
    if adds and not behaviour.space_as_suffix:
        prefix = -len(text)
        text = with_prefix(text, behaviour)
        prefix += len(text)
    if collapses and behaviour.trims_end_of == "spaces":
        text = text.rstrip(" ")
    if behaviour.escape_order == "before_split":
        text = escaped(text, behaviour, prefix)
    if collapses and behaviour.trims_end_of == "markers":
        text = text.rstrip(behaviour.space_marker)
    if adds and behaviour.space_as_suffix:
        text += behaviour.space_marker
    return text


def escaped(text: str, behaviour: Behaviour, prefix: int = 0) -> str:
    """The text with markers for spaces; `prefix` characters at its start were added and belong to no run of spaces."""
    marker = behaviour.space_marker
    return text[:prefix].replace(" ", marker) + with_markers(text[prefix:], marker, behaviour.escapes_runs)


def with_markers(text: str, marker: str, runs: bool) -> str:
    """The text with a marker for each space, or, without `runs`, only for those that have no other beside them."""
    return text.replace(" ", marker) if runs else _SINGLE.sub(marker, text)


def with_prefix(text: str, behaviour: Behaviour) -> str:
    """The text with one space before it, unless it has one and the behavior does not double it."""
    if not behaviour.prefix_doubles and text.startswith((" ", behaviour.space_marker)):
        return text
    return " " + text


def _collapses_after(behaviour: Behaviour) -> bool:
    """Whether spaces are collapsed after normalization, if at all."""
    return behaviour.collapses == "normalized" or not behaviour.collapse_spaces
