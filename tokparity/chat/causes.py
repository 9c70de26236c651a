"""What renderers do otherwise than the reference, as changes of it; the fewest that explain a renderer's prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

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
    with ExitStack() as stack:
        renderers: dict[str, Renderer] = {}

        def flipped(name: str) -> Renderer:
            if name not in renderers:
                renderers[name] = stack.enter_context(Renderer(flips=(name,) if name else ()))
            return renderers[name]

        for count in (1, 2):
            told = [causes for causes in _choices(count) if _reference(causes, flipped, [question]) == [answer]]
            if told:
                answers = ask(questions)
                return max((_attacked(one, flipped, questions, answers) for one in told), key=_certainty)
    return None


def _choices(count: int) -> Iterator[tuple[Cause, ...]]:
    """Combinations with at most one flip of Jinja."""
    yield from (causes for causes in combinations(CAUSES, count) if sum(bool(one.flip) for one in causes) < 2)


def _reference(
    causes: Sequence[Cause], flipped: Callable[[str], Renderer], questions: Sequence[Render]
) -> list[Answer]:
    """What the reference answers with these causes."""
    asked = []
    for question in questions:
        for cause in causes:
            question = cause.asked(question)
        asked.append(question)
    answers: list[Answer] = []
    for question, answer in zip(questions, flipped("".join(cause.flip for cause in causes)).render(asked), strict=True):
        if isinstance(answer, Rendering) and answer.prompt is not None:
            prompt = answer.prompt
            for cause in causes:
                prompt = cause.wrote(prompt, question.tokens)
            answer = Rendering(prompt)
        answers.append(answer)
    return answers


def _attacked(
    causes: tuple[Cause, ...],
    flipped: Callable[[str], Renderer],
    questions: Sequence[Render],
    answers: Sequence[Answer],
) -> Explanation:
    predicted = _reference(causes, flipped, questions)
    pairs = [
        (mine.prompt, its.prompt)
        for mine, its in zip(predicted, answers, strict=True)
        if isinstance(mine, Rendering) and isinstance(its, Rendering)
    ]
    return Explanation(causes, sum(mine == its for mine, its in pairs), len(pairs))


def _certainty(found: Explanation) -> tuple[bool, int]:
    return found.is_verified, found.right


def _messages(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Render], Render]:
    """A question with each message changed."""

    def asked(question: Render) -> Render:
        given = question.conversation
        return replace(question, conversation=replace(given, messages=tuple(change({**one}) for one in given.messages)))

    return asked


def _conversation(**fields: Any) -> Callable[[Render], Render]:
    return lambda question: replace(question, conversation=replace(question.conversation, **fields))


def _token(name: str) -> Callable[[Render], Render]:
    return lambda question: replace(question, tokens={**question.tokens, name: ""})


def _stripped(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    return {**message, "content": content.strip()} if isinstance(content, str) else message


def _joined(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    texts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return {**message, "content": "\n".join(texts)}


def _merged(between: str) -> Callable[[Render], Render]:
    """A question with the system's message in front of the next message's content."""

    def asked(question: Render) -> Render:
        first, *rest = question.conversation.messages or ({},)
        if first.get("role") != "system" or not rest:
            return question
        told = {**rest[0], "content": f"{first.get('content')}{between}{rest[0].get('content')}"}
        return replace(question, conversation=replace(question.conversation, messages=(told, *rest[1:])))

    return asked


def _with_bos(prompt: str, tokens: Mapping[str, str]) -> str:
    return tokens.get("bos_token", "") + prompt


CAUSES = (
    Cause("never_writes_bos", "It writes no BOS.", "Let the tokenizer add BOS to this prompt.", _token("bos_token")),
    Cause("never_writes_eos", "It writes no EOS.", "Give the renderer the model's EOS.", _token("eos_token")),
    Cause("writes_bos_twice", "It writes BOS once more.", "Take one of the two away.", wrote=_with_bos),
    Cause(
        "no_generation_prompt",
        "It ignores add_generation_prompt.",
        "Add the beginning of the answer to the prompt.",
        _conversation(add_generation_prompt=False),
    ),
    Cause(
        "always_generation_prompt",
        "It writes the generation prompt always.",
        "Pass add_generation_prompt to the template.",
        _conversation(add_generation_prompt=True),
    ),
    Cause("drops_tools", "It does not pass tools.", "Pass tools to the template.", _conversation(tools=None)),
    Cause("drops_variables", "It passes no other variables.", "Pass all variables.", _conversation(extra={})),
    Cause("trims_contents", "It trims each content.", "Pass contents as they are.", _messages(_stripped)),
    Cause("joins_parts", "It joins the parts of a content with newlines.", "Pass the parts.", _messages(_joined)),
    Cause(
        "merges_system",
        "It puts the system message and a line end before the next message's content.",
        "Pass the system message by itself.",
        _merged("\n"),
    ),
    Cause(
        "merges_system_apart",
        "It puts the system message and an empty line before the next message's content.",
        "Pass the system message by itself.",
        _merged("\n\n"),
    ),
    Cause("trims_ascii_only", "It trims ASCII white space alone.", "Trim as Python does.", flip="trims_ascii_only"),
    Cause("none_is_empty", "It writes nothing for None.", "Write None as Python does.", flip="none_is_empty"),
    Cause("keeps_line_ends", "It keeps the line end after a block.", "Set trim_blocks.", flip="keeps_line_ends"),
    Cause("keeps_indents", "It keeps the spaces before a block.", "Set lstrip_blocks.", flip="keeps_indents"),
    Cause("escapes_json", "It escapes JSON for HTML.", "Replace the filter tojson.", flip="escapes_json"),
)
"""All causes that are known, the plainest first."""
