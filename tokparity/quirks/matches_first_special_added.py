"""Matches the special token that was added first, not the longest."""

from __future__ import annotations

import re

from tokparity.behaviour import Behaviour, Fragment
from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.reference.specials import Matcher, is_part_of_word, spelled_tokens, widen
from tokparity.vocabulary import Vocabulary


def first_added(vocabulary: Vocabulary, behaviour: Behaviour, normalized: bool) -> Matcher:
    """From left to right; of the tokens that begin at a place the one that stands first in the vocabulary."""
    spelled = spelled_tokens(vocabulary, behaviour, normalized)
    patterns = {
        parse: re.compile(
            "|".join(re.escape(c) for c, token in spelled.items() if parse or not token.special) or "(?!)"
        )
        for parse in (True, False)
    }

    def match(text: str, parse_special: bool) -> list[Fragment]:
        fragments: list[Fragment] = []
        done = 0
        for found in patterns[parse_special].finditer(text):
            token = spelled[found.group()]
            if is_part_of_word(text, *found.span(), token, behaviour):
                continue
            start, end = widen(text, *found.span(), token, behaviour, done)
            fragments += [text[done:start], token.id] if start > done else [token.id]
            done = end
        return [*fragments, text[done:]] if done < len(text) else fragments

    return match


QUIRK = Quirk(
    name="matches_first_special_added",
    title="Matches the special token added first, not the longest",
    symptom="Where one token begins another (<image> and <image_1>), the short token is found and the rest of the "
    "long one becomes text.",
    cause="At each place the tokens are tried in the order in which they were added (mostly by id), and the first "
    "that fits wins.",
    fix="Take the longest of the tokens that begin at a place.",
    field="match_added",
    value=first_added,
    links=github(
        "huggingface/tokenizers/issues/772", "huggingface/transformers/issues/12894", "invergent-ai/surogate/issues/157"
    ),
    witness=lambda: toys.spm("a b c ab abc", added=(toys.special("ab", 6), toys.special("abc", 7))).on(
        "abc", parse_special=True
    ),
)
