"""Why the ids of a text do not come back through their text, in words; seen from what the engine gave on the way."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal

from tokparity.difference import UNKNOWN, piece_class
from tokparity.questions import Again
from tokparity.rounds import Rounds
from tokparity.vocabulary import pieces_at

_REPLACEMENT = "\ufffd"
_FORMS: tuple[Literal["NFC", "NFKC", "NFD", "NFKD"], ...] = ("NFC", "NFKC", "NFD", "NFKD")


def cause(question: Again, found: Rounds, pieces: Sequence[bytes]) -> str:
    """The plainest cause that fits, and whether each further round changes more."""
    if question.text is None or not found.texts or len(found.rows) < 2:
        return ""
    said = next(_causes(question, found, pieces))
    return said if found.is_stable else f"{said}; a second round gives other ids again"


def _causes(question: Again, found: Rounds, pieces: Sequence[bytes]) -> Iterator[str]:
    text, back = (one.decode("utf-8", "surrogateescape") for one in (question.text or b"", found.texts[0]))
    before, after = (list(pieces_at(pieces, row)) for row in found.rows[:2])
    if not UNKNOWN.isdisjoint(before):
        yield "a piece is unknown, and decoding cannot give back what it was"
    if _REPLACEMENT in back and _REPLACEMENT not in text:
        yield "bytes that are not UTF-8 are decoded to U+FFFD"
    special = [sum(piece_class(piece) == "special" for piece in row) for row in (before, after)]
    if special[0] < special[1]:
        yield "the decoded text spells a special token, which is encoded as one"
    if special[0] > special[1]:
        yield "a special token is left out of the decoded text, or is encoded as plain text"
    if back == text:
        yield "the same text is encoded to other ids the second time"
    yield from _of_texts(text, back, question.parse_special and special[0] > 0)


def _of_texts(text: str, back: str, beside_special: bool) -> Iterator[str]:
    """Causes that show in what became of the text, where it spells a special token or none."""
    for more, less, what in ((back, text, "adds"), (text, back, "leaves out")):
        if more.replace(" ", "") == less.replace(" ", "") and len(more) > len(less):
            if more.strip(" ") == less.strip(" ") and not beside_special:
                yield f"decoding {what} a space at the {'beginning' if more.endswith(less) else 'end'}"
            if beside_special:
                yield f"decoding {what} a space beside a special token"
    if "".join(text.split()) == "".join(back.split()):
        yield "decoding changes white space between words"
    forms = [form for form in _FORMS if back == unicodedata.normalize(form, text)]
    if forms:
        yield f"the text is normalized ({forms[0]}), and is then cut into other pieces"
    if "".join(text.casefold().split()) == "".join(back.casefold().split()):
        yield "decoding gives other letters: upper and lower case differ"
    if not back.strip():
        yield "nothing of the text is decoded"
    yield "its ids are decoded to another text"
