"""The prompts that several renderers make of one conversation, their ids, and the laws that prompts should obey."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tokparity.chat.causes import Explanation, explained
from tokparity.chat.compare import Answer, alike
from tokparity.chat.grouping import smallest, with_template
from tokparity.chat.place import around
from tokparity.chat.reasons import Finding
from tokparity.chat.renderer import Renderer
from tokparity.engines.renderers import engine_of
from tokparity.errors import TokparityError
from tokparity.outcome import NOT_ASKED, Failure, Rendering
from tokparity.questions.json_text import as_bytes, literal
from tokparity.questions.render import Conversation, Render
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind

ORACLE = "jinja2"
"""The renderer that the others are compared with; it is set up as that of transformers."""


@dataclass(frozen=True)
class Prompt:
    """What one renderer made of a conversation: the answer, and its prompt's ids with their pieces."""

    renderer: str
    version: str
    answer: Answer
    ids: tuple[int, ...] = ()
    pieces: tuple[bytes, ...] = ()


def prompts(names: Sequence[str], question: Render, tokenizer: Tokenizer, path: str = "") -> list[Prompt]:
    """The prompt of each renderer; the ids are those of the model's own tokenizer, which adds none around a prompt.

    `path` is that of the model's tekken.json, if it has one.
    """
    found = []
    for name in names:
        version, answer = _asked(name, question, path)
        ids: tuple[int, ...] = ()
        if isinstance(answer, Rendering) and answer.prompt is not None:
            ids = tuple(tokenizer.encode(as_bytes(answer.prompt), False, True))
        pieces = tuple(tokenizer.vocabulary.pieces[i] for i in ids)
        found.append(Prompt(name, version, answer, ids, pieces))
    return found


def _asked(name: str, question: Render, path: str) -> tuple[str, Answer]:
    """The renderer's version and answer; where it cannot be used, why."""
    with Renderer(engine_of(name), path=path) as renderer:
        try:
            version = renderer.version()
        except TokparityError as error:
            return "", Failure("unavailable", error.message)
        (answer,) = renderer.render([question])
        return version, answer


def differing(found: Sequence[Prompt]) -> list[Prompt]:
    """The renderers whose prompt differs from that of the oracle, which comes first; not those that could not run."""
    right = found[0].answer
    if not isinstance(right, Rendering):
        return []
    asked = [one for one in found[1:] if not (isinstance(one.answer, Failure) and one.answer.kind in NOT_ASKED)]
    return [one for one in asked if not isinstance(one.answer, Rendering) or not alike(right, one.answer)]


def why(one: Prompt, right: Answer, question: Render, path: str = "") -> Iterator[str]:
    """Say how the renderer's prompt differs from the oracle's, and where it shows; nothing if it made none."""
    if not isinstance(one.answer, Rendering):
        return
    with Renderer(engine_of(one.renderer), path=path) as other, Renderer() as reference:
        found = explained(question, one.answer, other.render, reference.words(question.template.text))
        yield f"cause: {_told(found) if found else 'no known cause explains this prompt'}"
        causes = found.causes if found else ()
        shown = smallest(Finding((0,), question, right, one.answer, causes), other, reference)
        yield f"smallest conversation that shows it: {shown.question.conversation.literal}"
        yield f"smallest template that shows it there: {literal(with_template(shown, other, reference).template)}"


def _told(found: Explanation) -> str:
    names = " + ".join(cause.name for cause in found.causes)
    sure = f"{'verified' if found.is_verified else 'in part'}: {found.right} of {found.tried} other conversations agree"
    told = " ".join(f"{cause.sentence} {cause.fix}" for cause in found.causes)
    return f"{names} ({sure}). {told}"


def broken_laws(question: Render, prompt: str, tokenizer: Tokenizer) -> Iterator[str]:
    """In sentences, what a program must know that makes ids of this prompt."""
    yield from _bos_twice(prompt, tokenizer)
    with Renderer() as renderer:
        yield from _no_prefix(question, renderer)
        yield from _no_growth(question, renderer)
    yield from _controls_in_messages(question.conversation, prompt, tokenizer)


def _bos_twice(prompt: str, tokenizer: Tokenizer) -> Iterator[str]:
    """Both the template and the tokenizer write BOS."""
    put = as_bytes(prompt)
    bare, around = (tokenizer.encode(put, add_special, True) for add_special in (False, True))
    prefix = list(tokenizer.behaviour.prefix_ids)
    if prefix and bare[: len(prefix)] == prefix and around[: 2 * len(prefix)] == 2 * prefix:
        piece = literal(tokenizer.vocabulary.pieces[prefix[0]])
        yield (
            f"BOS twice: the template writes {piece}, and the tokenizer adds {piece} again. The ids begin with "
            f"{', '.join(map(str, around[: 2 * len(prefix)]))}. Encode prompts with add_special off."
        )


def _no_prefix(question: Render, renderer: Renderer) -> Iterator[str]:
    """The prompt with the generation prompt does not begin with the one without."""
    given = question.conversation
    without, whole = _made(question, [replace(given, add_generation_prompt=adds) for adds in (False, True)], renderer)
    if without is not None and whole is not None and not whole.startswith(without):
        yield (
            "No prefix: the prompt with the generation prompt does not begin with the prompt without it. "
            "A cache of the first is of no use for the second."
        )
    elif without is not None and without == whole and question.conversation.messages:
        yield "No generation prompt: the template writes the same with add_generation_prompt and without it."


def _no_growth(question: Render, renderer: Renderer) -> Iterator[str]:
    """The prompt of the first messages does not begin that of more messages."""
    given = replace(question.conversation, add_generation_prompt=False)
    counts = range(1, len(given.messages) + 1)
    made = _made(question, [replace(given, messages=given.messages[:count]) for count in counts], renderer)
    grown = [(count, prompt) for count, prompt in zip(counts, made, strict=True) if prompt is not None]
    for (few, before), (more, after) in pairwise(grown):
        if not after.startswith(before):
            first, second = around(before, after)
            yield (
                f"No growth: the prompt of the first {few} messages does not begin the prompt of the first {more}. The "
                f"template writes {first}, then {second}. A cache of the first is of no use for the second. "
                "This is a property of the template, and no fault of a renderer."
            )
            return


def _made(question: Render, given: Sequence[Conversation], renderer: Renderer) -> list[str | None]:
    """The reference's prompts of several conversations; None where there is none."""
    answers = renderer.render([replace(question, conversation=one) for one in given])
    return [one.prompt if isinstance(one, Rendering) else None for one in answers]


def _controls_in_messages(conversation: Conversation, prompt: str, tokenizer: Tokenizer) -> Iterator[str]:
    """Texts in messages that become control ids."""
    kinds = tokenizer.vocabulary.kinds
    special = {token.id for token in tokenizer.vocabulary.added if token.special}
    special |= {i for i, kind in enumerate(kinds) if kind is Kind.CONTROL}
    for number, message in enumerate(conversation.messages, 1):
        content = message.get("content")
        if not isinstance(content, str) or not content.strip() or content.strip() not in prompt:
            continue
        plain = set(tokenizer.encode(as_bytes(content), False, False))
        found = [i for i in tokenizer.encode(as_bytes(content), False, True) if i in special and i not in plain]
        if found:
            told = ", ".join(f"{literal(tokenizer.vocabulary.pieces[i])} ({i})" for i in dict.fromkeys(found))
            yield (
                f"Control tokens in a message: the content of message {number} becomes {told}. "
                "Who writes the message can end a turn or begin one. Remove such texts, or encode contents apart."
            )
