"""What a renderer may do to a question before Jinja sees it, or to a prompt afterwards: the changes of `causes`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tokparity.engines.renderers import RETURN
from tokparity.questions.render import Render


def each_message(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Render], Render]:
    """A question with each message changed."""

    def asked(question: Render) -> Render:
        given = question.conversation
        return replace(question, conversation=replace(given, messages=tuple(change({**one}) for one in given.messages)))

    return asked


def with_fields(**fields: Any) -> Callable[[Render], Render]:
    """A question with other fields of its conversation."""
    return lambda question: replace(question, conversation=replace(question.conversation, **fields))


def without_token(name: str) -> Callable[[Render], Render]:
    """A question in which a special token is an empty text."""
    return lambda question: replace(question, tokens={**question.tokens, name: ""})


def stripped(message: dict[str, Any]) -> dict[str, Any]:
    """A message with a trimmed content."""
    content = message.get("content")
    return {**message, "content": content.strip()} if isinstance(content, str) else message


def joined(message: dict[str, Any]) -> dict[str, Any]:
    """A message with the texts of its parts as one content."""
    content = message.get("content")
    if not isinstance(content, list):
        return message
    texts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return {**message, "content": "\n".join(texts)}


def merged(between: str) -> Callable[[Render], Render]:
    """A question with the system's message in front of the next message's content."""

    def asked(question: Render) -> Render:
        first, *rest = question.conversation.messages or ({},)
        if first.get("role") != "system" or not rest:
            return question
        told = {**rest[0], "content": f"{first.get('content')}{between}{rest[0].get('content')}"}
        return replace(question, conversation=replace(question.conversation, messages=(told, *rest[1:])))

    return asked


def with_extra(question: Render, name: str, value: object) -> Render:
    """A question with a variable, if it has none of that name."""
    given = question.conversation
    return replace(question, conversation=replace(given, extra={name: value, **given.extra}))


def with_plain_tools(question: Render) -> Render:
    """A question whose tools have their name, description and parameters alone."""
    given = question.conversation
    tools = given.tools and tuple(map(_plain_tool, given.tools))
    return replace(question, conversation=replace(given, tools=tools))


def _plain_tool(tool: Any) -> Any:
    said = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(said, dict):
        return tool
    kept = {name: said[name] for name in ("name", "description", "parameters") if name in said}
    return {"type": "function", "function": kept}


def with_empty_tools(question: Render) -> Render:
    """A question with an empty list of tools where there is none."""
    given = question.conversation
    return replace(question, conversation=replace(given, tools=())) if given.tools is None else question


def with_returns(prompt: str, tokens: Mapping[str, str]) -> str:
    """A prompt with the carriage returns that a flip kept."""
    return prompt.replace(RETURN, "\r")


def with_bos(prompt: str, tokens: Mapping[str, str]) -> str:
    """A prompt with BOS before it."""
    return tokens.get("bos_token", "") + prompt
