"""The Jinja of chat templates, as transformers sets it up.

Source: transformers 5.24, `utils/chat_template_utils.py` (`_cached_compile_jinja_template`, `_normalize_chat_messages`,
`_alias_reasoning_fields`). Only plain JSON values reach a template, so that no object has methods beyond those.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import jinja2
import jinja2.debug  # what an error needs, for nothing can be imported later
import jinja2.ext
import jinja2.meta
from jinja2 import nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment

from tokparity.engines.renderers import NOW
from tokparity.engines.renderers.flips import FLIPS, KINDS

_REASONING = ("reasoning_content", "thinking", "reasoning")


class RaisedError(jinja2.TemplateError):
    """What a template raises on purpose, with `raise_exception`."""


class Generation(jinja2.ext.Extension):
    """{% generation %} marks what an assistant says, and has a scope of its own."""

    tags = {"generation"}  # noqa: RUF012 (as Jinja declares it)

    def parse(self, parser: Any) -> nodes.Node:
        """A block that is called for its text."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_said"), [], [], body).set_lineno(line)

    def _said(self, caller: Any) -> str:
        text: str = caller()
        return text


class Namespace(jinja2.utils.Namespace):
    """A namespace without names that begin with an underscore."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        self, given = args[0], dict(*args[1:], **kwargs)
        for name in given:
            _check_name(name)
        jinja2.utils.Namespace.__init__(self, given)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_name(name)
        super().__setitem__(name, value)


def _check_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise jinja2.exceptions.SecurityError(f"a namespace cannot have {name!r:.60}")


class Dict:
    """`dict` without the attributes of Python's class."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any) -> dict[Any, Any]:
        """As `dict.fromkeys`."""
        return dict.fromkeys(*args)


def environment(flips: Collection[str] = ()) -> SandboxedEnvironment:
    """A new environment, as transformers has it but for these flips (see `flips`)."""
    kind = next((KINDS[name] for name in flips if name in KINDS), ImmutableSandboxedEnvironment)
    made = kind(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    made.filters["tojson"] = _to_json
    made.globals |= {"raise_exception": _raise, "strftime_now": NOW.strftime, "dict": Dict(), "namespace": Namespace}
    for name in flips:
        FLIPS[name](made)
    return made


def _raise(message: object) -> None:
    raise RaisedError(str(message))


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def messages_of(given: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Messages as a template sees them: no field that is None, and reasoning under each of its names."""
    found = []
    for message in given:
        kept = {key: value for key, value in message.items() if value is not None}
        if any(name in kept for name in _REASONING):
            reasoning = next(kept[name] for name in _REASONING if name in kept)
            kept = {"thinking": reasoning, **kept, "reasoning_content": reasoning}
        found.append(kept)
    return found
