"""Cuts the text at special tokens although they are not parsed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Fragment, MatchAdded
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class CutOnly:
    """Finds added tokens as before; special ones that are not to be parsed become fragments of text of their own."""

    inner: MatchAdded

    def __call__(
        self, vocabulary: Vocabulary, behaviour: Behaviour, normalized: bool
    ) -> Callable[[str, bool], list[Fragment]]:
        match = self.inner(vocabulary, behaviour, normalized)
        # Nothing is stripped beside a token that stays text.
        plain = replace(vocabulary, added=tuple(replace(t, lstrip=False, rstrip=False) for t in vocabulary.added))
        cut = self.inner(plain, behaviour, normalized)

        def kept(text: str) -> Iterator[str]:
            for part in cut(text, True):
                yield vocabulary.added_by_id[part].content if isinstance(part, int) else part

        def fragments(text: str, parse_special: bool) -> list[Fragment]:
            found = match(text, parse_special)
            if parse_special:
                return found
            return [part for found_one in found for part in _parts(found_one, kept)]

        return fragments


def _parts(fragment: Fragment, kept: Callable[[str], Iterator[str]]) -> Iterator[Fragment]:
    if isinstance(fragment, int):
        yield fragment
    else:
        yield from kept(fragment)


QUIRK = Quirk(
    name="cuts_at_unparsed_specials",
    title="Cuts the text at special tokens that are not parsed",
    symptom="Only texts that contain a special token's spelling differ. The space before it should be part of the "
    "spelling's first piece, and is not.",
    cause="The engine first cuts the text at every special token. Only then the engine checks whether special tokens "
    "are parsed. If they are not, it tokenizes the spelling as a separate text.",
    fix="Look for special tokens only where they are to be parsed.",
    field="match_added",
    derive=Derived(Place.BEFORE, 90, lambda behaviour: CutOnly(behaviour.match_added)),
    witness=lambda: toys.spm("a< a < s >").on("a<s>"),
)
