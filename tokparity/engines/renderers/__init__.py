"""Renderers of chat templates, one file each: what makes a prompt of a conversation.

A template is a program from outside. So a renderer is an engine (see `protocol.Engine`) whose model has `render`. It is
only ever opened in a worker process, with bounds on time, memory and output.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from tokparity import quirks
from tokparity.engines import engine_name
from tokparity.engines.answers import WrongAnswerError
from tokparity.errors import UsageError
from tokparity.outcome import Rendering
from tokparity.questions.json_text import strict
from tokparity.questions.render import Render

RENDERERS: Mapping[str, str] = {
    name: f"{__name__}.{place}"
    for name, place in (
        ("jinja2", "jinja:Jinja"),
        ("transformers", "transformers:Transformers"),
        ("llama-cpp-python", "llama_cpp_python:Formatter"),
        ("llama.cpp", "llama_cpp:ListOfTemplates"),
        ("mistral-common", "mistral_common:MistralCommon"),
        ("minijinja", "released:MINIJINJA"),
        ("huggingface-jinja", "released:HUGGINGFACE_JINJA"),
        ("xllamacpp-server", "released:XLLAMACPP_SERVER"),
    )
}
"""The engine of each renderer, by its name on the command line."""

UNASKED = ("jinja2", "transformers", "llama-cpp-python", "llama.cpp")
"""The renderers that run where none is named: the others need an environment of their own, or a file of Mistral's."""

NOW = datetime(2026, 1, 2, 3, 4, 5)
"""The time that every template reads; a prompt with the time of now is right as well."""

RETURN = "\x1e"
"""What a flip makes of a template's carriage return: white space that is no line end to Jinja."""

REFERENCE = RENDERERS["jinja2"]
"""The renderer that says what is right: Jinja as transformers sets it up."""


def engine_of(name: str) -> str:
    """The engine of a renderer, or of one of the user's own; UsageError where there is none of this name."""
    if name in RENDERERS:
        return RENDERERS[name]
    if engine_name.parse(name).is_outside and renderer_of(name):
        return name
    known = ", ".join((*RENDERERS, "exec:COMMAND", "http:URL", "MODULE:NAME"))
    raise UsageError(f"there is no renderer {name!r:.60}", f"known are {known}")


def renderer_of(engine: str) -> str:
    """The renderer of a tokenizer's engine: of the reference jinja2, of another the one of its name; empty: none.

    A reference with a quirk of prompts has none, for Jinja itself is right.
    """
    name = engine_name.parse(engine)
    if any(quirk.name in name.quirks for quirk in quirks.of_prompts()):
        return ""
    if name.is_outside:
        return "" if name.is_replay or name.is_stream else engine
    base = "jinja2" if name.base == "reference" else name.base
    return "" if name.version else RENDERERS.get(base, "")


_MOST_OWN, _MOST_EACH = 1 << 16, 16
"""Characters that a template may write by itself, and for each character of the conversation's JSON."""

MOST_RAISED = 2000
"""Characters of what a template raises that are kept."""


def check_length(question: Render, length: int) -> None:
    """Raise WrongAnswerError where a prompt of this many characters is too long for its conversation."""
    if length <= _MOST_OWN:
        return
    most = _MOST_OWN + _MOST_EACH * len(question.conversation.spelled)
    if length > most:
        raise WrongAnswerError(f"the prompt has more than {most} characters", "look for a loop in the template")


def packed(rendering: Rendering) -> bytes:
    """A rendering as it travels from a worker."""
    today = {} if rendering.today is None else {"today": rendering.today}
    return json.dumps({"prompt": rendering.prompt, "raised": rendering.raised[:MOST_RAISED], **today}).encode()


def unpacked(answer: bytes) -> Rendering:
    """The rendering that `packed` wrote, whoever wrote it."""
    said = strict(answer)
    prompt, raised, today = said.get("prompt"), said.get("raised"), said.get("today")
    if not all(one is None or isinstance(one, str) for one in (prompt, today)) or not isinstance(raised, str):
        raise WrongAnswerError("a renderer answered with something else than a prompt", "report this as a bug")
    return Rendering(prompt, raised, today=today)
