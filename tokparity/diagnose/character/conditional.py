"""Conditional quirks: a known behaviour that shows only under a condition, such as in words of 13 characters or more.

A quirk that gives what the engine gave on most of the mismatches, and something else on texts that are right, may be
half of the truth. Where a condition tells the two apart, the pair is run on everything, and on texts made for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.case import AnyCase, Case
from tokparity.diagnose.character.find import Fit, fit
from tokparity.diagnose.character.rules import Rule, simple
from tokparity.diagnose.character.seen import MADE, Put, Seen, of_control, of_mismatch
from tokparity.diagnose.character.series import edges
from tokparity.diagnose.evidence import Observation, evidence_of
from tokparity.diagnose.hypothesis import Base, Hypothesis
from tokparity.diagnose.limits import Limits
from tokparity.diagnose.problem import Problem, pose
from tokparity.diagnose.texts import texts
from tokparity.finding import Control, Mismatch, Trait
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.quirk import Quirk
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary

_FIRST = 12
_WORDY = 60
_RUN_ON = 200
_MADE = 300
_LOOKED_AT = 3000
_LONGEST_WORD = 64
_CANDIDATES = 3
_FEWEST = 5

Predict = Callable[[Seen], tuple[int, ...] | None]


@dataclass(frozen=True)
class Conditional:
    """A quirk, where alone it shows, the mismatches (by place) that both give, and what was counted."""

    quirk: str
    condition: str
    members: tuple[int, ...]
    trait: Trait
    alternatives: tuple[tuple[str, ...], ...] = ()
    """Other quirks that do as well under a condition of theirs."""


@dataclass(frozen=True)
class _Word:
    """A number that every word has, in words."""

    says: str
    of: Callable[[str], int]


_WORDS = (
    _Word("in words of {} characters or more, the space before them included", len),
    _Word("in words of {} characters or more", lambda word: len(word.strip(" ▁Ġ"))),
    _Word("in words of {} bytes or more", lambda word: len(word.encode("utf-8", "surrogateescape"))),
)


def conditional(
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    bases: Sequence[Base],
    quirks: Sequence[Quirk],
    put: Put | None,
    limits: Limits,
    stop: Callable[[], bool],
) -> Conditional | None:
    """The quirk with the condition that explains most of the mismatches (all that nothing else explains), if any."""
    wrong = [(i, of_mismatch(m)) for i, m in enumerate(mismatches) if _is_of_ids(m)]
    wrong.sort(key=lambda one: one[1].size)
    if len(wrong) < _FEWEST or put is None:
        return None
    problem = pose("ids", bases, quirks, None, limits)
    right = [of_control(control) for control in controls if isinstance(control.case.question, Encode)]
    every: list[Conditional] = []
    for quirk in _promising(problem, [seen for _, seen in wrong], stop):
        hypothesis = problem.hypothesis(0, (quirk,))
        observations = [*evidence_of("ids", mismatches, controls).observations]
        more = _asked(problem, hypothesis, observations, put, stop, limits)
        seen = [*(one for _, one in wrong[:_RUN_ON]), *right, *more]
        for condition, predict in _conditions(problem, quirk, hypothesis, seen):
            found = _verified(quirk, condition, predict, wrong, seen, more)
            if found is not None:
                every.append(found)
                break
    if not every:
        return None
    return replace(every[0], alternatives=tuple((one.quirk,) for one in every[1:]))


def _is_of_ids(mismatch: Mismatch) -> bool:
    return isinstance(mismatch.case.question, Encode) and mismatch.difference.aspect == "ids"


def _given(seen: Seen) -> tuple[int, ...] | None:
    return seen.actual.ids if isinstance(seen.actual, Encoding) else None


def _predicted(problem: Problem, hypothesis: Hypothesis, seen: Seen) -> tuple[int, ...] | None:
    answer = problem.predict(hypothesis, Observation(Case(seen.question), (), ()))
    return answer if isinstance(answer, tuple) else None


def _promising(problem: Problem, wrong: Sequence[Seen], stop: Callable[[], bool]) -> list[Quirk]:
    """The quirks that give what the engine gave on most of the smallest mismatches, the best first."""
    merits: list[tuple[int, Quirk]] = []
    for quirk in problem.quirks:
        if stop():
            break
        hypothesis = problem.hypothesis(0, (quirk,))
        if hypothesis.behaviour == problem.reference.behaviour:
            continue
        hits = sum(_predicted(problem, hypothesis, seen) == _given(seen) for seen in wrong[:_FIRST])
        if hits >= max(_FEWEST - 2, min(len(wrong), _FIRST) // 2):
            merits.append((hits, quirk))
    return [quirk for _, quirk in sorted(merits, key=lambda one: -one[0])[:_CANDIDATES]]


def _asked(
    problem: Problem, hypothesis: Hypothesis, observations: Sequence[Observation], put: Put,
    stop: Callable[[], bool], limits: Limits,
) -> list[Seen]:  # fmt: skip
    """What the engine does on more texts that the quirk changes."""
    cases: list[AnyCase] = []
    for case in texts(problem.bases[0].vocabulary, observations, _LOOKED_AT, limits):
        if stop() or len(cases) == _MADE:
            break
        blank = Seen(case.question, Encoding(()), Encoding(()), wrong=False)
        if _predicted(problem, hypothesis, blank) != _predicted(problem, problem.reference, blank):
            cases.append(Case(case.question, MADE))
    return [seen for seen in put(cases) if seen is not None]


def _conditions(
    problem: Problem, quirk: Quirk, hypothesis: Hypothesis, seen: Sequence[Seen]
) -> Iterator[tuple[str, Predict]]:
    """Conditions of the word, where the quirk is about words; then conditions of the text."""
    if quirk.field == "segment":
        yield from _of_words(problem, hypothesis, seen)
    labelled = []
    for one in seen:
        plain, flipped = (_predicted(problem, which, one) for which in (problem.reference, hypothesis))
        if plain != flipped:
            labelled.append(replace(one, wrong=_given(one) == flipped))
    failing, right = [one for one in labelled if one.wrong], [one for one in labelled if not one.wrong]
    if not failing or not right:
        return
    rules: list[Rule] = [*edges(failing, right), *simple(min(failing, key=lambda one: one.size), ())]
    best: Fit = max((fit(rule, failing, right) for rule in rules), key=lambda one: one.merit)

    def predict(one: Seen) -> tuple[int, ...] | None:
        return _predicted(problem, hypothesis if best.rule.holds(one) else problem.reference, one)

    yield f"where {best.rule.says}", predict


def _of_words(problem: Problem, hypothesis: Hypothesis, seen: Sequence[Seen]) -> Iterator[tuple[str, Predict]]:
    base = problem.bases[0]
    by_size = sorted(seen, key=lambda one: one.size)
    wrong = [one for one in by_size if one.wrong][:_WORDY]
    changed = (one for one in by_size if not one.wrong and _predicted(problem, hypothesis, one) != _given(one))
    looked_at = [*wrong, *islice(changed, _WORDY)]
    chooser = _Chooser(base.vocabulary, base.behaviour, hypothesis.behaviour)
    tokenizer = base.tokenizer.with_behaviour(replace(base.behaviour, segment=chooser.segment))

    def predict(one: Seen, word: _Word, edge: int) -> tuple[int, ...] | None:
        chooser.word, chooser.edge = word, edge
        return _encoded(tokenizer, one)

    def hits(word: _Word, edge: int) -> int:
        return sum(predict(one, word, edge) == _given(one) for one in looked_at)

    # Of edges that do as well the lowest: what lies between two of them was not seen.
    merits = [(hits(word, edge), -edge, word) for word in _WORDS for edge in range(2, _LONGEST_WORD)]
    best = max(merits, key=lambda one: one[:2])
    word, edge = best[2], -best[1]
    yield word.says.format(edge), lambda one: predict(one, word, edge)


class _Chooser:
    """A segmenter that cuts words by one algorithm up to an edge, and by another from it on."""

    def __init__(self, vocabulary: Vocabulary, plain: Behaviour, flipped: Behaviour) -> None:
        self.word, self.edge = _WORDS[0], 0
        self._plain, self._flipped = (each.segment(vocabulary, plain) for each in (plain, flipped))

    def segment(self, vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
        """This, as the segmenter of the model that it was made for."""
        return self

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        return (self._flipped if self.word.of(word) >= self.edge else self._plain)(word)


def _encoded(tokenizer: Tokenizer, seen: Seen) -> tuple[int, ...] | None:
    question = seen.question
    if not isinstance(question, Encode):
        return None
    # Whoever traces is given words that are cut anew, none from the memo, which knows nothing of the edge.
    return tuple(
        tokenizer.encode(question.text, question.add_special, question.parse_special, lambda stage, what: None)
    )


def _verified(
    quirk: Quirk, condition: str, predict: Predict, wrong: Sequence[tuple[int, Seen]], seen: Sequence[Seen],
    made: Sequence[Seen],
) -> Conditional | None:  # fmt: skip
    """The conditional quirk, where it gives all that the engine gave; None where it does not."""
    members = tuple(sorted(place for place, one in wrong if predict(one) == _given(one)))
    right = [one for one in seen if not one.wrong]
    if len(members) < 0.98 * len(wrong) or any(predict(one) != _given(one) for one in (*right, *made)):
        return None
    failing = sum(one.wrong for one in made)
    trait = Trait(
        f"{quirk.name} only {condition} gives what the engine gives", "answer", len(members), len(wrong),
        right=len(right), with_made=len(made), with_failing=failing,
    )  # fmt: skip
    return Conditional(quirk.name, condition, members, trait)
