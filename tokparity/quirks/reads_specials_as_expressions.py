"""Puts special tokens into a regular expression as they are spelled, with characters that mean something there."""

from __future__ import annotations

import regex

from tokparity.behaviour import Behaviour, Fragment
from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.reference.specials import Matcher, is_part_of_word, leftmost_longest, spelled_tokens, widen
from tokparity.vocabulary import Vocabulary

_MOST = 2_000
"""Tokens that are read as expressions: each place of a text is held against all of them."""
_REPEATS_OR_GROUPS = regex.compile(r"[*+?{}()\\]")
"""What a file could use to make an expression take for ever, or all memory."""


def as_expressions(vocabulary: Vocabulary, behaviour: Behaviour, normalized: bool) -> Matcher:
    """Each place where one of the expressions matches parts the text; what is no token by itself stays text.

    Where the expressions cannot be compiled, no token is found. The spelling comes from a file. So where one repeats or
    groups, or there are too many, nothing is run and all is as without the quirk.
    """
    spelled = spelled_tokens(vocabulary, behaviour, normalized)
    if len(spelled) > _MOST or any(map(_REPEATS_OR_GROUPS.search, spelled)):
        return leftmost_longest(vocabulary, behaviour, normalized)
    patterns = {parse: _pattern([c for c, t in spelled.items() if parse or not t.special]) for parse in (True, False)}

    def match(text: str, parse_special: bool) -> list[Fragment]:
        fragments: list[Fragment] = []
        done = 0
        for found in patterns[parse_special].finditer(text):
            start, end = found.span()
            if start == end:
                continue
            token = spelled.get(found.group())
            if token is not None:
                if is_part_of_word(text, start, end, token, behaviour):
                    continue
                start, end = widen(text, start, end, token, behaviour, done)
            fragments += [text[done:start]] if start > done else []
            fragments.append(found.group() if token is None else token.id)
            done = end
        return [*fragments, text[done:]] if done < len(text) else fragments

    return match


def _pattern(contents: list[str]) -> regex.Pattern[str]:
    try:
        return regex.compile("|".join(contents) or "(?!)")
    except regex.error:
        return regex.compile("(?!)")


QUIRK = Quirk(
    name="reads_specials_as_expressions",
    title="Reads the spelling of special tokens as regular expressions",
    symptom="No <|im_end|> is found, and plain text is cut at each < and >, or at each letter of a token such as "
    "[CLS]. Tokens like <s> are right.",
    cause="The spellings are joined with | to one regular expression, and nothing escapes |, [ and other characters "
    "that mean something in it.",
    fix="Escape each special token before it becomes part of a regular expression (re.escape, RegExp.escape).",
    field="match_added",
    value=as_expressions,
    links=github("ggml-org/ggml/pull/246"),
    witness=lambda: toys.spm("a b ab <|ab|>", added=(toys.special("<|ab|>", 6),)).on("<|ab|>", parse_special=True),
)
