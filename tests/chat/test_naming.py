"""A cause is named where it writes a renderer's prompts, and no other prompt of that renderer speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from templates import TURNS

from tokparity.chat import Renderer
from tokparity.chat.causes import CAUSES, predicted
from tokparity.chat.compare import Answer
from tokparity.chat.naming import Compared, Predictions, alike
from tokparity.chat.reasons import Finding, findings
from tokparity.generators.conversations import conversations
from tokparity.outcome import Failure, Rendering
from tokparity.questions.render import Conversation, Render, Template

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
BLOCKS = """{% for m in messages %}
    {% if m.role == 'user' %}
<u>{{ m.content }}
    {% else %}
<{{ m.role }}>{{ m.content }}
    {% endif %}
{% endfor %}
{% if add_generation_prompt %}
<assistant>
{% endif %}
"""
"""A template that leans on both settings of Jinja for blocks."""

PLAIN = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{{ '<|im_start|>assistant' if add_generation_prompt else '<end>' }}"
)
PARTS = """{% for m in messages %}{{ bos_token }}<{{ m.role }}>{{ m.content + eos_token }}{% endfor %}"""
"""A template that fails where a content is a list."""

Other = Callable[[list[Render], Renderer], list[Answer]]


@pytest.fixture(scope="module")
def reference() -> Iterator[Renderer]:
    """The reference, which takes any flip."""
    with Renderer() as made:
        yield made


def found(template: str, other: Other, reference: Renderer) -> list[Finding]:
    """What is said of a renderer on the conversations that the template asks for."""
    given = [one for one in conversations(reference.words(template)) if one.messages]
    questions = [Render(Template(template), one, TOKENS) for one in given]
    right, its = reference.render(questions), other(questions, reference)
    wrong = [i for i in range(len(questions)) if not alike(right[i], its[i])]
    same = [i for i, one in enumerate(right) if i not in wrong and isinstance(one, Rendering)]
    return list(findings(Compared(questions, right, its, wrong, same, Predictions(reference))))


def named(found: list[Finding]) -> dict[str, str]:
    """The causes that are named, and how sure each is."""
    return {one.reason: one.status for one in found if one.causes}


def planted(*names: str) -> Other:
    """A renderer with these causes."""
    causes = [cause for cause in CAUSES if cause.name in names]
    return lambda questions, reference: predicted(causes, reference, questions)


def first_part(questions: list[Render], reference: Renderer) -> list[Answer]:
    """A renderer that takes the first part of a content."""

    def taken(given: Conversation) -> Conversation:
        first = [
            {**m, "content": next((p["text"] for p in m["content"] if "text" in p), "")}
            if isinstance(m.get("content"), list)
            else m
            for m in given.messages
        ]
        return replace(given, messages=tuple(first))

    return list(reference.render([replace(one, conversation=taken(one.conversation)) for one in questions]))


def with_end(questions: list[Render], reference: Renderer) -> list[Answer]:
    """A renderer that writes a line end behind all prompts, as ChatML's template does behind its last words."""
    told = reference.render(questions)
    return [Rendering(one.prompt + "\n") if isinstance(one, Rendering) and one.prompt else one for one in told]


def failing(questions: list[Render], reference: Renderer) -> list[Answer]:
    """A renderer that writes nothing at all."""
    return [Failure("error", "no")] * len(questions)


def test_what_other_prompts_contradict_is_in_part(reference: Renderer) -> None:
    """Parts that are joined, where there are two: the renderer writes the first one."""
    (one,) = [one for one in found(PARTS, first_part, reference) if one.causes]
    assert ("joins_parts", "in part") == (one.reason, one.status)
    assert one.against
    assert one.right + len(one.against) == one.tried


def test_what_more_prompts_contradict_than_show_it_is_not_named(reference: Renderer) -> None:
    """ChatML has the line end that this renderer writes, but behind a generation prompt alone."""
    told = found(PLAIN, with_end, reference)
    assert {} == named(told)
    assert ["on all conversations"] == [one.told for one in told]


def test_no_causes_explain_a_renderer_that_always_fails(reference: Renderer) -> None:
    """That a cause fails as well on some conversations says nothing."""
    told = found(TURNS, failing, reference)
    assert {} == named(told)
    assert {"it fails: no"} == {one.told for one in told}


@pytest.mark.parametrize(
    "names", [("keeps_line_ends",), ("keeps_indents",), ("keeps_line_ends", "keeps_indents")], ids="+".join
)
def test_settings_of_blocks_are_found_alone_and_together(names: tuple[str, ...], reference: Renderer) -> None:
    """However many causes change the prompts of a template."""
    assert {" + ".join(names): "verified"} == named(found(BLOCKS, planted(*names), reference))


def test_two_causes_do_not_contradict_each_other(reference: Renderer) -> None:
    """Where both change a prompt, both together write it."""
    told = named(found(TURNS, planted("never_writes_bos", "trims_contents"), reference))
    assert {"verified"} == set(told.values())
    assert {"never_writes_bos", "trims_contents"} == {name for one in told for name in one.split(" + ")}


def test_what_fails_elsewhere_does_not_contradict_a_cause(reference: Renderer) -> None:
    """A renderer without BOS that takes no tools has two faults, and the first is sure."""

    def other(questions: list[Render], reference: Renderer) -> list[Answer]:
        told = planted("never_writes_bos")(questions, reference)
        return [
            Failure("error", "no tools") if one.conversation.tools else answer
            for one, answer in zip(questions, told, strict=True)
        ]

    told = found(TURNS, other, reference)
    assert {"never_writes_bos": "verified"} == named(told)
    assert "it fails: no tools" in {one.told for one in told}


def test_a_clock_changes_nothing_that_is_named(reference: Renderer) -> None:
    """Prompts with the day of today are right, and a cause is verified by them as by those of the fixed day."""
    dated = "{{ strftime_now('%Y-%m-%d') }}\n" + TURNS
    assert [] == found(dated, planted("reads_clock"), reference)
    assert {"never_writes_bos": "verified"} == named(
        found(dated, planted("never_writes_bos", "reads_clock"), reference)
    )


def test_another_day_is_not_right(reference: Renderer) -> None:
    """Neither the fixed day nor that of today."""

    def other(questions: list[Render], reference: Renderer) -> list[Answer]:
        told = reference.render(questions)
        return [
            Rendering(one.prompt.replace("2026", "1999")) if isinstance(one, Rendering) and one.prompt else one
            for one in told
        ]

    (one,) = found("{{ strftime_now('%Y-%m-%d') }}", other, reference)
    assert ("on all conversations", ()) == (one.told, one.causes)


def test_a_cause_that_another_fault_hides_is_in_part(reference: Renderer) -> None:
    """A renderer without BOS that mostly writes another end as well: BOS is named, for it is missing everywhere."""

    def other(questions: list[Render], reference: Renderer) -> list[Answer]:
        told = planted("never_writes_bos")(questions, reference)
        return [
            Rendering(f"{its.prompt}?!") if isinstance(its, Rendering) and its.prompt and "Hi" in its.prompt else its
            for its in told
        ]

    told = found(TURNS, other, reference)
    (bos,) = [one for one in told if one.causes]
    assert ("never_writes_bos", "in part") == (bos.reason, bos.status)
    assert len(bos.against) > len(bos.places)
