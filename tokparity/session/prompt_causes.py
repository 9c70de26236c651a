"""The causes of wrong prompts: changes of the reference renderer that write what an engine's renderer wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tokparity.case import AnyCase, Case, Origin
from tokparity.chat.causes import CAUSES, Cause, predicted
from tokparity.chat.compare import alike
from tokparity.chat.grouping import smallest, with_template
from tokparity.chat.naming import Compared, Predictions
from tokparity.chat.reasons import Finding as Reason
from tokparity.chat.reasons import findings
from tokparity.chat.renderer import Renderer
from tokparity.diagnose import Ask, Explanation
from tokparity.difference import of_prompts
from tokparity.errors import TokparityError
from tokparity.finding import Attacked, Mismatch, Rest, Status
from tokparity.generators.conversations import conversations
from tokparity.outcome import Failure, Outcome, Rendering
from tokparity.questions import Question, Render
from tokparity.questions.json_text import literal
from tokparity.session.panel import Panel, ask

_ORIGIN = Origin("diagnosis", "diagnosis")
_EXPLAINED = "another finding explains it"
_ATTACKS = 40
"""Conversations like those of mismatches, and others of the same template, by which a cause can be refuted."""


def explained(
    mismatches: Sequence[Mismatch], fresh: Ask | None, interrupted: Callable[[], bool] = lambda: False
) -> list[Explanation]:
    """The fewest causes that write the prompts; what none writes is told by what its conversations have in common."""
    groups: dict[object, list[int]] = {}
    for i, mismatch in enumerate(mismatches):
        question = mismatch.case.question
        if isinstance(question, Render):
            groups.setdefault((question.template, frozenset(question.tokens.items())), []).append(i)
    found: list[Explanation] = []
    try:
        with Renderer() as reference:
            for members in groups.values():
                if not interrupted():
                    found += _of_template([(i, mismatches[i]) for i in members], reference, fresh)
    except TokparityError as error:
        found = [Explanation("ids", "unexplained", tuple(range(len(mismatches))), why_unexplained=error.message)]
    told = {i for one in found for i in one.members}
    left = tuple(i for i in range(len(mismatches)) if i not in told)
    return [*found, *([Explanation("ids", "unexplained", left)] if left else [])]


@dataclass(frozen=True)
class OfPanel:
    """The renderer of an engine of a panel; what one of the `known` causes predicts is a failure here."""

    panel: Panel
    engine: str
    reference: Renderer
    known: Sequence[Sequence[Cause]] = ()

    def render(self, questions: Sequence[Render]) -> list[Rendering | Failure]:
        """The engine's answer to each question."""
        cases: list[AnyCase] = [Case(question, _ORIGIN) for question in questions]
        answers = list(map(_answer, ask(self.panel, self.engine, cases)))
        for causes in self.known:
            foreseen = predicted(causes, self.reference, questions)
            pairs = zip(foreseen, answers, strict=True)
            answers = [Failure("error", _EXPLAINED) if alike(*pair) else pair[1] for pair in pairs]
        return answers


def smaller(
    mismatch: Mismatch, names: Sequence[str], panel: Panel, others: Sequence[Sequence[str]] = ()
) -> tuple[Render, str]:
    """The smallest conversation, and the smallest template for it, that show the same with these causes.

    Where there are none, what is said of both answers stays, and none of the `others` explains it. The template is a
    JSON literal.
    """
    question = mismatch.case.question
    if not isinstance(question, Render):
        raise ValueError(f"{question.literal:.60} is no conversation")
    causes, known = _named(names), [_named(other) for other in others] if not names else []
    reason = Reason((0,), question, _answer(mismatch.expected), _answer(mismatch.actual), causes)
    with Renderer() as reference:
        other = OfPanel(panel, mismatch.engine, reference, known)
        reason = smallest(reason, other, reference)
        return reason.question, literal(with_template(reason, other, reference).template)


def _named(names: Sequence[str]) -> tuple[Cause, ...]:
    return tuple(cause for cause in CAUSES if cause.name in names)


def _of_template(
    members: Sequence[tuple[int, Mismatch]], reference: Renderer, fresh: Ask | None
) -> Iterator[Explanation]:
    """The explanations of mismatches of one template, attacked with other conversations that it asks for."""
    own = [m.case.question for _, m in members if isinstance(m.case.question, Render)]
    others = list(_others(own, reference)) if fresh is not None else []
    questions = [*own, *others]
    right = reference.render(questions)
    new = fresh([Case(question, _ORIGIN) for question in others]) if fresh is not None else []
    its = [*map(_answer, (mismatch.actual for _, mismatch in members)), *map(_answer, new)]
    same = [i for i in range(len(questions)) if _is_equal(right[i], its[i])]
    wrong = [i for i in range(len(questions)) if of_prompts(right[i], its[i]) is not None]
    for reason in findings(Compared(questions, right, its, wrong, same, Predictions(reference))):
        places = tuple(members[i][0] for i in reason.places if i < len(members))
        if places:
            yield _explanation(reason, places, [mismatch.case.question for _, mismatch in members], fresh is not None)


def _others(own: Sequence[Render], reference: Renderer) -> Iterator[Render]:
    """Conversations that nobody was asked: some like those of mismatches, and some that the template asks for.

    They have other contents.
    """
    first, new = own[0], dict[Render, None]()
    given = [one for one in conversations(reference.words(first.template.text)) if one.messages]
    for every in ([question.conversation for question in own], given):
        for one in every[:: max(len(every) // _ATTACKS, 1)][:_ATTACKS]:
            changed = replace(one, messages=tuple(map(_otherwise, one.messages)))
            new[replace(first, conversation=changed)] = None
    yield from (question for question in new if question not in own)


def _otherwise(message: Mapping[str, Any]) -> Mapping[str, Any]:
    content = message.get("content")
    return {**message, "content": f"{content} Why?\n"} if isinstance(content, str) else message


def _answer(outcome: Outcome) -> Rendering | Failure:
    if isinstance(outcome, Rendering):
        return Rendering(outcome.prompt, outcome.raised)
    return outcome if isinstance(outcome, Failure) else Failure("error", "it answered with something else")


def _is_equal(right: Rendering | Failure, its: Rendering | Failure) -> bool:
    return isinstance(right, Rendering) and right.prompt is not None and of_prompts(right, its) is None


def _explanation(reason: Reason, places: tuple[int, ...], own: Sequence[Question], is_fresh: bool) -> Explanation:
    """The explanation of mismatches with these questions; those that contradict it are its rest."""
    if not reason.causes:
        return Explanation("ids", "unexplained", places, why_unexplained=reason.told)
    contradict = [own[i] for i in reason.against if i < len(own)]
    # Those on which the engine is right, and no cause may change that; all others are of this cause.
    right = reason.tried - len(reason.places) - len(reason.against)
    changed = sum(place >= len(own) for place in (*reason.places, *reason.against))
    otherwise = reason.tried - reason.right - len(contradict)
    asked = changed + right if is_fresh else 0
    attacked = Attacked(changed, asked - changed, asked, otherwise, fresh=is_fresh)
    status: Status = "in part" if otherwise or contradict else "verified" if changed else "reproduced"
    rest = Rest(len(contradict), min(contradict, key=lambda one: one.order)) if contradict else None
    names = tuple(cause.name for cause in reason.causes)
    found = Explanation("ids", status, places, names, controls=right, asked=asked, attacked=attacked, rest=rest)
    return replace(found, verified=len(places))
