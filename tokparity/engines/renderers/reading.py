"""What a template says, without or beside its prompts: its words, its code, and the lines that conversations reach."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from jinja2 import meta, nodes, pass_context

if TYPE_CHECKING:
    from types import FrameType

    from jinja2 import Environment, Template

_MOST_WORDS = 200
_LONGEST_WORD = 60
_LINES = re.compile(r"^debug_info = .*$", re.MULTILINE)


def words(environment: Environment, template: str) -> dict[str, list[str]]:
    """The variables that a template reads and does not set, its fields, and the strings that it looks for."""
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


def _few(found: list[Any]) -> list[str]:
    plain = (word for word in found if isinstance(word, str) and len(word) <= _LONGEST_WORD)
    return list(dict.fromkeys(plain))[:_MOST_WORDS]


def code(environment: Environment, template: str) -> str:
    """The program that Jinja makes of a template, without the numbers of its lines."""
    return _LINES.sub("", environment.compile(template, raw=True))


@pass_context
def _as_it_is(context: object, value: object) -> object:
    return value


def marked(environment: Environment, template: str) -> Template:
    """The template with code of its own for each constant that it writes, which Jinja otherwise puts together."""
    return environment.overlay(finalize=_as_it_is).from_string(template)


def reached(template: Template, renders: Iterable[Callable[[], object]]) -> dict[str, list[int]]:
    """The lines of a template that have code, and those of them that some of the calls run."""
    found: set[int] = set()

    def traced(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "<template>":
            return None
        found.add(frame.f_lineno)
        return traced

    sys.settrace(traced)
    try:
        for render in renders:
            render()
    finally:
        sys.settrace(None)
    lines = {template.get_corresponding_lineno(line) for line in found}
    return {"lines": sorted({line for line, _ in template.debug_info}), "reached": sorted(lines)}
