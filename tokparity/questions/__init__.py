"""What an engine can be asked: one module for each kind of question.

A kind defines how a question is spelled and shrunk, the command that runs it again, and its record in a report. Only
code that asks, answers and judges questions knows the kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokparity.errors import FormatError
from tokparity.questions.again import Again
from tokparity.questions.decode import Decode
from tokparity.questions.encode import Encode
from tokparity.questions.render import Render
from tokparity.questions.spans import Spans
from tokparity.questions.stream import Stream

__all__ = ["KINDS", "Again", "Decode", "Encode", "Question", "Render", "Spans", "Stream", "from_json", "to_json"]

Question = Encode | Decode | Stream | Again | Spans | Render

KINDS: Mapping[str, type[Encode] | type[Decode] | type[Stream] | type[Again] | type[Spans] | type[Render]] = {
    kind.KIND: kind for kind in (Encode, Decode, Stream, Again, Spans, Render)
}
"""All kinds by the word that a report and the option --ask have for them."""


def to_json(question: Question) -> dict[str, Any]:
    """A question of any kind as a JSON object."""
    return {"kind": question.KIND, **question.to_json()}


def from_json(value: Mapping[str, Any]) -> Question:
    """The question that `to_json` wrote; FormatError where its kind is not known."""
    kind = value.get("kind", Encode.KIND)
    if kind not in KINDS:
        raise FormatError(f"{kind!r:.40} is not a kind of question", f"the known kinds are {', '.join(KINDS)}")
    return KINDS[kind].from_json(value)
