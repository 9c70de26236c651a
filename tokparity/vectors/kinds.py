"""The groups of a vectors file, each of one kind of question: streams, spans, and ids that go through their text.

What is right is the reference's answer, wherever the oracle gives the same ids and texts to the plain questions in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeVar

from tokparity import quirks
from tokparity.case import Origin
from tokparity.generators import Prepared
from tokparity.questions import Again, Decode, Encode, Question, Spans, Stream
from tokparity.quirk import Quirk
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources.again import again_cases
from tokparity.sources.spans import span_cases
from tokparity.sources.streams import stream_cases
from tokparity.vectors import candidates
from tokparity.vectors.comments import Commentator
from tokparity.vectors.cover import cover, groups
from tokparity.vectors.faults import Answers, mutants
from tokparity.vectors.model import Fault, Group, Returned, Untold, Vector
from tokparity.vectors.oracle import Oracle
from tokparity.vectors.rights import returned
from tokparity.vectors.smaller import smaller
from tokparity.vectors.spelling import case_id, does, line, pieces_shown
from tokparity.vectors.spelling import grouped as grouped_answers

COUNT = 400
"""Random questions of each kind that are put to its faults."""
BYTES = 6_000
"""Of one group, about: questions that no fault needs are left out beyond it."""
_WORDS = 12
"""Ids of an ordinary sentence that are streamed, and as many of a prompt before it."""
_EACH = 3
"""Rows of ids of each class that go through their text."""
_LONGEST = 40
"""Ids of such a row."""

Say = Callable[[str], object]
Kind = TypeVar("Kind", bound=Question)


@dataclass(frozen=True)
class _Kind:
    """The faults that only one kind of question shows, its random questions, and ordinary ones."""

    name: str
    faults: Sequence[Quirk]
    drawn: Iterable[tuple[Question, Origin]]
    ordinary: Sequence[Question]


def grouped(prepared: Prepared, oracle: Oracle, say: Say) -> dict[str, Group]:
    """The groups of a model by their names in the file."""
    right = Tokenizer(prepared.subject.vocabulary, prepared.subject.behaviour)
    found = {}
    for kind in _kinds(prepared, right):
        say(f"{kind.name}: {len(kind.faults)} faults")
        found[kind.name] = _group(kind, right, oracle, prepared.subject.tokens)
    found["again"] = _again(prepared, right, oracle)
    return {name: group for name, group in found.items() if group.cases}


def _kinds(prepared: Prepared, right: Tokenizer) -> Iterator[_Kind]:
    sentences = [case.question for case in candidates.sentences()]
    texts = [one.text for one in (*candidates.typical(), *sentences)]
    rows = [tuple(right.encode(text, False, False)) for text in texts]
    behind = [Stream(row[_WORDS : 2 * _WORDS], row[:_WORDS]) for row in rows if len(row) >= 2 * _WORDS]
    streams = stream_cases(prepared.subject, candidates.SEED, COUNT)
    yield _Kind(
        "streams",
        quirks.of_streams(),
        ((case.question, case.origin) for case in islice(streams, COUNT) if isinstance(case.question, Stream)),
        [*(Stream(row[: 2 * _WORDS]) for row in rows if row), *behind],
    )
    spans = span_cases(prepared, candidates.SEED, COUNT)
    tokens = [one.encode("utf-8", "replace") for one in sorted(prepared.subject.tokens, key=len)[-2:]]
    plain = [Spans(b"a %b b c" % token, False, True) for token in tokens]
    plain += [Spans("  e\u0301 \uff21 각 n\u0303".encode(), False)]
    plain += [Spans(text[:_LONGEST].decode("utf-8", "ignore").encode(), True) for text in texts]
    yield _Kind("spans", quirks.of_spans(), ((case.question, case.origin) for case in spans), plain)


def _group(kind: _Kind, right: Tokenizer, oracle: Oracle, specials: Iterable[str]) -> Group:
    """The cases that the faults need, and ordinary ones while there is room."""
    drawn = dict(kind.drawn)
    answers = Answers(right, mutants(right, kind.faults))
    answers.put(chain(drawn, kind.ordinary))
    answers.put([one for mutant in answers.mutants for one in smaller(answers, mutant)])
    answers.drop(_disputed(answers.right, right, oracle))
    tried = len(answers.right)
    shown = {mutant.name: answers.wrong[mutant.name] for mutant in answers.mutants}
    reasons = {name: f"the same answers to {tried} questions" for name, given in shown.items() if not given}
    alike = {first: others for first, *others in groups([name for name in shown if shown[name]], shown)}
    wrong = {name: shown[name] for name in sorted(alike)}
    same = {mutant.name: mutant.same for mutant in answers.mutants}
    faults = {
        name: Fault(does(name), tuple(chain(same[name], *((one, *same[one]) for one in alike[name])))) for name in wrong
    }
    needed = cover(answers.right, wrong)
    commentator = Commentator(specials)
    chosen: dict[Question, Vector] = {}
    room = BYTES
    for question in (*needed, *(one for one in kind.ordinary if one in answers.right)):
        gives = {name: given[question] for name, given in wrong.items() if question in given}
        vector = Vector(
            id=case_id(question),
            question=question,
            answer=answers.right[question],
            pieces=pieces_shown(right.vocabulary.pieces, question, answers.right[question]),
            comment=commentator.comment(question, drawn.get(question)),
            tags=commentator.tags(question, drawn.get(question)),
            wrong=grouped_answers(gives),
        )
        if room > 0 and question not in chosen:
            chosen[question] = vector
            room -= len(line(vector)) if question not in needed else 0
    return Group(faults, by_reason(reasons), _sorted(chosen.values()))


def _disputed(found: Iterable[Kind], right: Tokenizer, oracle: Oracle) -> list[Kind]:
    """The questions in which the oracle gives other ids or another text than the reference."""
    plain = {question: list(_plain(question, right)) for question in found}
    asked = Answers(right, ())
    asked.put(chain.from_iterable(plain.values()))
    oracle.check(asked, list(asked.right))
    return [question for question, parts in plain.items() if any(part not in asked.right for part in parts)]


def _plain(question: Question, right: Tokenizer) -> Iterator[Question]:
    if isinstance(question, Stream):
        yield Decode((*question.prefill, *question.ids), question.skip_special)
    elif isinstance(question, Spans):
        yield Encode(question.text, question.add_special, question.parse_special)
    elif isinstance(question, Again):
        yield question.decode(question.ids)
        yield question.encode(right.decode(question.ids, question.skip_special))


def _again(prepared: Prepared, right: Tokenizer, oracle: Oracle) -> Group:
    """The shortest rows of ids of each class: they come back, become others that do, or go on changing."""
    cases = again_cases((), prepared.subject, candidates.SEED, COUNT)
    sentences = (tuple(right.encode(case.question.text, False, False)) for case in candidates.sentences())
    rows = [case.question for case in cases if isinstance(case.question, Again) and case.question.ids]
    rows += [Again(None, row[:_LONGEST], add_special=False) for row in sentences]
    found = {row: answer for row in rows if len(row.ids) <= _LONGEST and (answer := returned(right, row)) is not None}
    for row in _disputed(found, right, oracle):
        del found[row]
    classes: dict[tuple[str, bool], list[Again]] = {}
    for row in sorted(found, key=lambda one: one.order):
        classes.setdefault((_becomes(right, row, found[row]), row.skip_special), []).append(row)
    ends = {classes[key][-1]: None for key in classes}
    chosen = dict.fromkeys(chain(*(some[:_EACH] for some in classes.values()))) | ends
    told = {row: words for (words, _), some in classes.items() for row in some}
    vectors = (_returning(right, row, found[row], told[row]) for row in chosen)
    return Group({}, (), _sorted(vectors))


def _becomes(right: Tokenizer, row: Again, answer: Returned) -> str:
    """What becomes of ids that go through their text, as the end of a comment."""
    if answer.ids == row.ids:
        return "they come back"
    second = returned(right, Again(None, answer.ids, row.add_special, row.parse_special, row.skip_special))
    is_stable = second is not None and second.ids == answer.ids
    return "they become others, which come back" if is_stable else "they become others, which do not come back"


def _returning(right: Tokenizer, row: Again, answer: Returned, told: str) -> Vector:
    many = f"{len(row.ids)} ids" if len(row.ids) > 1 else "an id"
    return Vector(
        id=case_id(row),
        question=row,
        answer=answer,
        pieces=pieces_shown(right.vocabulary.pieces, row, answer),
        comment=f"{many} decoded and encoded again: {told}",
        tags=("again",),
    )


def by_reason(reasons: Mapping[str, str]) -> tuple[Untold, ...]:
    """The faults that no case shows, together where the reason is the same."""
    found: dict[str, list[str]] = {}
    for name in sorted(reasons):
        found.setdefault(reasons[name], []).append(name)
    return tuple(Untold(why, tuple(names)) for why, names in sorted(found.items()))


def _sorted(vectors: Iterable[Vector]) -> tuple[Vector, ...]:
    return tuple(sorted(vectors, key=lambda one: one.question.order))
