"""The chat formatter of llama-cpp-python, which has a Jinja of its own set-up."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tokparity.engines.answers import UnsupportedError
from tokparity.engines.protocol import ANY, Capabilities, Options, installed_version
from tokparity.engines.renderers.shut import WARMING, ShutModel
from tokparity.engines.renderers.transformers import pinned
from tokparity.outcome import Rendering
from tokparity.questions.render import Render

_MOST_COMPILED = 16


class Formatter:
    """The renderer `llama-cpp-python`."""

    NAME = "llama-cpp-python"
    CAPABILITIES = Capabilities(ANY, decodes=False)

    def version(self) -> str:
        """The version of llama-cpp-python."""
        return installed_version("llama-cpp-python", self.NAME, "llama-cpp")

    def open(self, path: str, options: Options) -> FormatterModel:
        """The module of chat formats, which needs no file."""
        from llama_cpp import llama_chat_format

        llama_chat_format.datetime = pinned()
        return FormatterModel(llama_chat_format)


class FormatterModel(ShutModel):
    """A `Jinja2ChatFormatter` for each template."""

    def __init__(self, formats: Any) -> None:
        super().__init__()
        self._made = lru_cache(_MOST_COMPILED)(formats.Jinja2ChatFormatter)
        self.rendering(WARMING)

    def rendering(self, question: Render) -> Rendering:
        """The prompt, or what the template raises on purpose."""
        asked = question.conversation
        if asked.documents is not None:
            raise UnsupportedError("llama-cpp-python takes no documents")
        tokens = tuple(question.tokens.get(name, "") for name in ("eos_token", "bos_token"))
        formatter = self._made(question.template.text, *tokens, asked.add_generation_prompt)
        tools = None if asked.tools is None else list(asked.tools)
        try:
            answer = formatter(messages=[dict(message) for message in asked.messages], tools=tools, **asked.extra)
        except ValueError as error:  # what its raise_exception raises
            return Rendering(None, str(error))
        return Rendering(answer.prompt)
