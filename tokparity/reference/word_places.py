"""Where in a text the words are that a pre-tokenizer makes of it, though it may drop, add and mark spaces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from tokparity.behaviour import MARKER, Behaviour
from tokparity.reference.placed import Change, Placed
from tokparity.reference.splits import Chain
from tokparity.reference.text import encode_text


def placed_words(text: Placed, words: Sequence[str], behaviour: Behaviour) -> list[Placed]:
    """The words that a text was split into, each with the places of its characters."""
    return _after_stages(text, words, behaviour) or _found(text, words, behaviour)


def owners(text: str) -> list[int]:
    """The character of each byte of a text."""
    return [n for n, character in enumerate(text) for _ in encode_text(character)]


def _after_stages(text: Placed, words: Sequence[str], behaviour: Behaviour) -> list[Placed] | None:
    """The words, found stage by stage in those of the stage before; None where no such stages give them."""
    splits = behaviour.pretokenise
    stages = splits.stages if isinstance(splits, Chain) else ()
    for at_start in (True, False) if stages else ():
        parts = [(text, at_start)]
        for stage in stages:
            cut = [(part, list(stage.split([(part.text, start)]))) for part, start in parts]
            parts = [
                (word, start)
                for part, inner in cut
                for word, (_, start) in zip(_found(part, [word for word, _ in inner], behaviour), inner, strict=True)
            ]
        if [word.text for word, _ in parts] == [*words]:
            return [word for word, _ in parts]
    return None


def _found(text: Placed, words: Sequence[str], behaviour: Behaviour) -> list[Placed]:
    """The words of a text with their places: as they are spelled, else with spaces for markers on both sides."""
    found, is_whole = _in_order(text, words, lambda one: one)
    return found if is_whole else _in_order(text, words, lambda one: _plain(one, behaviour))[0]


def _in_order(text: Placed, words: Sequence[str], spelled: Change) -> tuple[list[Placed], bool]:
    """The words with their places, and whether all are in the text; one that is not is somewhere behind the others."""
    plain, at, is_whole = spelled(text.text), 0, True
    data, owner = encode_text(plain), owners(plain)
    found: list[Placed] = []
    for word in words:
        first = owner[at] if at < len(owner) else len(plain)
        seen = spelled(word)
        start = data.find(encode_text(seen), at)
        if seen.startswith((" ", MARKER)):  # the pre-tokenizer may have added it
            rest = data.find(encode_text(seen[1:]), at)
            start, seen = (rest, seen[1:]) if start < 0 or (seen[1:] and 0 <= rest < start) else (start, seen)
        if start >= 0:
            # A pre-tokenizer that sees bytes may cut inside a character.
            ends = [*accumulate((len(encode_text(character)) for character in seen), initial=start)]
            added = owner[start] if start < len(owner) else len(plain)
            places = [text.place(added, added)] * (len(word) - len(seen))
            places += [text.place(owner[begin], owner[end - 1] + 1) for begin, end in pairwise(ends)]
            at = ends[-1]
        else:  # the pre-tokenizer changed it
            places = [text.place(first, len(plain))] * len(word)
        is_whole = is_whole and start >= 0 and len(seen) == len(word)
        found.append(Placed(word, places, text.place(first, first)[0]))
    return found, is_whole


def _plain(text: str, behaviour: Behaviour) -> str:
    """A text with spaces for markers: some models mark spaces before the text is split, others after that."""
    marker = behaviour.space_marker if len(behaviour.space_marker) == 1 else MARKER
    return text.replace(marker, " ").replace(MARKER, " ")
