"""All stored mismatches as one compact JSON value, which the page's own script shows, searches and sorts.

A row is `[model, engine, cause, script, corpus, flags, text, difference, key, expected ids, actual ids, expected
pieces, actual pieces]`. The first five are places in the lists beside the rows, and the flags a sum of powers of two.
The numbers of ids are -1 if there are none. The pieces are those at the first difference. Where only decoded text
differs, both texts stand in the place of the pieces, and the numbers of ids are -1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Failure, Outcome, Spanning, Streaming
from tokparity.questions import Decode, Encode, Spans, Stream
from tokparity.questions.json_text import literal
from tokparity.questions.shell import command_line
from tokparity.report.keys import mismatch_key
from tokparity.report.model import Report
from tokparity.report.render.causes import Cause
from tokparity.report.render.symptoms import origin_name, script, text_of
from tokparity.report.render.visible import clip, plain
from tokparity.report.render.window import apart, bytes_around

FLAGS = ("no special tokens added", "special tokens parsed", "ids to be decoded", "special tokens shown",
         "engine failed", "decodes differently", "text cut", "text exact", "ids one after another",
         "characters of each id")  # fmt: skip
"""What each bit means. "text exact" says that nothing in it had to be escaped, so that a command can be made of it."""

_ROOM = 15_000_000  # bytes of rows; the whole page is to stay under 20 MB
_TEXT_BYTES = 48
_PIECES = 2
_PIECE_BYTES = 14
_INERT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


@dataclass
class _Names:
    """Names in the order in which they were met."""

    places: dict[str, int] = field(default_factory=dict)

    def __call__(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))


@dataclass(frozen=True)
class Rows:
    """The JSON text, safe inside a script element, and how many mismatches are in it."""

    json: str
    shown: int


def rows(report: Report, causes: Sequence[Cause]) -> Rows:
    """As many mismatches as there is room for: of every cause in turn, so that none has to do without."""
    names = {name: _Names() for name in ("models", "engines", "scripts", "corpora")}
    place = {(o.finding.model, o.finding.name): n for n, cause in enumerate(causes) for o in cause.found}
    owners = [place.get((m.model, name), -1) for m, name in zip(report.mismatches, report.finding_names(), strict=True)]
    spelled: list[str] = []
    room = _ROOM
    for index in _in_turn(owners):
        row = inert_json(_row(report.mismatches[index], owners[index], names))
        room -= len(row.encode()) + 1
        if room < 0:
            break
        spelled.append(row)
    head = {
        **{name: [*map(plain_name, found.places)] for name, found in names.items()},
        "causes": [[cause.key, plain_name(cause.title), cause.standing] for cause in causes],
        "flags": FLAGS,
        "words": {plain_name(name): command_line(words) for name, words in _words(report).items()},
    }
    return Rows(f'{inert_json(head)[:-1]}, "rows": [{",".join(spelled)}]}}', len(spelled))


def _in_turn(owners: Sequence[int]) -> list[int]:
    """Places of all mismatches: the first of each cause, then the second of each, ..."""
    seen: dict[int, int] = {}
    turns = []
    for owner in owners:
        seen[owner] = seen.get(owner, -1) + 1
        turns.append(seen[owner])
    return sorted(range(len(owners)), key=turns.__getitem__)


def _words(report: Report) -> Mapping[str, tuple[str, ...]]:
    return {model: report.header.arguments.get(model, (model,)) for model in report.models()}


def inert_json(value: Any) -> str:
    """JSON that no HTML parser takes for anything else, and that holds nothing which does not print."""
    spelled = literal(value)
    for character, escaped in _INERT.items():
        spelled = spelled.replace(character, escaped)
    return spelled


def plain_name(name: str) -> str:
    """A name on one line."""
    return plain(name.encode("utf-8", "replace"))


def _row(mismatch: Mismatch, cause: int, names: Mapping[str, Callable[[str], int]]) -> list[Any]:
    shown, hidden = clip(mismatch.case.question.shown, _TEXT_BYTES)
    spelled = plain(shown)
    exact = not hidden and spelled.encode() == shown
    kinds = (isinstance(mismatch.case.question, kind) for kind in (Stream, Spans))
    return [
        names["models"](mismatch.model),
        names["engines"](mismatch.engine),
        cause,
        names["scripts"](script(text_of(mismatch))),
        names["corpora"](origin_name(mismatch)),
        sum(1 << bit for bit, is_set in enumerate((*_flags(mismatch), bool(hidden), exact, *kinds)) if is_set),
        spelled,
        str(mismatch.difference),
        mismatch_key(mismatch),
        _ids(mismatch, mismatch.expected),
        _ids(mismatch, mismatch.actual),
        _side(mismatch, mismatch.expected, mismatch.expected_pieces),
        _side(mismatch, mismatch.actual, mismatch.actual_pieces),
    ]


def _flags(mismatch: Mismatch) -> Sequence[bool]:
    question = mismatch.case.question
    return (
        isinstance(question, Encode) and not question.add_special,
        isinstance(question, Encode) and question.parse_special,
        isinstance(question, Decode | Stream),
        isinstance(question, Decode | Stream) and not question.skip_special,
        isinstance(mismatch.actual, Failure),
        mismatch.difference.is_of_decoding,
    )


def _ids(mismatch: Mismatch, outcome: Outcome) -> int:
    return outcome.length if isinstance(outcome, Encoding) and not mismatch.difference.is_of_decoding else -1


def _side(mismatch: Mismatch, outcome: Outcome, pieces: Sequence[bytes]) -> str:
    """The pieces at the first difference of ids, or the text where what the ids decode to differs."""
    at = mismatch.difference.place
    if isinstance(outcome, Streaming | Spanning):
        return apart(outcome, at, _TEXT_BYTES)
    if mismatch.difference.is_of_decoding and not isinstance(outcome, Failure):
        return bytes_around(outcome.decoded or b"", at, _TEXT_BYTES)
    if mismatch.difference.aspect != "ids":
        return ""
    return " ".join(plain(clip(piece, _PIECE_BYTES)[0]) for piece in pieces[at : at + _PIECES])
