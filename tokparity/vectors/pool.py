"""All questions that were put to the faults of one model, until no more of them tell anything new."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokparity import quirks
from tokparity.case import Origin
from tokparity.generators import Prepared
from tokparity.questions import Decode, Question
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors import candidates
from tokparity.vectors.cover import SHOWN, groups
from tokparity.vectors.faults import Answers, Mutant, mutants, without_effect
from tokparity.vectors.model import Untold
from tokparity.vectors.oracle import Oracle, shown_only_outside
from tokparity.vectors.smaller import smaller

_WATCHED = 1500
"""Questions by which it is seen which settings are read."""
_ROWS = 400
_ROUNDS, _TEXTS = 3, 2000
"""Rounds of random texts for the faults that few questions show or that are not told apart, and texts in each."""

Say = Callable[[str], object]


@dataclass
class Pool:
    """Answers to all questions, where the questions come from, and the faults that none of them shows."""

    answers: Answers
    origins: dict[Question, Origin]
    untold: list[Untold]

    @property
    def shown(self) -> list[Mutant]:
        """The faults that some question shows."""
        return [mutant for mutant in self.answers.mutants if self.answers.wrong[mutant.name]]


def pool(prepared: Prepared, oracle: Oracle, engines: Iterable[str], say: Say) -> Pool:
    """Put candidates to every fault, random texts where these were not enough, and smaller ones of what showed."""
    subject = prepared.subject
    right = Tokenizer(subject.vocabulary, subject.behaviour)
    origins = candidates.first(prepared, engines)
    catalogue = quirks.all_quirks()  # those of streams show on no case of a file
    reasons = without_effect(right, catalogue, list(origins)[:_WATCHED])
    answers = Answers(right, mutants(right, [quirk for quirk in catalogue if quirk.name not in reasons]))
    say(f"{len(origins)} questions to {len(answers.mutants)} faults")
    oracle.check(answers, answers.put(origins))
    rows = candidates.rows(prepared, list(answers.right.values()), _ROWS, candidates.SEED)
    rows |= {row: Origin("given", "typical") for row in candidates.decoded(answers.right)}
    oracle.check(answers, answers.put(rows))
    origins |= {question: origin for question, origin in rows.items() if question not in origins}
    tried = len(answers.right)
    for number in range(_ROUNDS):
        say(f"random texts, round {number + 1} of {_ROUNDS}")
        drawn = candidates.more(prepared, _TEXTS, candidates.SEED + number)
        tried += len(drawn)
        telling = _telling(answers, drawn)
        oracle.check(answers, answers.put(telling))
        origins |= {question: drawn[question] for question in telling}
    say("smaller texts")
    oracle.check(answers, answers.put(one for mutant in answers.mutants for one in smaller(answers, mutant)))
    return Pool(answers, origins, _untold(answers, reasons, tried))


def _telling(answers: Answers, drawn: Iterable[Question]) -> list[Question]:
    """The questions that show a fault which few others show, or tell faults apart that no other does."""
    few = {mutant.name for mutant in answers.mutants if len(answers.wrong[mutant.name]) < SHOWN}
    together = [group for group in groups(answers.wrong, answers.wrong) if len(group) > 1]
    suspects = few.union(*together)
    trial = Answers(answers.tokenizer, [mutant for mutant in answers.mutants if mutant.name in suspects])
    trial.put(question for question in drawn if question not in answers.right)
    found: dict[Question, None] = {}
    for name in few:
        found.update(dict.fromkeys(sorted(trial.wrong[name], key=lambda one: one.order)[:SHOWN]))
    for group in together:
        found.update(dict.fromkeys(_apart(trial.wrong, group)))
    return list(found)


def _apart(wrong: Mapping[str, Mapping[Question, object]], group: Sequence[str]) -> list[Question]:
    """The shortest question that tells each of a group from the first of it."""
    first, *others = group
    found = []
    for other in others:
        asked = {*wrong[first], *wrong[other]}
        differing = [one for one in asked if wrong[first].get(one, asked) != wrong[other].get(one, asked)]
        found += sorted(differing, key=lambda one: one.order)[:1]
    return found


def _untold(answers: Answers, reasons: Mapping[str, str], tried: int) -> list[Untold]:
    """The faults that no question shows, by the reason."""
    found = dict(reasons)
    silent = [mutant.name for mutant in answers.mutants if not answers.wrong[mutant.name]]
    size = len(answers.tokenizer.vocabulary)
    dying = shown_only_outside(answers, silent, Decode((size,)))
    for mutant in answers.mutants:
        if mutant.name in dying:
            why = "it shows on ids that the vocabulary does not have, and an engine may refuse them"
        elif mutant.name in silent:
            why = f"the same answers to {tried} questions"
        else:
            continue
        found |= dict.fromkeys((mutant.name, *mutant.same), why)
    by_reason: dict[str, list[str]] = {}
    for name in sorted(found):
        by_reason.setdefault(found[name], []).append(name)
    return [Untold(why, tuple(names)) for why, names in sorted(by_reason.items())]
