"""Causes of wrong spans: the reference's spans with faults, in each of the ways in which spans can be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product

from tokparity.behaviour import Spans as Run
from tokparity.case import Case, Origin
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Ask
from tokparity.diagnose.explanation import Explanation
from tokparity.diagnose.limits.streams import ATTACKS, MOST_FLIPS, PER_SPOILED, SEARCHED, SHORT
from tokparity.finding import Attacked, Control, Mismatch, Status
from tokparity.outcome import NOT_ASKED, Outcome, Place, Spanning
from tokparity.questions import Spans
from tokparity.quirks import all_quirks, flip_all, of_spans
from tokparity.reference.spans import Spanner, spanned
from tokparity.reference.token_places import Token, tokens_of
from tokparity.reference.tokenizer import Tokenizer
from tokparity.span_laws import LAWS, judged

ORIGIN = Origin("diagnosis", "diagnosis")

_EITHER = (False, True)
_SPACES = ((False, False), (False, True), (True, False))
WAYS = tuple(Spanner(last, trims, *spaces) for last, trims, spaces in product(_EITHER, _EITHER, _SPACES))
"""All of them are right."""

Names = tuple[str, ...]


@dataclass
class _Predictions:
    """What spans with faults are, of texts that are looked at once."""

    tokenizer: Tokenizer
    _tokens: dict[Spans, list[Token]] = field(default_factory=dict)
    _right: dict[Spans, Spanning] = field(default_factory=dict)
    _spans: dict[tuple[Names, Spanner], Run] = field(default_factory=dict)

    def of(self, names: Names, way: Spanner, question: Spans) -> tuple[Place, ...]:
        """The spans of an engine with these faults that is right in this way otherwise."""
        behaviour, added = self.tokenizer.behaviour, self.tokenizer.vocabulary.added_by_id
        if (names, way) not in self._spans:
            faulty = flip_all([q for q in of_spans() if q.name in names], replace(behaviour, spans=way)).spans
            assert faulty is not None
            self._spans[names, way] = faulty
        return self._spans[names, way](question.text.decode(), self._tokens_of(question), added)

    def _tokens_of(self, question: Spans) -> list[Token]:
        if question not in self._tokens:
            text, flags = question.text.decode(), (question.add_special, question.parse_special)
            self._tokens[question] = tokens_of(self.tokenizer, text, *flags)
        return self._tokens[question]

    def gives(self, names: Names, way: Spanner, question: object, outcome: Outcome) -> bool:
        """Whether these are the very spans that an engine gave; ids that no character became are empty anywhere."""
        if not isinstance(question, Spans) or not isinstance(outcome, Spanning):
            return False
        tokens = self._tokens_of(question)
        if tuple(token.id for token in tokens) != outcome.ids:
            return False
        rows = zip(tokens, self.of(names, way, question), outcome.spans, strict=False)
        return all(
            mine == given or (not token.width and mine[0] == mine[1] and given[0] == given[1])
            for token, mine, given in rows
        )

    def allows(self, names: Names, way: Spanner, question: object, outcome: Outcome) -> bool:
        """Whether the spans are right, but for those that an engine with these faults gives."""
        if not isinstance(question, Spans) or not isinstance(outcome, Spanning):
            return False
        predicted, text = self.of(names, way, question), question.text.decode()
        right = self._spanned(question)
        if right.ids != outcome.ids:
            return False
        rows = zip(predicted, right.spans, outcome.spans, strict=True)
        mended = tuple(own if mine == given else given for mine, own, given in rows)
        return not judged(text, replace(outcome, spans=mended), right).law

    def is_plain(self, mismatch: Mismatch) -> bool:
        """Whether an engine without a fault gives these very spans, in one of the ways to be right."""
        question, outcome = mismatch.case.question, mismatch.actual
        if not isinstance(question, Spans) or not isinstance(outcome, Spanning):
            return False
        return any(self.of((), way, question) == outcome.spans for way in WAYS)

    def judged_question(self, control: Control) -> Spans | None:
        """The question of a control on which the engine has the reference's ids; only then both spans can be held."""
        question, outcome = control.case.question, control.outcome
        if not isinstance(question, Spans) or not isinstance(outcome, Spanning):
            return None
        return question if outcome.ids == tuple(token.id for token in self._tokens_of(question)) else None

    def breaks(self, names: Names, way: Spanner, question: Spans) -> bool:
        """Whether these faults change the spans, which break a law then."""
        if self.of(names, way, question) == self.of((), way, question):
            return False
        text = question.text.decode()
        right = self._spanned(question)
        return bool(judged(text, replace(right, spans=self.of(names, way, question)), right).law)

    def _spanned(self, question: Spans) -> Spanning:
        """The right spans, with how far each may reach."""
        if question not in self._right:
            text = question.text.decode()
            self._right[question] = spanned(self.tokenizer, text, question.add_special, question.parse_special)
        return self._right[question]


