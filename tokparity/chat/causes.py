"""What renderers do otherwise than the reference, as changes of it; the fewest that explain a renderer's prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from tokparity import quirks
from tokparity.chat.changes import (
    each_message,
    joined,
    merged,
    stripped,
    with_bos,
    with_empty_tools,
    with_extra,
    with_fields,
    with_plain_tools,
    with_returns,
    without_token,
)
from tokparity.chat.compare import Answer, alike
from tokparity.chat.renderer import Renderer
from tokparity.generators.conversations import conversations
from tokparity.outcome import Rendering
from tokparity.questions.render import Render, Template

Ask = Callable[[Sequence[Render]], Sequence[Answer]]

_ATTACKS = 60
"""Conversations with which a cause is attacked."""

_ENOUGH = 10
"""Conversations that both must have answered before a cause is verified."""


@dataclass(frozen=True)
class Cause:
    """One thing that a renderer does otherwise: to the question, to Jinja (a flip of its set-up), or to the prompt."""

    name: str
    sentence: str
    fix: str
    asked: Callable[[Render], Render] = lambda question: question
    flip: str = ""
    wrote: Callable[[str, Mapping[str, str]], str] = lambda prompt, tokens: prompt


@dataclass(frozen=True)
class Explanation:
    """Causes that make the reference write what a renderer wrote; `right` of `tried` other conversations agree."""

    causes: tuple[Cause, ...]
    right: int
    tried: int

    @property
    def is_verified(self) -> bool:
        """Whether every other conversation agreed, and there were enough."""
        return self.right == self.tried >= _ENOUGH


def explained(question: Render, answer: Rendering, ask: Ask, words: Mapping[str, Sequence[str]]) -> Explanation | None:
    """The fewest causes with which the reference writes this prompt, the best verified first; None where none do."""
    given = [one for one in conversations(words) if one.messages]
    others = given[:: max(len(given) // _ATTACKS, 1)][:_ATTACKS]
    questions = [replace(question, conversation=one) for one in others]
    with Renderer() as reference:
        (right,) = reference.render([question])
        for count in (1, 2):
            foreseen = {one: predicted(one, reference, [question])[0] for one in combinations(CAUSES, count)}
            told = [one for one, its in foreseen.items() if its == answer or (_writes(its, answer) and its != right)]
            if told:
                answers = ask(questions)
                return max((_attacked(one, reference, questions, answers) for one in told), key=_certainty)
    return None


def _writes(foreseen: Answer, answer: Rendering) -> bool:
    return answer.prompt is not None and alike(foreseen, answer)


def predicted(causes: Sequence[Cause], reference: Renderer, questions: Sequence[Render]) -> list[Answer]:
    """What the reference answers with these causes."""
    asked = []
    for question in questions:
        for cause in causes:
            question = cause.asked(question)
        asked.append(question)
    answers: list[Answer] = []
    flips = [cause.flip for cause in causes if cause.flip]
    for question, answer in zip(questions, reference.render(asked, flips), strict=True):
        if isinstance(answer, Rendering) and answer.prompt is not None:
            prompts = [answer.prompt] if answer.today is None else [answer.prompt, answer.today]
            for cause in causes:
                prompts = [cause.wrote(prompt, question.tokens) for prompt in prompts]
            answer = replace(answer, prompt=prompts[0], today=prompts[-1])
        answers.append(answer)
    return answers


def _attacked(
    causes: tuple[Cause, ...],
    reference: Renderer,
    questions: Sequence[Render],
    answers: Sequence[Answer],
) -> Explanation:
    foreseen = predicted(causes, reference, questions)
    pairs = [
        pair for pair in zip(foreseen, answers, strict=True) if all(isinstance(answer, Rendering) for answer in pair)
    ]
    return Explanation(causes, sum(alike(*pair) for pair in pairs), len(pairs))


def _certainty(found: Explanation) -> tuple[bool, int]:
    return found.is_verified, found.right


def _cause(
    name: str,
    asked: Callable[[Render], Render] = lambda question: question,
    flip: str = "",
    wrote: Callable[[str, Mapping[str, str]], str] = lambda prompt, tokens: prompt,
) -> Cause:
    """The cause with the words of the quirk of its name."""
    quirk = quirks.get(name)
    return Cause(name, f"It {quirk.title[0].lower()}{quirk.title[1:]}.", quirk.fix, asked, flip, wrote)


CHATML = Template(
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)

CAUSES = (
    _cause("never_writes_bos", without_token("bos_token")),
    _cause("never_writes_eos", without_token("eos_token")),
    _cause("writes_bos_twice", wrote=with_bos),
    _cause("no_generation_prompt", with_fields(add_generation_prompt=False)),
    _cause("always_generation_prompt", with_fields(add_generation_prompt=True)),
    _cause("takes_chatml", lambda question: replace(question, template=CHATML)),
    _cause("drops_tools", with_fields(tools=None)),
    _cause("drops_variables", with_fields(extra={})),
    _cause("trims_contents", each_message(stripped)),
    _cause("joins_parts", each_message(joined)),
    _cause("merges_system", merged("\n")),
    _cause("merges_system_apart", merged("\n\n")),
    _cause("defines_enable_thinking", lambda question: with_extra(question, "enable_thinking", True)),
    _cause("rebuilds_tools", with_plain_tools),
    _cause(
        "passes_date_string",
        lambda question: with_extra(question, "date_string", datetime.now().strftime("%d %b %Y")),
    ),
    _cause("empty_tools", with_empty_tools),
    *(
        _cause(name, flip=name, wrote=with_returns)
        for name in ("keeps_carriage_returns", "keeps_carriage_returns_after_blocks")
    ),
    *(
        _cause(name, flip=name)
        for name in (
            *("trims_ascii_only", "none_is_empty", "keeps_none_fields", "writes_values_as_json", "keeps_line_ends"),
            *("keeps_indents", "escapes_json", "escapes_json_in_order", "reads_clock", "counts_bytes"),
            *("indent_first_line", "none_is_iterable", "drops_text_before_comment", "sandbox_refuses"),
        )
    ),
)
"""All causes that are known, the plainest first; `quirks.prompts` has their words."""

DAILY = ("passes_date_string", "reads_clock")
"""Causes whose prompts change from day to day."""
