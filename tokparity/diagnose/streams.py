"""Causes of wrong streams: the reference stream with faults, run over the engine's own decoding.

So a cause predicts the exact deltas, however the engine decodes. Without an engine to run, the reference decodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations, islice

from tokparity.behaviour import Stream as Run
from tokparity.case import AnyCase, Case, Origin
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Ask
from tokparity.diagnose.explanation import Explanation
from tokparity.diagnose.limits.streams import ATTACKS, FEW, LONGEST, MOST_FLIPS, SEARCHED
from tokparity.finding import Attacked, Control, Mismatch, Status
from tokparity.laws import LAWS, judged
from tokparity.outcome import NOT_ASKED, Failure, Outcome, Streaming
from tokparity.questions import Decode, Stream
from tokparity.quirks import flip_all, of_streams
from tokparity.reference.stream import InvalidPrefixError, right

Names = tuple[str, ...]
Row = tuple[int, ...]
Answers = Sequence[tuple[object, Outcome]]
Deltas = tuple[bytes, ...] | None
"""What a stream gives; None where it raises."""


class _UnknownError(Exception):
    """What a row decodes to must be asked first."""


@dataclass
class _Decoded:
    """What the engine decodes rows to, asked many at a time and each once."""

    base: Base
    ask: Ask | None
    _known: dict[tuple[Row, bool], bytes] = field(default_factory=dict)
    _wanted: dict[tuple[Row, bool], None] = field(default_factory=dict)

    def of(self, row: Sequence[int], skip_special: bool) -> bytes:
        """The text of a row; _UnknownError where it must be asked first."""
        key = tuple(row), skip_special
        if key[0] and key not in self._known:
            self._wanted[key] = None
            raise _UnknownError
        return self._known.get(key, b"")

    def want(self, question: Stream) -> None:
        """Ask for the rows that most predictions need, with the next ones."""
        every, start = (*question.prefill, *question.ids), len(question.prefill)
        for end in range(start, len(every) + 1):
            for row in (every[:end], every[end - 1 : end] if end > start else ()):
                if row and (row, question.skip_special) not in self._known:
                    self._wanted[row, question.skip_special] = None

    def fetch(self) -> bool:
        """Ask for all that was wanted; whether that was anything."""
        wanted, self._wanted = list(self._wanted), {}
        if self.ask is None:
            self._known |= {(row, hides): self.base.tokenizer.decode(row, hides) for row, hides in wanted}
        elif wanted:
            answers = self.ask([Case(Decode(row, hides), _ORIGIN) for row, hides in wanted])
            texts = (getattr(answer, "decoded", None) or b"" for answer in answers)
            self._known |= dict(zip(wanted, texts, strict=True))
        return bool(wanted)


_ORIGIN = Origin("diagnosis", "diagnosis")


def explained(
    base: Base,
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    ask: Ask | None,
    fresh: Ask | None,
    interrupted: Callable[[], bool] = lambda: False,
) -> list[Explanation]:
    """The causes of one engine's wrong streams: each mismatch is given to the fewest faults that reproduce it.

    No cause may change a stream of the `controls`, on which the engine is right. A `fresh` process is asked for new
    streams, to refute it.
    """
    predicted = _Predictions(_Decoded(base, ask))
    wrong = {i: m for i, m in enumerate(mismatches) if _is_short(m.case)}
    spared = [(control.case.question, control.outcome) for control in controls if _is_short(control.case)]
    # There are several ways to be right behind a prompt that ends inside a character; faults are put on only one.
    spared = [one for one, is_ours in zip(spared, predicted.gives((), spared), strict=True) if is_ours]
    search = _Search(predicted, wrong, spared)
    found = [] if interrupted() else list(search.causes())
    left = search.left
    if fresh is not None:
        found = [_attacked(one, found, predicted, mismatches, fresh) for one in found]
    return [*found, *_unexplained([i for i in range(len(mismatches)) if i not in wrong or i in left], mismatches)]


def _is_short(case: AnyCase) -> bool:
    return isinstance(case.question, Stream) and len(case.question.row) <= LONGEST


def _sets() -> Iterator[Names]:
    """The fewest faults first."""
    names = [quirk.name for quirk in of_streams()]
    for count in range(1, MOST_FLIPS + 1):
        yield from combinations(names, count)


class _Search:
    """The sets of faults that reproduce mismatches and leave all that is right alone; `left` are those without one."""

    def __init__(self, predicted: _Predictions, wrong: Mapping[int, Mismatch], spared: Answers) -> None:
        self.left = dict(sorted(wrong.items(), key=lambda entry: entry[1].case.question.order))
        self._predicted, self._spared = predicted, spared

    def causes(self) -> Iterator[Explanation]:
        """Subsets of one set that reproduces everything, else whatever sets reproduce the most; the fewest first."""
        every = [(m.case.question, m.actual) for m in self.left.values()]
        whole = next((names for names in _sets() if every and self._gives_all(names, every)), None)
        for count in range(1, MOST_FLIPS + 1):
            yield from self._of_size([one for one in _sets() if len(one) == count and {*one} <= {*(whole or one)}])

    def _gives_all(self, names: Names, answers: Answers) -> bool:
        """Whether it reproduces all of these, and spares the others; a few are tried first."""
        parts = (answers[:FEW], answers[FEW:SEARCHED], self._spared, answers[SEARCHED:])
        return all(all(self._predicted.gives(names, part)) for part in parts)

    def _of_size(self, sets: Sequence[Names]) -> Iterator[Explanation]:
        some = list(self.left.items())[:SEARCHED]
        answers = [(m.case.question, m.actual) for _, m in some]
        counts = {names: sum(self._predicted.gives(names, answers)) for names in sets} if some else {}
        for names in sorted((names for names in sets if counts.get(names)), key=lambda one: -counts[one]):
            if not all(self._predicted.gives(names, self._spared)):
                continue
            given = self._predicted.gives(names, [(m.case.question, m.actual) for m in self.left.values()])
            members = tuple(sorted(i for i, gives in zip(self.left, given, strict=True) if gives))
            if members:
                self.left = {i: m for i, m in self.left.items() if i not in members}
                size = len(self._spared), len(members)
                yield Explanation("decode", "reproduced", members, names, controls=size[0], verified=size[1])


def _unexplained(left: Sequence[int], mismatches: Sequence[Mismatch]) -> Iterator[Explanation]:
    """One for each law; where decoding itself takes text back, that is why no fault of a stream explains it."""
    laws: dict[str, list[int]] = {}
    for i in left:
        laws.setdefault(mismatches[i].difference.law, []).append(i)
    for law, members in laws.items():
        yield Explanation("decode", "unexplained", tuple(members), why_unexplained=LAWS[law] if law == "decode" else "")


@dataclass
class _Predictions:
    """What streams with faults give, each found once."""

    decoded: _Decoded
    _known: dict[tuple[Names, Stream], Deltas] = field(default_factory=dict)

    def gives(self, names: Names, answers: Answers) -> list[bool]:
        """For each question whether a stream with these faults gives this very answer."""
        questions = [question for question, _ in answers if isinstance(question, Stream)]
        predicted = self.of(names, questions)
        return [_is(predicted[q], outcome) for q, (_, outcome) in zip(questions, answers, strict=True)]

    def of(self, names: Names, questions: Iterable[Stream]) -> Mapping[Stream, Deltas]:
        """What a stream with these faults gives; with none, what a right one does."""
        every = list(dict.fromkeys(questions))
        quirks = [quirk for quirk in of_streams() if quirk.name in names]
        stream = flip_all(quirks, self.decoded.base.behaviour).stream or right
        left = [question for question in every if (names, question) not in self._known]
        for question in left:
            self.decoded.want(question)
        while self.decoded.fetch() or left:
            left = [question for question in left if not self._run(names, stream, question)]
        return {question: self._known[names, question] for question in every}

    def is_wrong(self, question: Stream, deltas: Deltas) -> bool:
        """Whether these deltas break a law."""
        prefill, ids, hides = question.prefill, question.ids, question.skip_special
        decoded = self.decoded.of
        before, whole = decoded(prefill, hides), decoded((*prefill, *ids), hides)
        return deltas is None or bool(
            judged(deltas, whole, before, lambda count: decoded((*prefill, *ids[:count]), hides)).law
        )

    def _run(self, names: Names, stream: Run, question: Stream) -> bool:
        """Whether all that is decoded for it is known."""
        hides, deltas = question.skip_special, None
        with suppress(InvalidPrefixError):
            try:
                deltas = tuple(stream(lambda row: self.decoded.of(row, hides), question.prefill, question.ids))
            except _UnknownError:
                return False
        self._known[names, question] = deltas
        return True


def _attacked(
    one: Explanation, found: Sequence[Explanation], predicted: _Predictions, mismatches: Sequence[Mismatch], fresh: Ask
) -> Explanation:
    """The explanation, verified where new streams that its cause changes come as it, or another cause, predicts."""
    new = [*islice(_new([mismatches[i].case.question for i in one.members]), ATTACKS)]
    answers = zip(new, fresh([Case(question, _ORIGIN) for question in new]), strict=True)
    answered = {q: answer for q, answer in answers if getattr(answer, "kind", "") not in NOT_ASKED}
    every = tuple(sorted({name for other in found for name in other.quirks}))
    mine = predicted.of(one.quirks, answered)
    changed = [question for question in answered if predicted.is_wrong(question, mine[question])]
    may_be = [predicted.of(names, changed) for names in (one.quirks, every, *(other.quirks for other in found))]
    otherwise = sum(not any(_is(given[q], answered[q]) for given in may_be) for q in changed)
    attacked = Attacked(len(changed), len(answered) - len(changed), len(answered), otherwise, fresh=True)
    status: Status = "in part" if otherwise else "verified" if changed else "reproduced"
    return replace(one, status=status, asked=len(answered), attacked=attacked)


def _new(questions: Sequence[object]) -> Iterator[Stream]:
    """Streams made of those of the mismatches: cut, doubled, joined, behind another prompt."""
    streams = sorted((q for q in questions if isinstance(q, Stream)), key=lambda q: q.order)
    made: dict[Stream, None] = {}
    for one, other in zip(streams, [*streams[1:], *streams[:1]], strict=True):
        ids = one.ids
        rows = (ids * 2, ids + other.ids, other.ids + ids, ids[:-1], ids[1:], ids[: len(ids) // 2])
        made |= dict.fromkeys(replace(one, ids=row[: LONGEST // 2]) for row in rows if row)
        cuts = [at for at in (1, 2, len(ids) - 1) if 0 < at < len(ids)]
        made |= dict.fromkeys(replace(one, ids=ids[at:], prefill=ids[:at]) for at in cuts)
        made[replace(one, prefill=())] = made[replace(one, prefill=other.ids[: LONGEST // 2])] = None
    return (question for question in made if question not in streams)


def _is(predicted: Deltas, actual: Outcome) -> bool:
    if isinstance(actual, Failure):
        return predicted is None and actual.kind == "error"
    return isinstance(actual, Streaming) and actual.deltas == predicted
