"""The reference renderer makes the prompts of transformers; whatever a template does, its process is bounded."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokparity.chat import Renderer
from tokparity.outcome import Failure, Rendering
from tokparity.questions.render import Conversation, Render, Template

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
HELLO = Conversation(({"role": "user", "content": "Hi"},), add_generation_prompt=True)


def question(template: str, conversation: Conversation = HELLO) -> Render:
    """A template and a conversation, with BOS and EOS."""
    return Render(Template(template), conversation, TOKENS)


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    """One process for all templates that behave."""
    with Renderer() as made:
        yield made


def only(renderer: Renderer, template: str, conversation: Conversation = HELLO) -> Rendering | Failure:
    """The one answer."""
    (answer,) = renderer.render([question(template, conversation)])
    return answer


CHAT = """{{ bos_token }}{% for message in messages %}
    {%- if message.role not in ['user', 'assistant'] %}{{ raise_exception('no role ' + message.role) }}{% endif %}
<|{{ message.role }}|>{{ message['content'] | trim }}{{ eos_token }}
{% endfor %}
{% if add_generation_prompt %}<|assistant|>{% endif %}
"""


@pytest.mark.parametrize(
    ("template", "prompt"),
    [
        (CHAT, "<s><|user|>Hi</s>\n<|assistant|>"),
        ("{{ messages | tojson }}", '[{"role": "user", "content": "Hi"}]'),
        ("{{ {'b': 'é<', 'a': 1} | tojson(indent=1) }}", '{\n "b": "é<",\n "a": 1\n}'),
        ("{% for i in range(5) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}", "012"),
        ("{% generation %}a{% set b = 'inner' %}{% endgeneration %}{{ b }}", "a"),
        ("{{ strftime_now('%Y-%m-%d') }}", "2026-01-02"),
        ("{{ 'a b' | wordwrap(1) }}", "a\nb"),
        ("{% set ns = namespace(n=1) %}{% set ns.n = 2 %}{{ ns.n }}{{ dict(a=1).a }}", "21"),
        ("{{ tools }}{{ documents }}{{ absent }}", "NoneNone"),
    ],
)
def test_templates_behave_as_those_of_transformers(renderer: Renderer, template: str, prompt: str) -> None:
    """Blocks are trimmed, JSON is not escaped, loops have controls, the clock is pinned."""
    assert Rendering(prompt) == only(renderer, template)


def test_a_template_that_raises_tells_why(renderer: Renderer) -> None:
    """What it raises on purpose is an answer, and no failure."""
    told = only(renderer, CHAT, Conversation(({"role": "system", "content": "x"},)))
    assert Rendering(None, "no role system") == told


def test_fields_that_are_none_are_absent(renderer: Renderer) -> None:
    """As in transformers; reasoning has each of its names."""
    conversation = Conversation(({"role": "a", "content": None, "reasoning": "r"},))
    told = only(renderer, "{{ 'content' in messages[0] }} {{ messages[0].reasoning_content }}", conversation)
    assert Rendering("False r") == told


def test_variables_of_a_conversation_are_there(renderer: Renderer) -> None:
    """Each absent, None or a value."""
    template = "{{ enable_thinking is defined }}{{ enable_thinking }}"
    extras: list[dict[str, object]] = [{}, {"enable_thinking": None}, {"enable_thinking": False}]
    found = [only(renderer, template, Conversation((), extra=extra)) for extra in extras]
    assert [Rendering("False"), Rendering("TrueNone"), Rendering("TrueFalse")] == found


NESTED = "{% for a in range(9999) %}" * 3 + "{% endfor %}" * 3
DOUBLED = "{% set ns = namespace(x='x' * 1000) %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}"
ENDLESS = "{% for a in range(9999) %}{% for b in range(9999) %}{{ 'x' * 1000 }}{% endfor %}{% endfor %}"
ATTACKS = {
    "nested loops": (NESTED, "timeout", "no answer within"),
    "a doubled text": (DOUBLED, "memory", "it may take 0.2 GiB"),
    "a width of 1,000,000,000": ("{{ '%1000000000d' % 1 }}", "memory", ""),
    "a product": ("{{ 'x' * 9999999999 }}", "memory", ""),
    "a power": ("{{ 9 ** (9 ** 9) }}", "timeout", "no answer within"),
    "an endless prompt": (ENDLESS, "error", "the prompt has more than"),
    "the class of a text": ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "error", "SecurityError"),
    "the globals of a function": ("{{ raise_exception.__globals__.x }}", "error", "SecurityError"),
    "the class by a filter": ("{{ ('' | attr('__class__')).__mro__ }}", "error", "SecurityError"),
    "a format that reads attributes": ("{{ '{0.__class__.__mro__}'.format(1) }}", "error", "SecurityError"),
    "a namespace with a class": ("{% set n = namespace(__class__=1) %}", "error", "SecurityError"),
    "a change of the messages": ("{{ messages.append(1) }}", "error", "SecurityError"),
    "another template": ("{% include '/etc/passwd' %}", "error", "no loader"),
    "no template": ("{% for %}", "error", "TemplateSyntaxError"),
    "deep brackets": ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "error", "RecursionError"),
    "a template of 300,000 bytes": ("x" * 300_000, "error", "the template has more than 262144 bytes"),
    "a call of itself": ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "error", "RecursionError"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_a_told_failure(name: str) -> None:
    """It ends within its bounds, says of what, and the process answers the next question."""
    template, kind, words = ATTACKS[name]
    with Renderer(seconds=1.5) as attacked:
        failure = only(attacked, template)
        assert isinstance(failure, Failure)
        assert kind == failure.kind, failure
        assert words in failure.message
        assert Rendering("Hi") == only(attacked, "{{ messages[0].content }}")


def test_a_prompt_may_be_as_long_as_its_conversation_asks_for(renderer: Renderer) -> None:
    """65,536 characters, and 16 for each of the conversation: 200 prompts fit into memory."""
    text = "x" * 100_000
    long = Conversation(({"role": "user", "content": text},))
    assert Rendering(text * 10) == only(renderer, "{{ messages[0].content * 10 }}", long)
    failure = only(renderer, "{{ 'x' * 100000 }}")
    assert isinstance(failure, Failure)
    assert "the prompt has more than" in failure.message


def test_only_the_guilty_question_fails() -> None:
    """The others of its batch are answered."""
    with Renderer(seconds=1.5) as attacked:
        first, bad, last = attacked.render([question("a"), question("{{ 'x' * 9999999999 }}"), question("b")])
    assert [Rendering("a"), Rendering("b")] == [first, last]
    assert isinstance(bad, Failure)


def test_nothing_outlives_its_limit() -> None:
    """A template that hangs has no process any more when it is answered, and a second one is the last."""
    with Renderer(seconds=0.5) as attacked:
        started = time.monotonic()
        answers = attacked.render([question(NESTED)] * 4)
        assert 30.0 > time.monotonic() - started  # each of 4 would take minutes
        assert ["timeout", "timeout", "unavailable", "unavailable"] == [getattr(one, "kind", "") for one in answers]
        worker = attacked._client.worker_pid
        children = Path(f"/proc/{worker}/task/{worker}/children")
        assert not children.exists() or "" == children.read_text().strip()


def test_the_process_can_open_and_start_nothing() -> None:
    """What would escape the sandbox finds no files and no programs."""
    pid = os.fork()
    if pid == 0:
        from tokparity.engines.renderers.shut import shut

        code = 1
        try:
            shut()
            os.open("/etc/hostname", os.O_RDONLY)
        except OSError:
            code = 0
        finally:
            os._exit(code)
    assert 0 == os.waitpid(pid, 0)[1]


def test_the_words_of_a_template(renderer: Renderer) -> None:
    """The variables, fields and strings that decide what it writes."""
    found = renderer.words(
        "{% if thinking is defined and messages[0]['role'] == 'tool' %}{{ messages[0].name }}{% endif %}"
    )
    assert {"variables": ["messages", "thinking"], "fields": ["name", "role"], "strings": ["tool"]} == found
    assert {} == renderer.words("{% for %}")