def explained(
    base: Base,
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    ask: Ask | None,
    fresh: Ask | None,
    interrupted: Callable[[], bool] = lambda: False,
) -> list[Explanation]:
    """The causes of one engine's wrong spans: each mismatch is given to the fewest faults that give its very spans.

    No cause may make a span wrong in the `controls`, where the engine is right. What comes without any fault has
    none. A `fresh` process is asked for new texts, to refute a cause.
    """
    predicted = _Predictions(base.tokenizer)
    every = sorted(enumerate(mismatches), key=lambda entry: entry[1].case.question.order)
    short = {i: m for i, m in every if m.case.question.size <= SHORT and not predicted.is_plain(m)}
    spared = [one for one in map(predicted.judged_question, controls) if one is not None]
    searches = [_SpanFaults(predicted, way, short, spared) for way in WAYS]
    best: _SpanFaults | None = None
    for search in searches:  # an engine is right in one way, and the one that leaves the least is its own
        if interrupted() or (best is not None and not best.left):
            break
        search.run()
        best = search if best is None or len(search.left) < len(best.left) else best
    if best is None:
        return [*_unexplained(dict(every))]
    best.take_long({i: m for i, m in every if m.case.question.size > SHORT and not predicted.is_plain(m)})
    told = [one if fresh is None else _attacked(one, best.way, predicted, mismatches, fresh) for one in best.found]
    believed = [one for one in told if 2 * one.attacked.otherwise < max(one.attacked.changes, 1)]
    believed += _normalised_otherwise(base, best)
    explained_ones = {i for one in believed for i in one.members}
    return [*believed, *_unexplained({i: m for i, m in every if i not in explained_ones})]


@dataclass
class _SpanFaults:
    """The sets of faults that explain mismatches, on one way of being right; `left` are those without one."""

    predicted: _Predictions
    way: Spanner
    left: Mapping[int, Mismatch]
    spared: Sequence[Spans]
    found: list[Explanation] = field(default_factory=list)

    def run(self) -> None:
        """First one set for all, then what explains the most, the fewest faults first."""
        names = [quirk.name for quirk in sorted(of_spans(), key=lambda quirk: quirk.turn)]
        sets = [chosen for count in range(1, MOST_FLIPS) for chosen in combinations(names, count)]
        whole = next((one for one in sets if self._gives(one, self._some()) and self._gives(one, self.left)), None)
        for size in (1, 2):
            of_size = [one for one in ([whole] if whole is not None else sets) if len(one) == size]
            counts = {one: len(self._given(one, self._some())) for one in of_size}
            for one in sorted((one for one in of_size if counts[one]), key=lambda one: -counts[one]):
                self._take(one)

    def _take(self, names: Names) -> None:
        """Give the mismatches that are left and whose very spans these faults give to an explanation."""
        given = self._given(names, self.left)
        spoiled = sum(self.predicted.breaks(names, self.way, question) for question in self.spared)
        if given and spoiled * PER_SPOILED <= len(given):
            sizes = len(self.spared), len(given)
            members = tuple(sorted(given))
            self.found.append(Explanation("ids", "reproduced", members, names, controls=sizes[0], verified=sizes[1]))
            self.left = {i: m for i, m in self.left.items() if i not in given}

    def take_long(self, mismatches: Mapping[int, Mismatch]) -> None:
        """Give long texts to what was found on short ones."""
        for place, one in enumerate(self.found):
            members = {*one.members, *self._given(one.quirks, mismatches)}
            self.found[place] = replace(one, members=tuple(sorted(members)), verified=len(members))
            mismatches = {i: m for i, m in mismatches.items() if i not in members}

    def _some(self) -> Mapping[int, Mismatch]:
        """The smallest of what is left."""
        return dict(islice(self.left.items(), SEARCHED))

    def _gives(self, names: Names, mismatches: Mapping[int, Mismatch]) -> bool:
        of = self.predicted.gives
        return all(of(names, self.way, m.case.question, m.actual) for m in mismatches.values())

    def _given(self, names: Names, mismatches: Mapping[int, Mismatch]) -> set[int]:
        of = self.predicted.gives
        return {i for i, m in mismatches.items() if of(names, self.way, m.case.question, m.actual)}


