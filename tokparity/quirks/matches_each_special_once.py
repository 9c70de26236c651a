"""Finds each special token once in a text, and takes it for common text wherever it comes again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Fragment, MatchAdded
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.reference.specials import Matcher
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class FoundOnce:
    """Of the tokens that are found, the first of each; the others are spelled as text again."""

    inner: MatchAdded

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, normalized: bool) -> Matcher:
        matcher, added = self.inner(vocabulary, behaviour, normalized), vocabulary.added_by_id

        def match(text: str, parse_special: bool) -> list[Fragment]:
            seen: set[int] = set()
            found: list[Fragment] = []
            for fragment in matcher(text, parse_special):
                token = added.get(fragment) if isinstance(fragment, int) else None
                if token is not None and token.special and token.id in seen:
                    fragment = token.content
                elif token is not None:
                    seen.add(token.id)
                found.append(fragment)
            return _joined(found)

        return match


def _joined(fragments: Sequence[Fragment]) -> list[Fragment]:
    """The fragments, stretches of text beside each other as one."""
    found: list[Fragment] = []
    for fragment in fragments:
        if isinstance(fragment, str) and found and isinstance(found[-1], str):
            found[-1] += fragment
        else:
            found.append(fragment)
    return found


QUIRK = Quirk(
    name="matches_each_special_once",
    title="Finds each special token only once in a text",
    symptom="In a chat of several turns, only the first <|im_end|> ends a turn; the others are several common pieces.",
    cause="The text is searched once for each special token (indexOf, strstr, or a replace without all matches).",
    fix="Search on behind each token that was found, until the end of the text.",
    field="match_added",
    derive=Derived(Place.AFTER, 150, lambda behaviour: FoundOnce(behaviour.match_added)),
    witness=lambda: toys.spm("< s >").on("<s><s>", parse_special=True),
)
