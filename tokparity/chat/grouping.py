"""Findings of all templates put together by their reasons, each with one conversation that is as small as can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from tokparity.chat.causes import predicted
from tokparity.chat.compare import Answer, alike
from tokparity.chat.reasons import Finding, why
from tokparity.chat.reduce import reduced
from tokparity.chat.renderer import Renderer, Renders
from tokparity.engines.renderers import engine_of
from tokparity.errors import TokparityError
from tokparity.outcome import Failure, Rendering
from tokparity.questions.render import Conversation, Render, Template

_SHRUNK, _REDUCED = 20, 3
"""Reasons of each renderer, those of most conversations, of which the smallest conversation and template are sought."""

_PROMPT = Rendering("")
"""A renderer's answer where it writes a prompt, whichever that is."""


@dataclass(frozen=True)
class Reason:
    """All findings of one renderer that have one reason; `smallest` is one of them, of the template of that name."""

    renderer: str
    name: str
    status: str
    templates: int
    conversations: int
    template: str
    smallest: Finding


def reasons(found: Iterable[tuple[str, str, Finding]]) -> list[Reason]:
    """The reasons of each renderer, those of most conversations first; of (renderer, template, finding)."""
    groups: dict[tuple[str, str, str], list[tuple[str, Finding]]] = {}
    for renderer, template, finding in found:
        groups.setdefault((renderer, finding.reason, finding.status), []).append((template, finding))
    made = []
    for (renderer, name, status), group in groups.items():
        template, smallest = min(group, key=lambda one: _size(one[1].question))
        count = sum(len(finding.places) for _, finding in group)
        made.append(Reason(renderer, name, status, len({one for one, _ in group}), count, template, smallest))
    order = list(dict.fromkeys(renderer for renderer, _, _ in groups))
    return sorted(made, key=lambda one: (order.index(one.renderer), -one.conversations, one.name))


def _size(question: Render) -> int:
    return len(question.conversation.spelled) + len(question.template.text) // 20


def shrunk(found: Sequence[Reason]) -> list[Reason]:
    """Each reason with the smallest conversation that has it."""
    names = list(dict.fromkeys(one.renderer for one in found))
    with ThreadPoolExecutor(max(len(names), 1)) as pool:
        parts = pool.map(partial(_of_renderer, found), names)
    return [one for part in parts for one in part]


def _of_renderer(found: Sequence[Reason], name: str) -> list[Reason]:
    mine = [one for one in found if one.renderer == name]
    try:
        with Renderer(engine_of(name)) as other, Renderer() as reference:
            few = [replace(one, smallest=smallest(one.smallest, other, reference)) for one in mine[:_SHRUNK]]
            least = [replace(one, smallest=with_template(one.smallest, other, reference)) for one in few[:_REDUCED]]
            return [*least, *few[_REDUCED:], *mine[_SHRUNK:]]
    except TokparityError:  # it has answered before, and no longer does: what was found then stays
        return mine


def smallest(finding: Finding, other: Renders, reference: Renderer) -> Finding:
    """The finding with the smallest conversation on which the renderer still differs for the same reason."""

    def check(given: Sequence[Conversation]) -> list[bool]:
        return _shown(finding, [replace(finding.question, conversation=one) for one in given], other, reference)

    question = replace(finding.question, conversation=finding.question.conversation.shrunk(check))
    return replace(finding, question=question, ours=reference.render([question])[0], its=other.render([question])[0])


def with_template(finding: Finding, other: Renders, reference: Renderer) -> Finding:
    """The finding with the smallest template on which the renderer differs for the same reason."""

    def check(texts: Sequence[str]) -> list[bool]:
        given = [replace(finding.question, template=Template(text)) for text in texts]
        return _shown(finding, given, other, reference)

    return replace(finding, template=reduced(finding.question.template.text, check))


def _shown(finding: Finding, questions: Sequence[Render], other: Renders, reference: Renderer) -> list[bool]:
    """Whether the renderer differs on each question for the reason of the finding; it is asked where it may."""
    ours = reference.render(questions)
    foreseen: Sequence[Answer | None] = [None] * len(questions)
    if finding.causes:
        foreseen = predicted(finding.causes, reference, questions)
    asked = [i for i, pair in enumerate(zip(ours, foreseen, strict=True)) if _may_show(finding, *pair)]
    its = dict(zip(asked, other.render([questions[i] for i in asked]), strict=True)) if asked else {}
    return [i in its and _shows(finding, ours[i], its[i], foreseen[i]) for i in range(len(questions))]


def _may_show(finding: Finding, ours: Answer, foreseen: Answer | None) -> bool:
    """Whether there is an answer that differs from ours as the finding's does."""
    words = why(finding.ours, finding.its)
    if foreseen is not None and alike(ours, foreseen):
        return False
    return words.startswith("it ") or words == why(ours, _PROMPT)


def _shows(finding: Finding, ours: Answer, its: Answer, foreseen: Answer | None) -> bool:
    """Whether two answers differ as those of the finding do."""
    if isinstance(its, Failure) and not isinstance(finding.its, Failure):
        return False
    if alike(ours, its) or why(ours, its) != why(finding.ours, finding.its):
        return False
    return foreseen is None or alike(foreseen, its)
