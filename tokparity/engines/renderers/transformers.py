"""`apply_chat_template` of transformers, with an empty tokenizer: prompts depend on templates and variables alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tokparity.engines.protocol import ANY, Capabilities, Options, installed_version
from tokparity.engines.renderers.shut import WARMING, ShutModel
from tokparity.outcome import Rendering
from tokparity.questions.render import Render


class Transformers:
    """The renderer `transformers`."""

    NAME = "transformers"
    CAPABILITIES = Capabilities(ANY, decodes=False)

    def version(self) -> str:
        """Version of the library."""
        return installed_version("transformers", self.NAME, "huggingface")

    def open(self, path: str, options: Options) -> TransformersModel:
        """A tokenizer without a vocabulary, which needs no file."""
        import tokenizers
        from transformers import PreTrainedTokenizerFast
        from transformers.utils import chat_template_utils

        chat_template_utils.datetime = pinned()
        empty = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0}, unk_token="a"))
        return TransformersModel(PreTrainedTokenizerFast(tokenizer_object=empty))


def pinned() -> type[datetime]:
    """A class with the time that every template reads."""
    import jinja2.debug  # noqa: F401 (what an error needs, for nothing can be imported later)

    from tokparity.engines.renderers import NOW

    class Pinned(datetime):
        """The clock that templates read."""

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            """The same at any time."""
            return NOW

    return Pinned


class TransformersModel(ShutModel):
    """A tokenizer whose `apply_chat_template` is asked."""

    def __init__(self, tokenizer: Any) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self.rendering(WARMING)

    def rendering(self, question: Render) -> Rendering:
        """The prompt, or what the template raises on purpose."""
        from jinja2 import TemplateError

        asked = question.conversation
        try:
            prompt = self._tokenizer.apply_chat_template(
                [dict(message) for message in asked.messages],
                tools=None if asked.tools is None else list(asked.tools),
                documents=None if asked.documents is None else list(asked.documents),
                chat_template=question.template.text,
                add_generation_prompt=asked.add_generation_prompt,
                tokenize=False,
                **{**question.tokens, **asked.extra},
            )
        except TemplateError as error:
            if type(error) is not TemplateError:
                raise
            return Rendering(None, str(error))
        return Rendering(prompt)
