"""Two chat templates compared by the prompts they make; the smallest conversation that tells them apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokparity.chat.place import around, line_before, lines_of, parts, spread
from tokparity.chat.renderer import Renderer
from tokparity.generators.conversations import conversations
from tokparity.outcome import DEADLY, NOT_ASKED, Failure, Rendering
from tokparity.questions.json_text import literal, plain
from tokparity.questions.render import Conversation, Render, Template

Answer = Rendering | Failure
Pair = tuple[Answer, Answer]


@dataclass(frozen=True)
class Comparison:
    """What two templates do: on how many conversations they were compared, and one on which they differ (or None).

    `ours` and `its` are the two answers there. `failure` says why nobody can compare them, and is empty where one can.
    """

    tried: int
    conversation: Conversation | None = None
    ours: Answer | None = None
    its: Answer | None = None
    failure: str = ""
    unreached: int = 0
    """A line of the first template that differs and that no conversation reached; 0 where there is none."""
    is_one_program: bool = False
    """Whether Jinja makes the same program of both, so that there is nothing to try."""


def compare(renderer: Renderer, ours: Template, its: Template, tokens: Mapping[str, str]) -> Comparison:
    """Both templates on the same conversations, those that their words ask for among them."""
    if renderer.are_one_program(ours.text, its.text):
        return Comparison(0, is_one_program=True)
    words = [renderer.words(template.text) for template in (its, ours)]
    both = {key: list(dict.fromkeys(word for one in words for word in one.get(key, ()))) for key in _KEYS}
    given = conversations(both)
    pairs = _pairs(renderer, ours, its, tokens, given)
    told = [(one, pair) for one, pair in zip(given, pairs, strict=True) if _is_telling(pair)]
    found = [(one, pair) for one, pair in told if differ(pair)]
    if not found:
        dead = [answer for pair in pairs for answer in pair if isinstance(answer, Failure) and answer.kind in _UNTOLD]
        why = _why(dead, pairs, told)
        unreached = 0 if why else _unreached(renderer, ours, its, tokens, given)
        return Comparison(len(told), failure=why, unreached=unreached)
    conversation, pair = min(found, key=lambda one: (_forms(one[1]) != (True, True), len(one[0].spelled)))
    return _smallest(renderer, (ours, its), tokens, conversation, pair, len(told))


_KEYS = ("variables", "fields", "strings")
_MOST_BYTES = 1 << 23
"""Bytes of templates and conversations of which it is asked what they reach."""
_UNTOLD = (*DEADLY, *NOT_ASKED)


def differ(pair: Pair) -> bool:
    """Whether two answers are known to differ: in the prompt, or in that there is one."""
    ours, its = pair
    if isinstance(ours, Rendering) and isinstance(its, Rendering):
        return ours.prompt != its.prompt
    return _is_telling(pair) and isinstance(its, Rendering) and its.prompt is not None


def alike(right: Answer, its: Answer) -> bool:
    """Whether a renderer writes what is right: that prompt, that of today if the template writes the day, or none."""
    prompt = its.prompt if isinstance(its, Rendering) else None
    return right.allows(prompt) if isinstance(right, Rendering) else prompt is None


def _is_telling(pair: Pair) -> bool:
    """Whether the source answers, and the other does, or says itself why it cannot."""
    ours, its = pair
    return isinstance(its, Rendering) and not (isinstance(ours, Failure) and ours.kind in _UNTOLD)


def _why(dead: Sequence[Failure], pairs: Sequence[Pair], told: Sequence[object]) -> str:
    """Why two templates cannot be called equal; empty where they can."""
    if dead:
        return f"a template could not be rendered: {dead[0].message}"
    if told:
        return ""
    failure = pairs[0][1]
    return f"the source's template makes no prompt: {failure.message if isinstance(failure, Failure) else ''}"


def _unreached(
    renderer: Renderer, ours: Template, its: Template, tokens: Mapping[str, str], given: Sequence[Conversation]
) -> int:
    """A line of `ours` at which the two differ, and that no conversation reaches in one of them; 0 if none."""
    spread_out = [replace(template, text=spread(template.text)) for template in (ours, its)]
    found = parts(*(template.text for template in spread_out))
    for side, template in enumerate(spread_out):
        most = max(_MOST_BYTES // len(template.text), 1)
        reach = renderer.reach([Render(template, one, tokens) for one in given[:most]])
        for part in found:
            lines = [0] if reach is None else lines_of(template.text, (part.ours, part.its)[side], reach.lines)
            for line in lines:
                if reach is None or line not in reach.reached:
                    return line_before(spread_out[0].text, part.ours[0])
    return 0


def _pairs(
    renderer: Renderer, ours: Template, its: Template, tokens: Mapping[str, str], given: Sequence[Conversation]
) -> list[Pair]:
    answers = [renderer.render([Render(template, one, tokens) for one in given]) for template in (ours, its)]
    return list(zip(*answers, strict=True))


def _forms(pair: Pair) -> tuple[bool, bool]:
    """Which of the two answers are prompts."""
    ours, its = (isinstance(answer, Rendering) and answer.prompt is not None for answer in pair)
    return ours, its


def _smallest(
    renderer: Renderer,
    templates: tuple[Template, Template],
    tokens: Mapping[str, str],
    conversation: Conversation,
    pair: Pair,
    tried: int,
) -> Comparison:
    """The smallest conversation on which the answers still differ, and have the same forms."""
    forms = _forms(pair)

    def check(given: Sequence[Conversation]) -> list[bool]:
        return [differ(one) and _forms(one) == forms for one in _pairs(renderer, *templates, tokens, given)]

    small = conversation.shrunk(check)
    (answers,) = _pairs(renderer, *templates, tokens, [small])
    return Comparison(tried, small, *answers)


def side_by_side(comparison: Comparison) -> Iterator[str]:
    """Both answers, as literals around the place where they differ."""
    prompts = [answer.prompt if isinstance(answer, Rendering) else None for answer in (comparison.ours, comparison.its)]
    if prompts[0] is not None and prompts[1] is not None:
        yield from around(prompts[0], prompts[1])
        return
    for answer in (comparison.ours, comparison.its):
        yield told(answer)


def told(answer: Answer | None) -> str:
    """An answer for a reader."""
    if isinstance(answer, Rendering):
        return literal(answer.prompt) if answer.prompt is not None else f"the error {literal(answer.raised)}"
    return f"no prompt ({plain(answer.message)[:200]})" if answer is not None else "no prompt"
