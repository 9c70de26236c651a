"""What renderers do otherwise than the reference, as changes of it; the fewest that explain a renderer's prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

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
from tokparity.chat.compare import Answer
from tokparity.chat.renderer import Renderer
from tokparity.generators.conversations import conversations
from tokparity.outcome import Rendering
from tokparity.questions.render import Render

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
        for count in (1, 2):
            told = [
                causes for causes in combinations(CAUSES, count) if predicted(causes, reference, [question]) == [answer]
            ]
            if told:
                answers = ask(questions)
                return max((_attacked(one, reference, questions, answers) for one in told), key=_certainty)
    return None


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
            prompt = answer.prompt
            for cause in causes:
                prompt = cause.wrote(prompt, question.tokens)
            answer = Rendering(prompt)
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
        (mine.prompt, its.prompt)
        for mine, its in zip(foreseen, answers, strict=True)
        if isinstance(mine, Rendering) and isinstance(its, Rendering)
    ]
    return Explanation(causes, sum(mine == its for mine, its in pairs), len(pairs))


def _certainty(found: Explanation) -> tuple[bool, int]:
    return found.is_verified, found.right


CAUSES = (
    Cause(
        "never_writes_bos", "It writes no BOS.", "Let the tokenizer add BOS to this prompt.", without_token("bos_token")
    ),
    Cause("never_writes_eos", "It writes no EOS.", "Give the renderer the model's EOS.", without_token("eos_token")),
    Cause("writes_bos_twice", "It writes BOS once more.", "Take one of the two away.", wrote=with_bos),
    Cause(
        "no_generation_prompt",
        "It ignores add_generation_prompt.",
        "Add the beginning of the answer to the prompt.",
        with_fields(add_generation_prompt=False),
    ),
    Cause(
        "always_generation_prompt",
        "It writes the generation prompt always.",
        "Pass add_generation_prompt to the template.",
        with_fields(add_generation_prompt=True),
    ),
    Cause("drops_tools", "It does not pass tools.", "Pass tools to the template.", with_fields(tools=None)),
    Cause("drops_variables", "It passes no other variables.", "Pass all variables.", with_fields(extra={})),
    Cause("trims_contents", "It trims each content.", "Pass contents as they are.", each_message(stripped)),
    Cause("joins_parts", "It joins the parts of a content with newlines.", "Pass the parts.", each_message(joined)),
    Cause(
        "merges_system",
        "It puts the system message and a line end before the next message's content.",
        "Pass the system message by itself.",
        merged("\n"),
    ),
    Cause(
        "merges_system_apart",
        "It puts the system message and an empty line before the next message's content.",
        "Pass the system message by itself.",
        merged("\n\n"),
    ),
    Cause(
        "defines_enable_thinking",
        "It sets enable_thinking to true where nobody does.",
        "Pass enable_thinking, or switch its default off.",
        lambda question: with_extra(question, "enable_thinking", True),
    ),
    Cause(
        "rebuilds_tools",
        "It passes the name, description and parameters of a tool alone.",
        "Pass tools as they are.",
        with_plain_tools,
    ),
    Cause(
        "passes_date_string",
        "It passes the day of today as date_string.",
        "Pass date_string yourself.",
        lambda question: with_extra(question, "date_string", datetime.now().strftime("%d %b %Y")),
    ),
    Cause("empty_tools", "It passes an empty list where there are no tools.", "Pass no tools.", with_empty_tools),
    *(
        Cause(name, sentence, "Save the template with line feeds alone.", flip=name, wrote=with_returns)
        for name, sentence in (
            ("keeps_carriage_returns", "It keeps the carriage returns of a template, but for those after a block."),
            ("keeps_carriage_returns_after_blocks", "It keeps all carriage returns of a template."),
        )
    ),
    *(
        Cause(name, sentence, fix, flip=name)
        for name, sentence, fix in (
            ("trims_ascii_only", "It trims ASCII white space alone.", "Trim as Python does."),
            ("none_is_empty", "It writes nothing for None.", "Write None as Python does."),
            ("keeps_none_fields", "It passes the fields of a message that are None.", "Leave out what is None."),
            ("writes_values_as_json", "It writes true, lists and dicts as JSON.", "Write values as Python does."),
            ("keeps_line_ends", "It keeps the line end after a block.", "Set trim_blocks."),
            ("keeps_indents", "It keeps the spaces before a block.", "Set lstrip_blocks."),
            ("escapes_json", "It escapes JSON for HTML, and sorts its keys.", "Replace the filter tojson."),
            ("escapes_json_in_order", "It escapes JSON for HTML.", "Replace the filter tojson."),
            ("reads_clock", "It writes the day of today, not the fixed one.", "Compare prompts of the same day."),
            ("counts_bytes", "It counts the bytes of a text as its length.", "Count characters."),
            ("indent_first_line", "It indents the first line as well.", "Leave out the first line, as Jinja does."),
            ("none_is_iterable", "It takes None for iterable.", "Test whether there are tools by `if tools`."),
            (
                "drops_text_before_comment",
                "It drops what stands before a comment in its line.",
                "Put comments into lines of their own.",
            ),
            (
                "sandbox_refuses",
                "It lets a template change a list, which the sandbox refuses.",
                "Render in the immutable sandbox.",
            ),
        )
    ),
)
"""All causes that are known, the plainest first."""

DAILY = ("passes_date_string", "reads_clock")
"""Causes whose prompts change from day to day."""
