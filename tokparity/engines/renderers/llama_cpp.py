"""llama.cpp's C function `llama_chat_apply_template`, which knows a list of templates and reads no Jinja."""

from __future__ import annotations

import ctypes
from typing import Any

from tokparity.engines.answers import UnsupportedError
from tokparity.engines.protocol import ANY, Capabilities, Options, installed_version
from tokparity.engines.renderers.shut import ShutModel
from tokparity.outcome import Rendering
from tokparity.questions.render import Render

_ROOM = 1 << 16
_TAKEN = {"role", "content"}


class ListOfTemplates:
    """The renderer `llama.cpp`, which knows a list of chat templates."""

    NAME = "llama.cpp"
    CAPABILITIES = Capabilities(ANY, decodes=False)

    def version(self) -> str:
        """Version of the library that holds it."""
        return installed_version("llama-cpp-python", self.NAME, "llama-cpp")

    def open(self, path: str, options: Options) -> ListModel:
        """The library, which needs no model for this."""
        import llama_cpp

        return ListModel(llama_cpp)


class ListModel(ShutModel):
    """The C function."""

    def __init__(self, library: Any) -> None:
        super().__init__()
        self._library = library

    def rendering(self, question: Render) -> Rendering:
        """The prompt of the template that llama.cpp takes this one for."""
        asked = question.conversation
        if asked.tools is not None or asked.documents is not None or asked.extra:
            raise UnsupportedError("llama_chat_apply_template takes messages alone")
        chat = (self._library.llama_chat_message * len(asked.messages))()
        for place, message in zip(chat, asked.messages, strict=True):
            if message.keys() != _TAKEN or not all(isinstance(text, str) for text in message.values()):
                raise UnsupportedError("llama_chat_apply_template takes a role and a text of each message")
            place.role, place.content = message["role"].encode(), message["content"].encode()
        length, text = self._applied(question, chat, _ROOM)
        if length > _ROOM:
            length, text = self._applied(question, chat, length)
        if length < 0:
            raise UnsupportedError("llama.cpp's list of templates has none like this one")
        return Rendering(text[:length].decode("utf-8", "replace"))

    def _applied(self, question: Render, chat: Any, size: int) -> tuple[int, bytes]:
        """The length of the prompt, and as much of it as there is room for."""
        template, adds = question.template.text.encode(), question.conversation.add_generation_prompt
        buffer = ctypes.create_string_buffer(size)
        length = self._library.llama_chat_apply_template(template, chat, len(chat), adds, buffer, size)
        return length, buffer.raw
