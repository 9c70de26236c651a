"""Prompts of a server that `http:URL` knows: it has a template of its own, which nobody can send to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tokparity.engines.answers import UnsupportedError, WrongAnswerError
from tokparity.engines.renderers import check_length, packed
from tokparity.engines.servers import Server, found_in
from tokparity.outcome import Rendering
from tokparity.questions.render import unpacked

_RAISED = "Jinja Exception: "

Ask = Callable[[str, str, Any], Any]


def prompt_of(server: Server, question: bytes, ask: Ask) -> bytes:
    """The packed rendering of a packed question; UnsupportedError where the server makes no prompts."""
    asked = unpacked(question)
    if not server.template:
        raise UnsupportedError(f"{server.name} has no path that makes a prompt of a conversation")
    if asked.conversation.documents is not None:
        raise UnsupportedError(f"{server.name} takes no documents")
    said = asked.conversation.to_json()
    extra = said.pop("extra", {})
    body = {"add_generation_prompt": False, **said, **({"chat_template_kwargs": extra} if extra else {})}
    try:
        reply = ask("POST", server.template, body)
    except WrongAnswerError as error:
        if _RAISED not in error.message:
            raise
        return packed(Rendering(None, error.message.partition(_RAISED)[2].partition('"')[0]))
    prompt = found_in(lambda: reply["prompt"], server.template, reply)
    if not isinstance(prompt, str):
        raise WrongAnswerError(f"{server.template} answered {prompt!r:.60} as a prompt", "let it return a string")
    check_length(asked, len(prompt))
    return packed(Rendering(prompt))
