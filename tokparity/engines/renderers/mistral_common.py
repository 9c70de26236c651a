"""mistral-common, with which Mistral makes prompts: it reads no template, but the tekken.json of a model."""

from __future__ import annotations

from typing import Any

from tokparity.engines.answers import UnsupportedError
from tokparity.engines.protocol import ANY, Capabilities, Options, installed_version
from tokparity.engines.renderers.shut import ShutModel
from tokparity.errors import EngineError
from tokparity.outcome import Rendering
from tokparity.questions.render import Conversation, Render, Template


class MistralCommon:
    """The renderer `mistral-common`."""

    NAME = "mistral-common"
    CAPABILITIES = Capabilities(ANY, decodes=False)

    def version(self) -> str:
        """Version of the library."""
        return installed_version("mistral-common", self.NAME, "mistral")

    def open(self, path: str, options: Options) -> RequestModel:
        """The tokenizer of a tekken.json, which says the version of the prompts."""
        if not path:
            raise EngineError("mistral-common reads no template", "give the folder of a model that has a tekken.json")
        from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

        return RequestModel(MistralTokenizer.from_file(path))


class RequestModel(ShutModel):
    """A tokenizer that encodes requests, of which the text is wanted."""

    def __init__(self, tokenizer: Any) -> None:
        super().__init__()
        from mistral_common.exceptions import MistralCommonException
        from mistral_common.protocol.instruct.request import ChatCompletionRequest

        self._tokenizer, self._request, self._refusal = tokenizer, ChatCompletionRequest, MistralCommonException
        user = {"role": "user", "content": "a"}
        for messages in ((user,), ()):  # have all imported that a prompt and an error need
            self.rendering(Render(Template(""), Conversation(messages)))

    def rendering(self, question: Render) -> Rendering:
        """The prompt, or why the library refuses the conversation; it always is one that the model is to answer."""
        asked = question.conversation
        if asked.documents is not None or asked.extra:
            raise UnsupportedError("mistral-common takes messages and tools alone")
        try:
            tools = None if asked.tools is None else list(asked.tools)
            made = self._request.from_openai(messages=[dict(message) for message in asked.messages], tools=tools)
            return Rendering(self._tokenizer.encode_chat_completion(made).text)
        except self._refusal as error:
            return Rendering(None, str(error))
