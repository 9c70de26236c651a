"""Models that trim the text between added tokens before they tokenize it, or skip it if it is blank."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product

from tokparity.diagnose.base import Base
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.texts.other_texts import WHOLE
from tokparity.diagnose.hypothesis import Variant, ids_by
from tokparity.diagnose.limits.texts import LONGEST_SHOWING, TOKENS_TRIED
from tokparity.diagnose.probes import mixed
from tokparity.diagnose.tokens import FIRST, FIRST_OTHER, MOST, Tokens
from tokparity.questions import Encode

_SOME = (
    "a",
    "word",
    "one two",
    " ",
    "  ",
    "\n",
    "\t",
    " a",
    "a ",
    "\n\n",
    "A b.",
    "\u3000",
    "é",
    " . ",
    "\u00a0",
    "\r\n",
)

Change = Callable[[str], str]

_BLANK: Mapping[str, Change] = {
    "left out where it is nothing but spaces": lambda text: text if text.strip(" ") else "",
    "left out where it is nothing but white space": lambda text: text if text.strip() else "",
    "left out where it is nothing but ASCII white space": lambda text: text if text.strip(" \t\n\v\f\r") else "",
    "without ASCII white space around it": lambda text: text.strip(" \t\n\v\f\r"),
    "without ASCII white space before it": lambda text: text.lstrip(" \t\n\v\f\r"),
    "without ASCII white space behind it": lambda text: text.rstrip(" \t\n\v\f\r"),
}
_WHERE: Mapping[str, Callable[[bool, bool], bool]] = {
    "each stretch of text between {} tokens": lambda behind, before: True,
    "each stretch of text behind a {} token": lambda behind, before: behind,
    "each stretch of text before a {} token": lambda behind, before: before,
    "each stretch of text between two {} tokens": lambda behind, before: behind and before,
}
"""Which stretches are changed: whether a token stands on either side."""

_KINDS = ("special", "added")
"""What stretches stand between: tokens that are found where special ones are parsed, or all that are found."""

_WHEN: Mapping[str, Callable[[Encode], bool]] = {
    ", where special tokens are parsed": lambda question: question.parse_special,
    ", where special tokens are not parsed": lambda question: not question.parse_special,
    "": lambda question: True,
}
"""What is said of either comes last: it is believed where the others foretell less."""


def stretches(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as the smallest mismatch was answered."""
    smallest = facts.against
    if not facts.is_of_ids or len(smallest.spelled) > LONGEST_SHOWING:
        return
    tokens, texts = smallest.tokens, _made(smallest.tokens)
    changes, kinds = {**_BLANK, **WHOLE}, _KINDS if tokens.others else _KINDS[:1]
    ways = product(_WHEN.items(), kinds, _WHERE.items(), changes.items())
    for (when, is_so), kind, (where, here), (says, change) in ways:
        if is_so(facts.question):
            ids = partial(_ids, facts.base, tokens, is_so, kind == "special", here, change)
            variant = facts.variant(f"that reads {where.format(kind)} {says}{when}", ids, texts)
            if facts.shows(variant):
                yield variant


def _ids(
    base: Base,
    tokens: Tokens,
    is_so: Callable[[Encode], bool],
    only_special: bool,
    here: Callable[[bool, bool], bool],
    change: Change,
    question: Encode,
) -> list[int] | None:
    text = question.text.decode("utf-8", "surrogateescape")
    if is_so(question):
        parts = _split(tokens.folded(text), question.parse_special, only_special)
        last = len(parts) - 1
        # Every other one is a token.
        changed = (part if i % 2 or not here(i > 0, i < last) else change(part) for i, part in enumerate(parts))
        text = tokens.unfolded("".join(changed))
    ids = ids_by(base.tokenizer, replace(question, text=text.encode("utf-8", "surrogateescape")))
    return None if ids is None else list(ids)


def _split(folded: str, parses_special: bool, only_special: bool) -> list[str]:
    """The stretches of a text and the tokens that are found in it, in turn."""
    if only_special:
        return _SPECIAL.split(folded) if parses_special else [folded]
    return (_ANY if parses_special else _OTHERS).split(folded)


_SPECIAL = re.compile(f"([{chr(FIRST)}-{chr(FIRST_OTHER - 1)}])")
_ANY = re.compile(f"([{chr(FIRST)}-{chr(FIRST_OTHER + MOST - 1)}])")
_OTHERS = re.compile(f"([{chr(FIRST_OTHER)}-{chr(FIRST_OTHER + MOST - 1)}])")


def _made(tokens: Tokens) -> list[str]:
    """Texts with tokens, and what may be trimmed."""
    first = [chr(FIRST + i) for i in range(min(TOKENS_TRIED, len(tokens.special)))]
    return mixed([*first, *(chr(FIRST_OTHER + i) for i in range(min(TOKENS_TRIED, len(tokens.others))))], _SOME)
