"""Each cause is planted in the reference, found by the prompts alone, and named; with a second one as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from templates import CHATML

from tokparity.chat import Renderer
from tokparity.chat.causes import CAUSES, Cause, explained, predicted
from tokparity.outcome import Rendering
from tokparity.questions.render import Conversation, Render, Template

ALL = """{{ bos_token }}
{% for message in messages %}
    {% set content = message.content if message.content is string else message.content | map(attribute='text') | join %}
<{{ message.role }}>{{ content }}|{{ content | trim }}|{{ content.strip() }}{{ message.name is defined }}{{ eos_token }}
{% endfor %}
{% if tools %}{{ tools | tojson }}{% endif %}{{ none }}{{ true }}{{ tools is none }}{{ none is iterable }}
{{ enable_thinking is defined }}{{ date_string is defined }}
{{ strftime_now('%Y-%m-%d') }}{{ 'é' | length }}{{ 'a\n b' | indent(2) }}
a note {# that is dropped #}
a line\r
{% if true %}\r
{% endif %}
{% if x is defined and x == 'append' %}{{ messages.append(1) }}{% endif %}
    {% if x is defined %}x{{ x }}{% endif %}
{% if add_generation_prompt %}<assistant>{% endif %}"""

PARTS = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
CONVERSATION = Conversation(
    (
        {"role": "system", "content": " Be <brief>. "},
        {"role": "user", "content": "\u00a0Hi\u3000", "name": None},
        {"role": "assistant", "content": PARTS},
    ),
    tools=({"type": "function", "function": {"name": "a<b", "response": 1}},),
    add_generation_prompt=True,
    extra={"x": 1},
)
SHOWS: dict[str, dict[str, Any]] = {
    "always_generation_prompt": {"add_generation_prompt": False},
    "empty_tools": {"tools": None},
    "sandbox_refuses": {"extra": {"x": "append"}},
    "takes_chatml": {"messages": ({"role": "user", "content": "Hi"},)},
}
"""What the conversation must have for a cause to show."""

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
WORDS = {"variables": ["x"]}


@pytest.fixture(scope="module")
def reference() -> Iterator[Renderer]:
    """The reference, which takes any flip."""
    with Renderer() as made:
        yield made


def planted(causes: Sequence[Cause], reference: Renderer, questions: Sequence[Render]) -> list[object]:
    """A renderer that has these causes."""
    return list(predicted(causes, reference, questions))


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.name)
def test_a_planted_cause_is_found_and_named(cause: Cause, reference: Renderer) -> None:
    """By one conversation on which it shows, and verified on others."""
    given = replace(CONVERSATION, **SHOWS.get(cause.name, {}))
    question = Render(Template(ALL), given, TOKENS)
    ask = partial(planted, (cause,), reference)
    (answer,), (right,) = ask([question]), reference.render([question])
    assert isinstance(answer, Rendering)
    assert answer != right
    found = explained(question, answer, ask, WORDS)  # type: ignore[arg-type]
    assert found is not None
    assert [cause.name] == [one.name for one in found.causes]
    assert found.is_verified, found


def test_two_causes_together_are_found(reference: Renderer) -> None:
    """As llama.cpp's function has them."""
    both = [cause for cause in CAUSES if cause.name in ("never_writes_bos", "trims_contents")]
    question = Render(Template(ALL), CONVERSATION, TOKENS)
    ask = partial(planted, both, reference)
    found = explained(question, ask([question])[0], ask, WORDS)  # type: ignore[arg-type]
    assert found is not None
    assert {"never_writes_bos", "trims_contents"} == {one.name for one in found.causes}


LINES = (
    "{% for one in messages %}\r\n{{ one.content }}\r\n{% if true -%}\r\n  x{% endif %}\r\n"
    "'{{ 'a\r\nb' }}'{%- endfor %}\r\nend\r\n"
)
"""A template that was saved with the line ends of Windows."""


def test_carriage_returns_are_explained(reference: Renderer) -> None:
    """What two released renderers wrote. Jinja makes line feeds of a template's line ends, and keeps contents."""
    question = Render(Template(LINES), Conversation(({"role": "user", "content": "hi\r\n"},)), TOKENS)
    assert [Rendering("hi\r\n\nx'a\nb'end")] == reference.render([question])
    written = {
        "keeps_carriage_returns": "hi\r\n\r\nx'a\r\nb'end",  # minijinja 3.1.0
        "keeps_carriage_returns_after_blocks": "\r\nhi\r\n\r\nx\r\n'a\r\nb'\r\nend\r",  # @huggingface/jinja 0.5.11
    }
    for cause in CAUSES:
        if cause.name in written:
            answer = Rendering(written.pop(cause.name))
            assert [answer] == predicted((cause,), reference, [question])
            found = explained(question, answer, partial(planted, (cause,), reference), WORDS)  # type: ignore[arg-type]
            assert found is not None
            assert ([cause.name], True) == ([one.name for one in found.causes], found.is_verified)
    assert {} == written


def test_what_no_cause_explains_has_none(reference: Renderer) -> None:
    """Another prompt altogether is not forced into a fit."""
    question = Render(Template(CHATML), CONVERSATION, TOKENS)
    assert None is explained(question, Rendering("something else"), reference.render, WORDS)


def test_a_cause_that_fits_one_conversation_alone_is_in_part(reference: Renderer) -> None:
    """Other conversations refute it, and their number is told."""
    bos = next(cause for cause in CAUSES if cause.name == "never_writes_bos")
    question = Render(Template(ALL), CONVERSATION, TOKENS)
    (answer,) = planted((bos,), reference, [question])
    assert isinstance(answer, Rendering)
    found = explained(question, answer, reference.render, WORDS)
    assert found is not None
    assert not found.is_verified
    assert found.right < found.tried


def test_every_cause_has_its_sentences() -> None:
    """What happens and what to do, as docs/chat.md has it."""
    page = (Path(__file__).parents[2] / "docs" / "chat.md").read_text(encoding="utf-8")
    rows = [f"| `{cause.name}` | {cause.sentence} | {cause.fix} |" for cause in CAUSES]
    assert [] == [row for row in rows if row not in page]
    assert len(CAUSES) == len({cause.name for cause in CAUSES})
    assert [] == [cause.name for cause in CAUSES if not (cause.sentence.endswith(".") and cause.fix.endswith("."))]
