"""The reference renderer: Jinja2 in its sandbox, set up as transformers does."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokparity.engines.answers import WrongAnswerError
from tokparity.engines.protocol import ANY, Capabilities, Options, installed_version
from tokparity.engines.renderers import check_length
from tokparity.engines.renderers.shut import ShutModel
from tokparity.outcome import Rendering
from tokparity.questions.json_text import strict
from tokparity.questions.render import MOST_TEMPLATE, Render, unpacked

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment

WORDS, CODE, REACH, FLIPS = "words_of", "code_of", "reach_of", "flips"
"""The keys of questions about templates: the words of one, whether two are one program, the lines that are reached.

With FLIPS, the question below it is answered by an environment that has them (see `flips`).
"""

_MOST_COMPILED = 64
_CLOCK, _READS_CLOCK = "strftime_now", "reads_clock"


class Jinja:
    """The renderer `jinja2`."""

    NAME = "jinja2"
    CAPABILITIES = Capabilities(ANY, decodes=False)

    def version(self) -> str:
        """Version of the library."""
        return installed_version("jinja2", self.NAME, "all")

    def open(self, path: str, options: Options) -> JinjaModel:
        """An environment, which needs no file."""
        return JinjaModel()


class JinjaModel(ShutModel):
    """Renders templates, and tells the words of one."""

    def __init__(self) -> None:
        super().__init__()
        from tokparity.engines.renderers import reading, sandbox

        self._reading, self._sandbox = reading, sandbox
        self._flips: tuple[str, ...] = ()
        self._environments: dict[tuple[str, ...], SandboxedEnvironment] = {}
        self._compiled: dict[tuple[tuple[str, ...], str], Template] = {}
        self._warm_up()

    @property
    def _environment(self) -> SandboxedEnvironment:
        if self._flips not in self._environments:
            self._environments[self._flips] = self._sandbox.environment(self._flips)
        return self._environments[self._flips]

    def _warm_up(self) -> None:
        """Have all imported that an error needs."""
        import textwrap  # noqa: F401 (the filter wordwrap imports it when it is used)

        from jinja2 import TemplateError

        try:
            self._environment.from_string("{{ raise_exception('\\n' ~ 'a'.encode('ascii')) }}").render()
        except TemplateError:
            return

    def _answer(self, question: bytes) -> bytes:
        said = strict(question)
        if FLIPS in said:
            self._flips = tuple(said[FLIPS])
            try:
                return super()._answer(said["question"].encode())
            finally:
                self._flips = ()
        if WORDS in said:
            return json.dumps(self._reading.words(self._environment, said[WORDS])).encode()
        if CODE in said:
            return json.dumps(len({self._reading.code(self._environment, text) for text in said[CODE]}) == 1).encode()
        if REACH in said:
            return json.dumps(self._reach([unpacked(one.encode()) for one in said[REACH]])).encode()
        return super()._answer(question)

    def _reach(self, questions: Sequence[Render]) -> dict[str, list[int]]:
        """The lines of the one template of these questions; what fails or raises has reached some."""

        def render(question: Render) -> None:
            with contextlib.suppress(Exception):  # whatever a template runs into
                self._rendered(question)

        text = questions[0].template.text
        template = self._compiled[(), text] = self._reading.marked(self._environment, text)
        return self._reading.reached(template, [partial(render, question) for question in questions])

    def rendering(self, question: Render) -> Rendering:
        """The prompt, or what the template raises on purpose; if it reads the clock, also the prompt of today."""
        made = self._rendered(question)
        if made.prompt is None or _CLOCK not in question.template.text or _READS_CLOCK in self._flips:
            return made
        flips = self._flips
        self._flips = (*flips, _READS_CLOCK)
        try:
            return replace(made, today=self._rendered(question).prompt)
        finally:
            self._flips = flips

    def _rendered(self, question: Render) -> Rendering:
        try:
            return Rendering("".join(self._chunks(question)))
        except self._sandbox.RaisedError as error:
            return Rendering(None, str(error))

    def _chunks(self, question: Render) -> Iterator[str]:
        """The parts of the prompt; WrongAnswerError where there are too many."""
        length = 0
        for chunk in self._template(question.template.text).generate(**self._context(question)):
            length += len(chunk)
            check_length(question, length)
            yield chunk

    def _template(self, text: str) -> Template:
        if len(text.encode("utf-8", "surrogatepass")) > MOST_TEMPLATE:
            raise WrongAnswerError(f"the template has more than {MOST_TEMPLATE} bytes", "shorten it")
        key = (self._flips, text)
        if key not in self._compiled:
            if len(self._compiled) >= _MOST_COMPILED:
                self._compiled.clear()
            self._compiled[key] = self._environment.from_string(text)
        return self._compiled[key]

    def _context(self, question: Render) -> dict[str, Any]:
        """The variables, of which those of the conversation win, as in transformers."""
        asked, keeps = question.conversation, "keeps_none_fields" in self._flips
        return {
            **question.tokens,
            **asked.extra,
            "messages": [dict(message) for message in asked.messages]
            if keeps
            else self._sandbox.messages_of(asked.messages),
            "tools": None if asked.tools is None else list(asked.tools),
            "documents": None if asked.documents is None else list(asked.documents),
            "add_generation_prompt": asked.add_generation_prompt,
        }
