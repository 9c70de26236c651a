"""Whether the engine's ids are those of another text: in lower case, without a character, or cut off."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.rules.rules import Pattern, Rule
from tokparity.diagnose.limits.families import FEWEST
from tokparity.diagnose.limits.texts import GUESSES, LONGEST_GUESS, REFUTING, REWRITTEN_MISMATCHES
from tokparity.diagnose.policies import most_are_so
from tokparity.diagnose.separate.names import named
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.questions.json_text import literal

Change = Callable[[str], str]

_INSTEAD = {
    "without it": "",
    "with a space in its place": " ",
    "with U+FFFD in its place": "\ufffd",
    "with '?' in its place": "?",
}
_OTHER_FORM: dict[str, Change] = {
    "in lower case": str.lower,
    "in upper case": str.upper,
    "in NFC": partial(unicodedata.normalize, "NFC"),
    "in NFD": partial(unicodedata.normalize, "NFD"),
    "in NFKC": partial(unicodedata.normalize, "NFKC"),
}


_BEYOND = re.compile("[\U00010000-\U0010ffff]")


def _without_marks(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not unicodedata.combining(c)))


def _runs(pattern: str, length: Callable[[int], int]) -> Change:
    """Each run of what a pattern matches once, cut to the length that follows from its own."""
    return partial(
        re.compile(f"({pattern})\\1+", re.DOTALL).sub, lambda found: found[1] * max(length(len(found[0])), 1)
    )


WHOLE: dict[str, Change] = {
    "in lower case": str.lower,
    "with its first character in lower case": lambda text: text[:1].lower() + text[1:],
    "with its first character in upper case": lambda text: text[:1].upper() + text[1:],
    "in upper case": str.upper,
    "in title case": str.title,
    "without spaces around it": lambda text: text.strip(" "),
    "without white space around it": str.strip,
    "without spaces before it": lambda text: text.lstrip(" "),
    "without white space before it": str.lstrip,
    "without spaces behind it": lambda text: text.rstrip(" "),
    "without white space behind it": str.rstrip,
    "with a space before it": lambda text: " " + text,
    "with a space behind it": lambda text: text + " ",
    "with a line end behind it": lambda text: text + "\n",
    "without a line end behind it": lambda text: text.removesuffix("\n"),
    "with one space for each run of spaces": partial(re.sub, " +", " "),
    "with one space for each run of spaces, and none around it": lambda text: " ".join(filter(None, text.split(" "))),
    "with one space for each run of white space": partial(re.sub, r"\s+", " "),
    "with one space for each run of white space, and none around it": lambda text: " ".join(text.split()),
    "with each run of spaces at half its length": _runs(" ", lambda length: length // 2),
    "with each run of equal characters at half its length": _runs(".", lambda length: length // 2),
    "with each run of equal characters at half its length, rounded up": _runs(".", lambda length: -(-length // 2)),
    "with one character for each run of equal characters": _runs(".", lambda length: 1),
    "with at most two of equal characters in a row": _runs(".", lambda length: 2),
    "with tabs expanded to every fourth column": lambda text: text.expandtabs(4),
    "with tabs expanded to every eighth column": lambda text: text.expandtabs(8),
    "with CR LF for each line end": partial(re.sub, r"\r?\n", "\r\n"),
    "with 0 in place of each digit": partial(re.sub, r"\d", "0"),
    "up to its first line end": lambda text: text.partition("\n")[0],
    "up to its first NUL": lambda text: text.partition("\0")[0],
    "with '?' in place of each character that is not ASCII": lambda text: text.encode("ascii", "replace").decode(),
    "without the characters that are not ASCII": lambda text: text.encode("ascii", "ignore").decode(),
    "with '?' in place of each character that is not of Latin-1": lambda text: text.encode("latin-1", "replace").decode(
        "latin-1"
    ),
    "without the characters above U+FFFF": partial(_BEYOND.sub, ""),
    "with U+FFFD in place of each character above U+FFFF": partial(_BEYOND.sub, "\ufffd"),
    "with two U+FFFD in place of each character above U+FFFF": partial(_BEYOND.sub, "\ufffd" * 2),
    "in reverse": lambda text: text[::-1],
    "without its last character": lambda text: text[:-1],
    "without its first character": lambda text: text[1:],
    "without accents": _without_marks,
    "in NFC": partial(unicodedata.normalize, "NFC"),
    "in NFD": partial(unicodedata.normalize, "NFD"),
    "in NFKC": partial(unicodedata.normalize, "NFKC"),
    "in NFKD": partial(unicodedata.normalize, "NFKD"),
}
"""What may be done with a text as a whole."""


def other_text(
    failing: Sequence[Observation],
    rule: Rule | None,
    asking: Asking,
    decoded: bool = False,
    right: Sequence[Observation] = (),
) -> tuple[str, int, int] | None:
    """(a clause, for how many it holds, of how many), where most answers are the ids of the text after one change.

    Where the change is none of a rule's, the clause shows a text that is `right` without it.
    Where `decoded`, the text that right ids are decoded to is looked at: that another text has the same ids says
    nothing.
    """
    texts = [seen.text for seen in failing if isinstance(seen.question, Encode)]
    texts = texts[:: max(len(texts) // REWRITTEN_MISMATCHES, 1)][:REWRITTEN_MISMATCHES]  # short ones and long ones
    # Their changes are asked with one pair of flags, so what is held against these must be asked with it as well.
    asking.wrong(texts)
    again = [asking.seen[text] for text in dict.fromkeys(texts) if text in asking.seen]
    wrong = [seen for seen in again if seen.wrong and isinstance(seen.actual, Encoding)]
    looked_at = [seen for seen in wrong if decoded == (getattr(seen.actual, "ids", ()) == seen.ids)]
    if len(looked_at) < FEWEST or not asking.can:
        return None
    for says, change in _changes(rule, looked_at):
        asking.wrong([change(seen.text) for seen in looked_at])
        holds = sum(_is_answer_of(asking, change(seen.text), seen) for seen in looked_at)
        if most_are_so(holds, len(looked_at)):
            what = "the decoded text is that" if decoded else "the ids are those"
            return f"{what} of the text {says}{_but(change, asking, right)}", holds, len(looked_at)
    return None


def _but(change: Change, asking: Asking, right: Sequence[Observation]) -> str:
    """A text that the engine does not change so: the shortest of a few."""
    texts = dict.fromkeys(seen.text for seen in right if isinstance(seen.question, Encode))
    tried = sorted((text for text in texts if change(text) != text), key=len)[:REFUTING]
    asking.wrong([one for text in tried for one in (text, change(text))])
    for text in tried:
        as_it_is, changed = asking.seen.get(text), asking.seen.get(change(text))
        if as_it_is and changed and not as_it_is.wrong and as_it_is.ids != changed.ids:
            return f", but {literal(text)} is read as it is"
    return ""


def _is_answer_of(asking: Asking, text: str, seen: Observation) -> bool:
    """Whether the wrong answer is the right one of another text: its ids, or where these are right, their text."""
    found, actual = asking.seen.get(text), seen.actual
    if found is None or text == seen.text:
        return False
    right = found.expected
    if not isinstance(right, Encoding) or not isinstance(actual, Encoding):
        return False
    return right.decoded == actual.decoded if actual.ids == seen.ids else right.ids == actual.ids


def _changes(rule: Rule | None, failing: Sequence[Observation]) -> Iterator[tuple[str, Change]]:
    if isinstance(rule, Pattern) and rule.classes:
        for says, new in {**_INSTEAD, **_decoded_instead(rule, failing)}.items():
            yield says, partial(_with_instead, rule, new)
        for says, change in _OTHER_FORM.items():
            yield f"with that {says} in its place", partial(_replaced, rule, new=change)
        yield "without the first character of that", lambda text: _without_one(rule, text, 0)
        yield "without the last character of that", lambda text: _without_one(rule, text, len(rule.classes) - 1)
    yield from WHOLE.items()


def _decoded_instead(rule: Pattern, failing: Sequence[Observation]) -> dict[str, str]:
    """What most wrong ids decode to where a pattern was, in words, as far as they decode to the text around it."""
    found = Counter(new for seen in failing if (new := _decoded_at(rule, seen)))
    return {
        f"with {' and '.join(map(named, new))} in its place": new
        for new, _ in found.most_common(GUESSES)
        if len(new) <= LONGEST_GUESS
    }


def _decoded_at(rule: Pattern, seen: Observation) -> str:
    at = rule.place(seen.text)
    _, decoded = seen.texts
    if at is None:
        return ""
    before, after = seen.text[:at], seen.text[at + len(rule.classes) :]
    fits = decoded.startswith(before) and decoded.endswith(after) and len(decoded) > len(before) + len(after)
    return decoded[len(before) : len(decoded) - len(after)] if fits else ""


def _with_instead(rule: Pattern, new: str, text: str) -> str:
    return _replaced(rule, text, lambda old: new)


def _replaced(rule: Pattern, text: str, new: Change) -> str:
    kept: list[str] = []
    # What was put in its place may have it again, so each place is looked for in what follows.
    while (at := rule.place(text)) is not None:
        end = at + len(rule.classes)
        kept += [text[:at], new(text[at:end])]
        text = text[end:]
    return "".join([*kept, text])


def _without_one(rule: Pattern, text: str, place: int) -> str:
    """The text without one character of each place where the pattern is."""
    kept: list[str] = []
    while (at := rule.place(text)) is not None:
        kept += [text[: at + place], text[at + place + 1 : at + len(rule.classes)]]
        text = text[at + len(rule.classes) :]
    return "".join([*kept, text])
