"""For each difference the shortest text found on which it shows, tried on the reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from tokparity.case import Origin, TextCase, text_case
from tokparity.formats import Source
from tokparity.lint.difference import Difference
from tokparity.lint.rivals import rivals
from tokparity.questions.json_text import is_utf8
from tokparity.reference.spm import spm
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.ugm import ugm
from tokparity.sources import corpus
from tokparity.vocabulary import Vocabulary

_CORPORA = (
    *("prompts", "whitespace", "punctuation", "normalisation", "numbers_dates", "letter_case", "code"),
    *("special_tokens", "combining_marks", "unusual_code_points", "invalid_utf8"),
)
TEXT_ALONE = ("tokenizer.json", "tiktoken", "tekken")
"""Formats whose libraries take text, and no other bytes."""
_EACH = 150
_LONGEST = 300  # bytes
_LAST_PIECES = 20_000
"""Pieces, the last first, that are tried where no other text shows a difference. To late ones no merges may lead."""
_ENOUGH = 8
"""Such texts on which two sources differ."""

_LOOKED_ON = 30
"""Cases, behind the first on which more differs, that are looked at for one on which nothing else does."""

_Both = tuple[tuple[int, ...], bytes]
"""What a tokenizer gives for a text: the ids, and what they decode to."""

_Unlike = tuple[TextCase, _Both, _Both]
"""A case on which two tokenizers differ, with both answers."""

Answer = tuple[int, ...] | bytes
Proof = tuple[TextCase, Answer, Answer]
"""A case on which two tokenizers differ, and what each of them gives: ids, or where these are equal decoded bytes."""


@dataclass(frozen=True)
class Shown:
    """A difference and a case on which it shows: ids (or decoded bytes) with the left value and with the right one.

    `case` is None where none of the texts tried shows it. `is_whole` is false where more differs on it. Then
    `right` is what the left source gives with this alone changed, and the right source gives something else.
    """

    difference: Difference
    case: TextCase | None
    left: tuple[int, ...] | bytes = ()
    right: tuple[int, ...] | bytes = ()
    is_whole: bool = True


def shown(left: Source, right: Source, found: Sequence[Difference]) -> list[Shown]:
    """Each difference with a text on which it shows when nothing else differs; the left source is the one changed.

    A text on which both sources give the same answer shows nothing: what differs there is another spelling of one rule.
    """
    ours, whole = (Tokenizer(side.vocabulary, side.behaviour) for side in (left, right))
    # The libraries of these formats take text alone: nobody can say what bytes that are none should become.
    takes_bytes = {left.format, right.format}.isdisjoint(TEXT_ALONE)
    usual = _unlike(ours, whole, (case for case in _cases() if takes_bytes or is_utf8(case.question.text)))
    changed = _Changed(ours)
    late: list[_Unlike] | None = None
    result = []
    for difference in found:
        if difference.unsaid:
            result.append(Shown(difference, None))
            continue
        theirs = changed.by([difference])
        own = _unlike(ours, whole, (case for text in difference.texts for case in _with_flags(text)))
        tried = sorted([*own, *usual], key=lambda pair: len(pair[0].question.text))
        one = _first(difference, theirs, tried)
        if one.case is None:
            late = [*_late(ours, whole)] if late is None else late
            one = _first(difference, theirs, late)
        unlike = [*tried, *(late or ())]
        if one.case is None and unlike:
            said = [other for other in found if not other.unsaid]
            without = changed.by([other for other in said if other is not difference])
            one = _needed(difference, without, changed.by(said), unlike)
        result.append(one)
    return result


class _Changed:
    """The left source with some differences made as in the right one; a vocabulary is made ready once."""

    def __init__(self, ours: Tokenizer) -> None:
        self._ours, self._known = ours, {_key(ours.vocabulary): ours}

    def by(self, some: Sequence[Difference]) -> Tokenizer | None:
        """Its tokenizer with these differences; None where its algorithm would lack the scores that it reads."""
        vocabulary, behaviour = self._ours.vocabulary, self._ours.behaviour
        for difference in some:
            vocabulary, behaviour = difference.apply(vocabulary, behaviour)
        if behaviour.segment in (spm, ugm) and not vocabulary.scores:
            return None
        key = _key(vocabulary)
        if key not in self._known:
            self._known[key] = Tokenizer(vocabulary, behaviour)
        return self._known[key].with_behaviour(behaviour)


def _key(vocabulary: Vocabulary) -> int:
    return hash((vocabulary.pieces, vocabulary.kinds, vocabulary.scores, vocabulary.merges, vocabulary.added))


def _late(one: Tokenizer, other: Tokenizer) -> Iterator[_Unlike]:
    """Texts of late pieces, then of rivals, on which two tokenizers differ; none is decoded before it is asked for."""
    ids = range(len(one.vocabulary) - 1, max(len(one.vocabulary) - 1 - _LAST_PIECES, -1), -1)
    texts = dict.fromkeys(one.decode([i]) for i in ids)
    cases = (text_case(text, False, False, Origin("given", "piece")) for text in texts if is_utf8(text))
    for some in (cases, rivals(one, other)):
        yield from islice(_differing(one, other, some), _ENOUGH)


def _needed(
    difference: Difference, without: Tokenizer | None, every: Tokenizer | None, tried: Sequence[_Unlike]
) -> Shown:
    """The first case on which all differences together give the right answer, and all but this one do not."""
    if without is None or every is None:
        return Shown(difference, None)
    for case, (ids, _), (whole, _) in tried:
        if ids != whole != _answer(without, case)[0] and _answer(every, case)[0] == whole:
            return Shown(difference, case, ids, whole)
    return Shown(difference, None)


def _unlike(one: Tokenizer, other: Tokenizer, cases: Iterable[TextCase]) -> list[_Unlike]:
    return list(_differing(one, other, cases))


def _differing(one: Tokenizer, other: Tokenizer, cases: Iterable[TextCase]) -> Iterator[_Unlike]:
    """The cases on which two tokenizers give different answers, each with both."""
    answered = ((case, _answer(one, case), _answer(other, case)) for case in cases)
    return ((case, ours, its) for case, ours, its in answered if ours != its)


def _first(difference: Difference, theirs: Tokenizer | None, tried: Sequence[_Unlike]) -> Shown:
    """The first case that shows the difference, if need be one on which more differs: equal ids show nothing."""
    if theirs is None:
        return Shown(difference, None)
    partly = Shown(difference, None)
    looked = 0
    for case, (ids, decoded), (whole, text_of_whole) in tried:
        other, text = _answer(theirs, case)
        found = partly
        if ids not in (other, whole):
            found = Shown(difference, case, ids, other, other == whole)
        elif ids == other and decoded not in (text, text_of_whole):
            found = Shown(difference, case, decoded, text, text == text_of_whole)
        if found.case is not None and found.is_whole:
            return found
        partly = found if partly.case is None else partly
        looked += partly.case is not None
        if looked > _LOOKED_ON:
            break
    return partly


def shortest(one: Tokenizer, other: Tokenizer, texts: Iterable[bytes], own: Tokenizer) -> tuple[Proof | None, int]:
    """The shortest of these texts (and of some fixed ones) on which the two differ; how many there are.

    `other` represents `own` in the words of one's format: a text shows nothing where `own` answers as `one` does.
    """
    cases = [*(case for text in dict.fromkeys(texts) for case in _with_flags(text)), *_cases()]
    cases.sort(key=lambda case: len(case.question.text))
    for case, (ids, decoded), _ in chain(_differing(one, other, cases), _late(one, other)):
        its = others, text = _answer(own, case)
        if (ids, decoded) != its:
            return ((case, ids, others) if ids != others else (case, decoded, text)), len(cases)
    return None, len(cases)


def other_ids(one: Tokenizer, other: Tokenizer) -> Proof | None:
    """The shortest of some fixed texts on which two tokenizers give different ids; where none does, a late piece's.

    Invalid UTF-8 is left out: some libraries do not take it.
    """
    texts = (case for case in _cases() if is_utf8(case.question.text))
    cases = sorted(texts, key=lambda case: len(case.question.text))
    unlike = chain(_differing(one, other, cases), _late(one, other))
    return next(((case, ours, its) for case, (ours, _), (its, _) in unlike if ours != its), None)


def _answer(tokenizer: Tokenizer, case: TextCase) -> _Both:
    question = case.question
    ids = tokenizer.encode(question.text, question.add_special, question.parse_special)
    return tuple(ids), tokenizer.decode(ids, skip_special=True)


def _cases() -> Iterator[TextCase]:
    for name in _CORPORA:
        short = (case for case in corpus.load(name) if len(case.question.text) <= _LONGEST)
        yield from islice(short, _EACH)


def _with_flags(text: bytes) -> Iterator[TextCase]:
    for spelled in (text, b"a" + text, text + b" a"):
        yield text_case(spelled, True, False, Origin("given", "piece"))
        yield text_case(spelled, True, True, Origin("given", "piece"))
