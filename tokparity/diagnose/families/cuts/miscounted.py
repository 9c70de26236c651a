"""Models that count the positions of cuts in one unit and cut the text in another.

A pattern that runs on bytes or on UTF-16 returns positions that are not numbers of characters, and the reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise

from tokparity.behaviour import Pretokenise
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.probes import mixed

Cut = Callable[[str, Sequence[str]], list[str]]
"""A text and the words that it should be cut into -> those that it is cut into."""

_AMONG = ("a", "b", "1", " ", ".", "'s", "\n", "é", "я", "世", "\U0001f600", "\U00010330")


def miscounted_cuts(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as the smallest mismatch was answered."""
    own = facts.base.behaviour
    original = own.pretokenise
    if original is None or not facts.is_of_ids or facts.against.text.isascii():
        return
    for says, cut in _CUTS.items():
        variant = facts.with_behaviour(
            says, replace(own, pretokenise=_with(original, cut)), mixed(_AMONG, least=2, most=9)
        )
        if facts.shows(variant):
            yield variant


def _with(original: Pretokenise, cut: Cut) -> Pretokenise:
    def pretokenise(text: str, at_start: bool) -> Sequence[str]:
        words = original(text, at_start)
        return words if "".join(words) != text else [word for word in cut(text, words) if word]  # it does more than cut

    return pretokenise


def _by_characters(counted: Callable[[str], int], text: str, words: Sequence[str]) -> list[str]:
    """Cut after as many characters as the words have of another unit; the last word has what is left."""
    places = [0, *accumulate(map(counted, words[:-1])), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def _by_bytes(keeps_rest: bool, text: str, words: Sequence[str]) -> list[str]:
    """Cut after as many bytes as the words have characters, also inside a character."""
    spelled = _spelled(text)
    places = [0, *accumulate(map(len, words))]
    places[-1] = len(spelled) if keeps_rest else places[-1]
    return [spelled[start:end].decode("utf-8", "surrogateescape") for start, end in pairwise(places)]


def _spelled(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _in_utf_16(text: str) -> int:
    return sum(1 + (character > "\uffff") for character in text)


_CUTS: dict[str, Cut] = {
    "that counts where to cut in UTF-16 units, and takes these for characters": partial(_by_characters, _in_utf_16),
    "that counts where to cut in bytes, and takes these for characters": partial(
        _by_characters, lambda text: len(_spelled(text))
    ),
    "that counts where to cut in characters, and takes these for bytes": partial(_by_bytes, True),
    "that counts where to cut in characters, takes these for bytes, and reads no further": partial(_by_bytes, False),
}