def _normalised_otherwise(base: Base, best: _SpanFaults) -> Iterator[Explanation]:
    """Where one quirk of the normalizer alone makes the spans right, but for those that what was found predicts."""
    left = dict(islice(best.left.items(), SEARCHED))
    sets = [(), *(one.quirks for one in best.found)]
    given: dict[int, list[Names]] = {}
    for quirk in all_quirks() if left else ():
        if quirk.field != "normalise" or (flipped := quirk.flip(base.behaviour)) == base.behaviour:
            continue
        predicted = _Predictions(base.tokenizer.with_behaviour(flipped))
        for i, m in left.items():
            if any(predicted.allows(names, best.way, m.case.question, m.actual) for names in sets):
                given.setdefault(i, []).append((quirk.name,))
    alone = {i: names for i, (names, *others) in given.items() if not others}
    for names in dict.fromkeys(alone.values()):
        members = tuple(sorted(i for i in alone if alone[i] == names))
        yield Explanation("ids", "reproduced", members, names, verified=len(members))


def _unexplained(left: Mapping[int, Mismatch]) -> Iterator[Explanation]:
    """One for each law that is broken."""
    laws: dict[str, list[int]] = {}
    for i, mismatch in left.items():
        laws.setdefault(mismatch.difference.law, []).append(i)
    for law, members in laws.items():
        yield Explanation("ids", "unexplained", tuple(sorted(members)), why_unexplained=LAWS.get(law, ""))


def _attacked(
    one: Explanation, way: Spanner, predicted: _Predictions, mismatches: Sequence[Mismatch], fresh: Ask
) -> Explanation:
    """The explanation, verified where new texts whose spans its cause makes wrong have the spans that it predicts."""
    new = [*islice(_new([mismatches[i].case.question for i in one.members]), ATTACKS)]
    answers = zip(new, fresh([Case(question, ORIGIN) for question in new]), strict=True)
    answered = {q: answer for q, answer in answers if getattr(answer, "kind", "") not in NOT_ASKED}
    changed = [question for question in answered if predicted.breaks(one.quirks, way, question)]
    otherwise = sum(not predicted.gives(one.quirks, way, q, answered[q]) for q in changed)
    attacked = Attacked(len(changed), len(answered) - len(changed), len(answered), otherwise, fresh=True)
    status: Status = "in part" if otherwise else "verified" if changed else "reproduced"
    return replace(one, status=status, asked=len(answered), attacked=attacked)


def _new(questions: Sequence[object]) -> Iterator[Spans]:
    """Texts made of those of the mismatches: cut, doubled, joined."""
    texts = {q: q.text.decode() for q in questions if isinstance(q, Spans) and q.size <= SHORT}
    made: dict[Spans, None] = {}
    for (one, text), other in zip(texts.items(), [*texts.values()][1:] + [*texts.values()][:1], strict=True):
        for new in (text * 2, f"{text} {other}", f"{other} {text}", text[:-1], text[1:], text[: len(text) // 2]):
            made[replace(one, text=new.encode())] = None
    return (question for question in made if question not in texts)
