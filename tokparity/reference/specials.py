"""Added tokens: cut out of the text before the model sees it."""

from __future__ import annotations

from collections.abc import Callable

import regex

from tokparity.behaviour import Behaviour, Fragment
from tokparity.reference.literals import compile_literals
from tokparity.reference.unicode_versions import as_of_16
from tokparity.vocabulary import AddedToken, Vocabulary

_SPACES = {"white_space": regex.compile(r"\s*"), "ascii": regex.compile(r"[ \t\n\v\f\r]*")}
_WORD = regex.compile(r"\w")

Matcher = Callable[[str, bool], list[Fragment]]


def leftmost_longest(vocabulary: Vocabulary, behaviour: Behaviour, normalized: bool) -> Matcher:
    """Added tokens are found from left to right, the longest first where several begin, as in Hugging Face tokenizers.

    A special token that is not to be parsed is skipped as a whole, and so is a `single_word` token inside a word. A
    shorter token inside it is not matched. Source: tokenizers 0.23, `added_vocabulary.rs`, `find_matches`.
    """
    spelled = spelled_tokens(vocabulary, behaviour, normalized)
    pattern = compile_literals(spelled)

    def match(text: str, parse_special: bool) -> list[Fragment]:
        if pattern is None:
            return [text] if text else []
        fragments: list[Fragment] = []
        done = 0
        for found in pattern.finditer(text):
            token = spelled[found.group()]
            if token.special and not parse_special:
                continue
            start, end = found.span()
            if is_part_of_word(text, start, end, token, behaviour):
                continue
            start, end = widen(text, start, end, token, behaviour, done)
            if done < start:
                fragments.append(text[done:start])
            if start < end:  # else the token before has taken it as white space
                fragments.append(token.id)
            done = end
        if done < len(text):
            fragments.append(text[done:])
        return fragments

    return match


def spelled_tokens(vocabulary: Vocabulary, behaviour: Behaviour, normalized: bool) -> dict[str, AddedToken]:
    """The tokens of one pass by how they are spelled in the text of that pass: raw, or normalized.

    Of two tokens with one spelling the first counts.
    """
    spelled: dict[str, AddedToken] = {}
    for token in vocabulary.added:
        in_normalized_pass = token.normalized and behaviour.obeys_normalized
        if in_normalized_pass != normalized:
            continue
        content = token.content
        if normalized and behaviour.normalise is not None:
            content = behaviour.normalise(content)
        if content:
            spelled.setdefault(content, token)
    return spelled


def widen(text: str, start: int, end: int, token: AddedToken, behaviour: Behaviour, done: int) -> tuple[int, int]:
    """The match together with the white space that lstrip and rstrip take, not reaching back before `done`."""
    spaces = _SPACES[behaviour.strips_what]
    if token.lstrip and behaviour.obeys_lstrip:
        start = max(start, done)
        while start > done and spaces.fullmatch(text, start - 1, start):
            start -= 1
    if token.rstrip and behaviour.obeys_rstrip:
        found = spaces.match(text, end)
        end = found.end() if found else end
    return start, end


def is_part_of_word(text: str, start: int, end: int, token: AddedToken, behaviour: Behaviour) -> bool:
    """Whether it is a `single_word` token that stands inside a word, where it is not matched."""
    if not (token.single_word and behaviour.obeys_single_word):
        return False
    # The library's regular expressions know the characters of Unicode 16.
    around = (text[start - 1] if start else "", text[end : end + 1])
    return any(_WORD.match(as_of_16(character)) for character in around)
