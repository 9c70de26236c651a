"""The reference renderer: Jinja2 in its sandbox, set up as transformers does."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from tokparity.engines.answers import WrongAnswerError
from tokparity.engines.protocol import ANY, Capabilities, Options, installed_version
from tokparity.engines.renderers import MOST_PROMPT
from tokparity.engines.renderers.shut import ShutModel
from tokparity.outcome import Rendering
from tokparity.questions.json_text import strict
from tokparity.questions.render import MOST_TEMPLATE, Render

if TYPE_CHECKING:
    from jinja2 import Environment, Template

WORDS = "words_of"
"""The key of a question that holds a template alone, of which the names and strings are wanted."""

_MOST_COMPILED = 16
_MOST_WORDS = 200
_LONGEST_WORD = 60


class Jinja:
    """The renderer `jinja2`."""

    NAME = "jinja2"
    CAPABILITIES = Capabilities(ANY, decodes=False)

    def version(self) -> str:
        """Version of the library."""
        return installed_version("jinja2", self.NAME, "all")

    def open(self, path: str, options: Options) -> JinjaModel:
        """An environment, which needs no file."""
        return JinjaModel(_listed(options))


class JinjaModel(ShutModel):
    """Renders templates, and tells the words of one."""

    def __init__(self, flips: Collection[str] = ()) -> None:
        super().__init__()
        from tokparity.engines.renderers import sandbox

        self._sandbox = sandbox
        self._environment = sandbox.environment(flips)
        self._compiled: dict[str, Template] = {}
        self._warm_up()

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
        if WORDS in said:
            return json.dumps(_words(self._environment, said[WORDS])).encode()
        return super()._answer(question)

    def rendering(self, question: Render) -> Rendering:
        """The prompt, or what the template raises on purpose."""
        try:
            return Rendering("".join(self._chunks(question)))
        except self._sandbox.RaisedError as error:
            return Rendering(None, str(error))

    def _chunks(self, question: Render) -> Iterator[str]:
        """The parts of the prompt; WrongAnswerError where there are too many."""
        length = 0
        for chunk in self._template(question.template.text).generate(**self._context(question)):
            length += len(chunk)
            if length > MOST_PROMPT:
                hint = "look for a loop in the template"
                raise WrongAnswerError(f"the prompt has more than {MOST_PROMPT} characters", hint)
            yield chunk

    def _template(self, text: str) -> Template:
        if len(text.encode("utf-8", "surrogatepass")) > MOST_TEMPLATE:
            raise WrongAnswerError(f"the template has more than {MOST_TEMPLATE} bytes", "shorten it")
        if text not in self._compiled:
            if len(self._compiled) == _MOST_COMPILED:
                self._compiled.clear()
            self._compiled[text] = self._environment.from_string(text)
        return self._compiled[text]

    def _context(self, question: Render) -> dict[str, Any]:
        """The variables, of which those of the conversation win, as in transformers."""
        asked = question.conversation
        return {
            **question.tokens,
            **asked.extra,
            "messages": self._sandbox.messages_of(asked.messages),
            "tools": None if asked.tools is None else list(asked.tools),
            "documents": None if asked.documents is None else list(asked.documents),
            "add_generation_prompt": asked.add_generation_prompt,
        }


def _listed(options: Options) -> list[str]:
    found = options.get("flips", ())
    return [str(name) for name in found] if isinstance(found, list | tuple) else []


def _words(environment: Environment, template: str) -> dict[str, list[str]]:
    """The variables that a template reads and does not set, its fields, and the strings that it looks for."""
    from jinja2 import meta, nodes

    tree = environment.parse(template)
    fields = [node.attr for node in tree.find_all(nodes.Getattr)]
    fields += [node.arg.value for node in tree.find_all(nodes.Getitem) if isinstance(node.arg, nodes.Const)]
    strings = [
        const.value
        for asking in tree.find_all((nodes.Compare, nodes.Test, nodes.Call))
        for const in asking.find_all(nodes.Const)
        if isinstance(const.value, str) and const.value not in fields
    ]
    found = {"variables": sorted(meta.find_undeclared_variables(tree)), "fields": fields, "strings": strings}
    return {key: _few(values) for key, values in found.items()}


def _few(words: list[Any]) -> list[str]:
    plain = (word for word in words if isinstance(word, str) and len(word) <= _LONGEST_WORD)
    return list(dict.fromkeys(plain))[:_MOST_WORDS]
