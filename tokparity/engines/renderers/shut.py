"""A renderer's model in a process that can open and start nothing, once it has been asked."""

from __future__ import annotations

from tokparity.engines.buffers import Texts
from tokparity.engines.environment.shut import shut
from tokparity.engines.renderers import check_length, packed
from tokparity.outcome import Rendering
from tokparity.questions.render import Conversation, Render, Template, unpacked

WARMING = Render(Template("{{ messages[0].content + '\\n' }}"), Conversation(({"role": "user", "content": "a"},)))
"""A question by which a library imports what it needs, for nothing can be imported later."""


class ShutModel:
    """Answers one question after another by `rendering`; the first one shuts its process, a child of the worker."""

    def __init__(self) -> None:
        self._is_shut = False

    def render(self, questions: Texts) -> Texts:
        """A packed rendering for each packed question."""
        if not self._is_shut:
            shut()
            self._is_shut = True
        return Texts.from_list([self._answer(question) for question in questions.to_list()])

    def rendering(self, question: Render) -> Rendering:
        """What the template makes of the conversation; an exception is a failure of the question."""
        raise NotImplementedError

    def _answer(self, question: bytes) -> bytes:
        asked = unpacked(question)
        answer = self.rendering(asked)
        check_length(asked, len(answer.prompt or ""))
        return packed(answer)
