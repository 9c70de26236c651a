"""Texts that were changed before the engine got them: escaped or unescaped (HTML, JSON, URLs), or otherwise."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import quote, quote_plus, unquote_plus

from tokparity.diagnose.base import Base
from tokparity.diagnose.facts import Facts, ids_of_parts
from tokparity.diagnose.families.texts.other_texts import WHOLE
from tokparity.diagnose.hypothesis import Variant, ids_by
from tokparity.diagnose.probes import mixed
from tokparity.questions import Encode

Change = Callable[[str], str]

_AMONG = ("a", " ", "1", ".", "one two")
_SHOWING = (
    "\n",
    "\t",
    '"',
    "'",
    "\\",
    "<",
    ">",
    "&",
    "é",
    "中",
    "\\n",
    "\\t",
    "&lt;",
    "&amp;",
    "&#39;",
    "%20",
    "+",
    "/",
)
_LINE_ENDS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _in_json(text: str, ascii_only: bool = False) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def _twice(text: str) -> str:
    return _in_json(_in_json(text))


def _without_escapes(text: str) -> str:
    """The text with backslash-n and the like as the characters that they spell, as in a string of C."""
    spelled = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "'": "'"}
    return re.sub(r"\\([nrt\\\"'])", lambda found: spelled[found[1]], text)


def _line_ends(text: str) -> str:
    return "".join(_LINE_ENDS.get(c, c) for c in text)


CHANGES: Mapping[str, Change] = {
    r"with \n, \r and \t spelled by a backslash and a letter": _line_ends,
    "escaped as in JSON": _in_json,
    "escaped as in JSON, all but ASCII as well": partial(_in_json, ascii_only=True),
    "escaped twice as in JSON": _twice,
    r"with escapes such as \n resolved": _without_escapes,
    "with <, > and & as entities of HTML": partial(html.escape, quote=False),
    "with <, >, & and quotes as entities of HTML": html.escape,
    "with entities of HTML resolved": html.unescape,
    "encoded as in a URL": partial(quote, safe=""),
    "encoded as in a form, with + for a space": quote_plus,
    "decoded as in a form": unquote_plus,
}
"""In words that follow "the text"; what changes less comes first."""


def escaped_texts(facts: Facts) -> Iterator[Variant]:
    """Whether texts were escaped or unescaped."""
    return changed_texts(facts, CHANGES)


CUTS: Mapping[str, str] = {
    "cut after each line end": r"(?<=\n)",
    "cut before each line end": r"(?=\n)",
    "cut before and after each line end": r"(\n)",
    "cut at its line ends, which are left out": r"\n",
    "cut before each space": r"(?= )",
    "cut after each space": r"(?<= )",
    "cut at its spaces, which are left out": r" ",
    "cut before and after each run of white space": r"(\s+)",
    "cut at its white space, which is left out": r"\s+",
    "cut after each sentence": r"(?<=[.!?])(?= )",
}
"""Where texts may be cut before they are encoded part by part, in words that follow "the text"."""


def whole_texts(facts: Facts) -> Iterator[Variant]:
    """What else may be done with a text as a whole."""
    yield from changed_texts(facts, WHOLE)
    yield from _shown(facts, {says: partial(_cut, re.compile(pattern)) for says, pattern in CUTS.items()})
    yield from _lines_alone(facts)


def changed_texts(facts: Facts, changes: Mapping[str, Change]) -> Iterator[Variant]:
    """The changes of the text that give the ids of the smallest mismatch."""
    return _shown(facts, {says: partial(_changed, change) for says, change in changes.items()})


def _shown(facts: Facts, ways: Mapping[str, Callable[[str], Sequence[str]]]) -> Iterator[Variant]:
    if not facts.is_of_ids:
        return
    text = facts.question.text.decode("utf-8", "surrogateescape")
    for says, parts in ways.items():
        if tuple(parts(text)) != (text,):
            variant = facts.text_variant(says, parts, mixed(_SHOWING, _AMONG, [text]))
            if facts.shows(variant):
                yield replace(variant, is_learned=False)


def _lines_alone(facts: Facts) -> Iterator[Variant]:
    """Whether each line is encoded as a text of its own, and what a line end is within a text stands between them."""
    if not facts.is_of_ids or b"\n" not in facts.question.text:
        return
    plain = replace(facts.question, add_special=False)
    before, both = (ids_by(facts.base.tokenizer, replace(plain, text=text)) for text in (b"a", b"a\n"))
    between = both[len(before) :] if before and both and both[: len(before)] == before else ()
    if between:  # else that is the text cut at its line ends, which are left out
        ids = partial(_of_lines, facts.base, between)
        says = "that encodes each line as a text of its own, with the token of the line end between them"
        variant = facts.variant(says, ids, mixed(_SHOWING, _AMONG, [facts.question.text.decode("utf-8", "replace")]))
        if facts.shows(variant):
            yield replace(variant, is_learned=False)


def _of_lines(base: Base, between: Sequence[int], question: Encode) -> Sequence[int] | None:
    return ids_of_parts(base, question.text.split(b"\n"), question, between)


def _cut(pattern: re.Pattern[str], text: str) -> list[str]:
    return [part for part in pattern.split(text) if part] or [text]


def _changed(change: Change, text: str) -> tuple[str]:
    try:
        return (change(text),)
    except UnicodeEncodeError:  # bytes that are no UTF-8, as lone surrogates, have no form in a URL
        return (text,)
