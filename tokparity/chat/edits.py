"""What people change in a template or a conversation when they write it anew by hand, and parts that they leave out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from tokparity.chat.causes import Cause
from tokparity.chat.changes import each_message
from tokparity.chat.reduce import without_each
from tokparity.difference import first_difference
from tokparity.questions.render import Render

PARTS = 24
"""Parts of a template that are left out one by one: the outermost, which most conversations reach."""

_BY_HAND = "Do as the template does."
_PART = "leaves_out_part_"
_SHOWN = 60
"""Characters of a part that are shown."""
_DEFINES = re.compile(r"\{%[-+]?\s*(?:set|macro)\b")
_TAG = re.compile(r"\{[%{].*?[%}]\}", re.DOTALL)
_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_TRIM = re.compile(r"\s*\|\s*trim\b(?!\()|\.[lr]?strip\(\)")
_NEWLINE = re.compile(r"(?:\\n|\n)(?=.$)", re.DOTALL)
_SPACES = re.compile(r"(?<=^.) +| +(?=.$)", re.DOTALL)
_ROLE = re.compile(r"(?<![\w'\"])(assistant|model|user|system)\b")
_OTHERS = {"assistant": "model", "model": "assistant", "user": "human", "system": "developer"}


def edited(change: Callable[[str], str]) -> Callable[[Render], Render]:
    """A question whose template has another text."""
    return lambda question: replace(question, template=replace(question.template, text=change(question.template.text)))


def leaving_out(token: str) -> Cause:
    """The fault of a template that never spells a special token, which ends a message."""
    return Cause(
        "leaves_out_ends",
        "It leaves out the special token that ends a message.",
        _BY_HAND,
        edited(lambda text: text.replace(token, "")),
    )


def parts_left_out(template: str) -> Iterator[Cause]:
    """A fault for each of the outermost parts of a template, which is left out: a text, an expression or a block."""
    found = (one for one in without_each(template) if not _DEFINES.match(one[0]))
    for number, (part, rest) in enumerate(islice(found, PARTS), 1):
        line = template.count("\n", 0, first_difference(template, rest)) + 1
        told = ascii(part[:_SHOWN])[1:-1] + ("..." if len(part) > _SHOWN else "")
        sentence = f"It leaves out a part of the template, in line {line}: {told}."
        yield Cause(f"{_PART}{number}", sentence, _BY_HAND, edited(partial(_given, rest)))


def is_of_template(name: str) -> bool:
    """Whether a fault is one of those that are made of a template."""
    return name.startswith(_PART)


def _given(text: str, _: str) -> str:
    return text


def _in_tags(change: Callable[[str], str]) -> Callable[[Render], Render]:
    return edited(lambda text: _TAG.sub(lambda tag: change(tag[0]), text))


def _in_strings(change: Callable[[str], str]) -> Callable[[Render], Render]:
    return _in_tags(lambda tag: _STRING.sub(lambda string: change(string[0]), tag))


def _as_role(old: str, new: str) -> Callable[[Render], Render]:
    return each_message(lambda message: {**message, "role": new} if message.get("role") == old else message)


def _spaced(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    return {**message, "content": f" {content}"} if isinstance(content, str) else message


def _without_system(question: Render) -> Render:
    given = question.conversation
    kept = tuple(one for one in given.messages if one.get("role") != "system")
    return replace(question, conversation=replace(given, messages=kept))


EDITS = (
    *(
        Cause(name, sentence, _BY_HAND, asked)
        for name, sentence, asked in (
            ("never_trims", "It trims no text.", _in_tags(lambda tag: _TRIM.sub("", tag))),
            (
                "leaves_out_newlines",
                "It leaves out the newline at the end of each string of the template.",
                _in_strings(lambda string: _NEWLINE.sub("", string)),
            ),
            (
                "leaves_out_spaces",
                "It leaves out the spaces at the ends of each string of the template.",
                _in_strings(lambda string: _SPACES.sub("", string)),
            ),
            (
                "writes_other_roles",
                "It writes model for assistant, the other way, or other roles, where the template spells a role.",
                _in_strings(lambda string: _ROLE.sub(lambda role: _OTHERS[role[0]], string)),
            ),
            ("begins_contents_with_space", "It puts a space before each content.", each_message(_spaced)),
            ("drops_system", "It does not pass the system message.", _without_system),
            ("passes_system_as_user", "It passes a system message as one of the user.", _as_role("system", "user")),
            ("passes_tool_as_user", "It passes a tool's result as a message of the user.", _as_role("tool", "user")),
            (
                "passes_assistant_as_model",
                "It passes the assistant with the role model.",
                _as_role("assistant", "model"),
            ),
        )
    ),
    Cause("trims_prompt", "It trims the prompt.", _BY_HAND, wrote=lambda prompt, _: prompt.strip()),
)
"""What is changed by hand, in any template."""
