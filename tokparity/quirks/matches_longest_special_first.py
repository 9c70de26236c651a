"""Matches the longest special token anywhere in the text first."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Fragment
from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.reference.specials import Matcher, is_part_of_word, spelled_tokens, widen
from tokparity.vocabulary import AddedToken, Vocabulary


def longest_first(vocabulary: Vocabulary, behaviour: Behaviour, normalized: bool) -> Matcher:
    """Each token in turn, the longest (in bytes) first, is cut out wherever it stands."""
    spelled = spelled_tokens(vocabulary, behaviour, normalized)
    in_order = sorted(spelled.items(), key=lambda item: -len(item[0].encode("utf-8", "surrogateescape")))

    def match(text: str, parse_special: bool) -> list[Fragment]:
        fragments: list[Fragment] = [text] if text else []
        for content, token in in_order:
            if content in text and (parse_special or not token.special):
                fragments = [part for fragment in fragments for part in _cut(fragment, content, token, behaviour)]
        return fragments

    return match


def _cut(fragment: Fragment, content: str, token: AddedToken, behaviour: Behaviour) -> list[Fragment]:
    if isinstance(fragment, int):
        return [fragment]
    parts: list[Fragment] = []
    done = 0
    at = fragment.find(content)
    while at >= 0:
        end = at + len(content)
        if not is_part_of_word(fragment, at, end, token, behaviour):
            start, end = widen(fragment, at, end, token, behaviour, done)
            parts += [fragment[done:start], token.id] if start > done else [token.id]
            done = end
        at = fragment.find(content, end)
    return [*parts, fragment[done:]] if done < len(fragment) else parts


QUIRK = Quirk(
    name="matches_longest_special_first",
    title="Matches the longest special token anywhere in the text first",
    symptom="Where special tokens overlap (digits as added tokens, <a> inside <<a>), other tokens are found than by "
    "a search from left to right.",
    cause="The engine cuts out all occurrences of each token, longest token first, instead of scanning the text once.",
    fix="Scan from left to right and take the longest token that begins at each place.",
    field="match_added",
    value=longest_first,
    links=github("ggml-org/llama.cpp/pull/29102"),
    witness=lambda: toys.spm(
        "1 2 3 12 234", added=(toys.special("12", 6), toys.special("234", 7)), byte_pieces=True
    ).on("1234", parse_special=True),
)
