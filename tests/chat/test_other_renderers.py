"""Renderers outside of ours: libraries with an environment of their own, programs and servers of the user's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest
from templates import CHATML, INST

from tests.engines.servers_at_hand import SHAPES, served
from tests.rings import nightly_but
from tokparity.chat import Renderer
from tokparity.engines.environment.build import environment
from tokparity.engines.environment.released import TEMPLATES
from tokparity.engines.renderers import RENDERERS, UNASKED
from tokparity.errors import EngineError
from tokparity.outcome import Failure, Rendering
from tokparity.questions.render import Conversation, Render, Template

ROOT = Path(__file__).parents[2]
ADAPTER = ROOT / "tests" / "engines" / "chat_adapter.py"
SCHEMA = json.loads((ROOT / "docs" / "exec-protocol.schema.json").read_text(encoding="utf-8"))
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
HI = Conversation(({"role": "user", "content": "Hi"},), add_generation_prompt=True)


def of(content: str, **fields: object) -> Render:
    """A question with one message of the user."""
    conversation = Conversation.from_json({"messages": [{"role": "user", "content": content}], **fields})
    return Render(Template(CHATML), conversation, TOKENS)


@pytest.fixture(params=list(TEMPLATES))
def released(request: pytest.FixtureRequest) -> Iterator[tuple[str, Renderer]]:
    """A renderer in an environment of its own, which is made at the first time."""
    home = {"xllamacpp-server": "xllamacpp"}.get(request.param, request.param)
    version = TEMPLATES[request.param].version.removeprefix("xllamacpp-")
    try:
        environment(home, version)
    except EngineError as error:
        if "could not be reached" not in str(error):
            raise
        pytest.skip(f"no {'npm registry' if request.param.startswith('hugging') else 'package index'} here: {error}")
    with Renderer(RENDERERS[request.param]) as made:
        yield version, made


def test_each_renders_plain_templates_as_the_reference_does(released: tuple[str, Renderer]) -> None:
    """The prompt, what is raised on purpose, the clock; and its version is told."""
    version, renderer = released
    assert version in renderer.version()
    twice = Conversation(HI.messages * 2)
    year = Template(CHATML + "{{ strftime_now('%Y') }}")
    questions = [Render(Template(CHATML), HI), Render(Template(INST), twice, TOKENS), Render(year, HI)]
    chatml, raised, dated = renderer.render(questions)
    assert Rendering("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n") == chatml
    assert isinstance(raised, Rendering)
    assert raised.prompt is None
    assert raised.raised.startswith("Roles must take turns")
    assert isinstance(dated, Rendering)
    year_now = datetime.now(tz=UTC).year  # the clock of llama.cpp's server cannot be set
    assert (dated.prompt or "").endswith(f"assistant\n{year_now if 'xllamacpp' in renderer.version() else 2026}")


@pytest.mark.parametrize("released", nightly_but(["minijinja"], TEMPLATES), indirect=True)
def test_each_is_bounded_and_goes_on(released: tuple[str, Renderer]) -> None:
    """A template without end is a told failure, and so is one that is none; the next one is rendered."""
    _, renderer = released
    endless = "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}"
    first, second = renderer.render([Render(Template(endless), HI), Render(Template("{% if %}"), HI)])
    assert isinstance(first, Failure)
    assert first.kind in ("timeout", "memory", "error")
    assert isinstance(second, Failure)
    assert "error" == second.kind
    assert isinstance(renderer.render([Render(Template(CHATML), HI)])[0], Rendering)


def test_none_of_them_runs_unasked() -> None:
    """Nothing is installed that nobody asked for."""
    assert set(UNASKED) == set(RENDERERS) - set(TEMPLATES) - {"mistral-common"}


def test_mistral_common_renders_what_a_tekken_file_says() -> None:
    """The prompt and a refusal in the library's words; without such a file it is unavailable, with what to give."""
    data = Path(import_module("mistral_common").__file__ or "").parent / "data"
    with Renderer(RENDERERS["mistral-common"], path=str(data / "tekken_240911.json")) as renderer:
        assert renderer.version().startswith("mistral-common ")
        hi, other, documents = (of("Hi"), Render(Template(""), Conversation(())), of("Hi", documents=[]))
        prompt, raised, unsupported = renderer.render([hi, other, documents])
    assert Rendering("<s>[INST]Hi[/INST]") == prompt
    assert Rendering(None, "Conversation must have at least one message") == raised
    assert isinstance(unsupported, Failure)
    assert "unsupported" == unsupported.kind
    with Renderer(RENDERERS["mistral-common"]) as renderer, pytest.raises(EngineError, match="reads no template"):
        renderer.version()


def test_a_program_of_the_users_own_renders() -> None:
    """Its prompt, what is raised, and what it cannot express; its version is told."""
    with Renderer(f"exec:{sys.executable} {ADAPTER} plain") as renderer:
        assert "chat 7" == renderer.version()
        given = [of("Hi", extra={"x": 1}), of("raise"), of("Hi", documents=[])]
        prompt, raised, unsupported = renderer.render(given)
        assert Rendering('<s>Hi{"x": 1}') == prompt
        assert Rendering(None, "no such role") == raised
        assert Failure("unsupported", "no documents") == unsupported
        (surrogate,) = renderer.render([of("\ud800")])
        assert isinstance(surrogate, Failure)
        assert "unsupported" == surrogate.kind
    for question in given:
        jsonschema.validate({"id": 1, "op": "render", "questions": [question.to_json()]}, SCHEMA)


@pytest.mark.parametrize(
    ("how", "kind", "words"),
    [
        ("silent", "unsupported", "does not say that it renders chat templates"),
        ("number", "error", "render of the adapter gave {'prompt': 1} for a conversation"),
    ],
)
def test_a_program_that_gives_no_prompt_says_why(how: str, kind: str, words: str) -> None:
    """Without the capability it is not asked; a wrong answer is a failure."""
    with Renderer(f"exec:{sys.executable} {ADAPTER} {how}") as renderer:
        (answer,) = renderer.render([of("Hi")])
    assert isinstance(answer, Failure)
    assert kind == answer.kind
    assert words in answer.message


def test_a_server_renders_with_its_own_template() -> None:
    """llama.cpp's server by POST /apply-template; one without such a path cannot be asked."""

    def applied(said: dict[str, object]) -> tuple[int, object]:
        if said.get("tools"):
            return 500, {"error": {"message": "Jinja Exception: no tools"}}
        return 200, {"prompt": f"<{said['messages'][0]['content']}>"}  # type: ignore[index]

    llama = next(shape for name, shape in SHAPES.items() if name.startswith("llama.cpp's server"))
    with served({**llama, "/apply-template": applied}) as (url, _), Renderer(url) as renderer:
        assert [Rendering("<Hi>"), Rendering(None, "no tools")] == renderer.render([of("Hi"), of("Hi", tools=[{}])])
    vllm = next(shape for name, shape in SHAPES.items() if name.startswith("vLLM"))
    with served(vllm) as (url, _), Renderer(url) as renderer:
        (answer,) = renderer.render([of("Hi")])
    assert isinstance(answer, Failure)
    assert "unsupported" == answer.kind
