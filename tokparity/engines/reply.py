"""Replies of the exec protocol, held to the types that docs/exec-protocol.schema.json publishes.

A test derives messages from that schema, and holds both against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tokparity.engines.answers import UnsupportedError, WrongAnswerError, rows_of
from tokparity.engines.buffers import Ids
from tokparity.engines.renderers import MOST_RAISED
from tokparity.errors import FormatError
from tokparity.outcome import Rendering
from tokparity.questions.json_text import from_json, strict

PROTOCOL = 1
_SCHEMA = "see docs/exec-protocol.schema.json"
_LINES = "write one object a line on stdout, and everything else to stderr"
_MOST_IDS = 1 << 31

_FLAGS = ("add_special", "parse_special", "skip_special")
UNSAID: Mapping[str, object] = {
    "add_special": [False],
    "parse_special": [False],
    "skip_special": [False],
    "decodes": False,
    "streams": False,
    "spans": False,
    "renders": False,
}
"""What an adapter can be asked that does not say it."""

_SWITCHES = ("invalid_utf8", "decodes", "streams", "spans", "renders")


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_size(value: object) -> bool:
    return type(value) is int and value > 0


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_protocol(value: object) -> bool:
    return type(value) is int and value == PROTOCOL


_WANTED: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "error": (_is_string, "a string"),
    "protocol": (_is_protocol, f"the number {PROTOCOL}"),
    "name": (_is_string, "a string"),
    "version": (_is_string, "a string"),
    "vocabulary_size": (_is_size, "a whole number above 0"),
    "ids": (_is_list, "a list with one entry for each text"),
    "texts": (_is_list, "a list with one entry for each list of ids"),
    "deltas": (_is_list, "a list with one list of deltas for each list of ids"),
    "prompts": (_is_list, "a list with one entry for each conversation"),
    "spans": (_is_list, "a list with one list of spans for each text"),
}


def reply_of(line: bytes, number: int) -> dict[str, Any]:
    """The reply to the request of this number; WrongAnswerError where the line is none."""
    try:
        reply = strict(line, _LINES)
    except FormatError as error:
        raise WrongAnswerError(f"the adapter wrote no reply: {error.message}", error.hint) from error
    if not isinstance(reply, dict):
        raise WrongAnswerError(f"the adapter wrote {line[:60]!r}, which is not a JSON object", _LINES)
    if "op" in reply:
        raise WrongAnswerError(
            "the adapter repeated the request instead of answering it",
            "write a reply as docs/engines-exec.md describes it",
        )
    if type(reply.get("id")) is not int or reply["id"] != number:
        message = f"the adapter replied to request {reply.get('id')!r:.60}, but {number} was asked"
        raise WrongAnswerError(message, "copy the request's id into its reply, and reply once")
    for key, (is_right, wanted) in _WANTED.items():
        if key in reply and not is_right(reply[key]):
            raise WrongAnswerError(f"{key!r} of the adapter's reply is {reply[key]!r:.60}, not {wanted}", _SCHEMA)
    _check_capabilities(reply.get("capabilities", {}))
    return reply


def checked(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a hello says that it can be asked, but for templates; WrongAnswerError where it says that wrongly."""
    able = said.get("capabilities", {})
    _check_capabilities(able)
    return {name: value for name, value in {**UNSAID, **able}.items() if name != "renders"}


def _check_capabilities(said: object) -> None:
    """WrongAnswerError where an entry is unknown, or of another type."""
    if not isinstance(said, dict):
        raise WrongAnswerError(f"the adapter's capabilities are {said!r:.60}, not an object", _SCHEMA)
    for name, value in said.items():
        if name not in (*_FLAGS, *_SWITCHES):
            known = ", ".join((*_FLAGS, *_SWITCHES))
            raise WrongAnswerError(
                f"the adapter's capability {name!r:.60} is unknown", f"write only known ones: {known}"
            )
        if name in _SWITCHES and not isinstance(value, bool):
            raise WrongAnswerError(f"the adapter's capability {name!r} is {value!r:.60}", "write true or false for it")
        if name in _FLAGS and not _is_flags(value):
            said = f"the adapter's capability {name!r} is {value!r:.60}"
            raise WrongAnswerError(said, "write [false], [true] or [false, true] for it")


def _is_flags(value: object) -> bool:
    """Whether it lists true, false or both, each once."""
    if not isinstance(value, list) or not all(isinstance(flag, bool) for flag in value):
        return False
    return 0 < len(value) == len(set(value))


def ids_of(entries: Sequence[object], size: int | None = None) -> Ids:
    """The ids of each text, which are below `size`; WrongAnswerError with the adapter's words for one it refuses."""
    for entry in entries:
        _refuse(entry)
    ids = rows_of(entries, "encode of the adapter")
    top = size or _MOST_IDS
    wrong = ids.data[(ids.data < 0) | (ids.data >= top)]
    if len(wrong):
        raise WrongAnswerError(f"the adapter gave id {wrong[0]}", f"ids go from 0 to {top - 1}")
    return ids


def decoded_of(entry: object) -> bytes:
    """The text of one list of ids; WrongAnswerError with the adapter's message if the adapter refused the ids."""
    _refuse(entry)
    try:
        return from_json(entry)
    except FormatError as error:
        raise WrongAnswerError(f"decode of the adapter gave {error.message}", error.hint) from error


def deltas_of(entry: object) -> Iterator[bytes]:
    """The deltas of one stream; WrongAnswerError with the adapter's words where it refuses it."""
    _refuse(entry)
    if not isinstance(entry, list) or not entry:
        raise WrongAnswerError(f"stream of the adapter gave {entry!r:.60} for a list of ids", f"give a list; {_SCHEMA}")
    return map(decoded_of, entry)


def rendering_of(entry: object) -> Rendering:
    """What was made of a conversation; UnsupportedError where it cannot be expressed, WrongAnswerError if it failed."""
    _refuse(entry)
    if isinstance(entry, dict) and len(entry) == 1:
        ((key, said),) = entry.items()
        if isinstance(said, str) and key == "unsupported":
            raise UnsupportedError(said[:MOST_RAISED])
        if isinstance(said, str) and key in ("prompt", "raised"):
            return Rendering(said) if key == "prompt" else Rendering(None, said[:MOST_RAISED])
    raise WrongAnswerError(f"render of the adapter gave {entry!r:.60} for a conversation", _SCHEMA)


def spans_of(entry: object) -> list[object]:
    """The spans of one text's ids; WrongAnswerError with the adapter's words where it refuses them."""
    _refuse(entry)
    if not isinstance(entry, list) or not all(map(_is_span, entry)):
        raise WrongAnswerError(
            f"spans of the adapter gave {entry!r:.60}", f"give a list of pairs for each text; {_SCHEMA}"
        )
    return entry


def _is_span(entry: object) -> bool:
    """Whether it is two whole numbers; a law says whether they are places of the text."""
    return isinstance(entry, list) and len(entry) == 2 and all(type(place) is int for place in entry)


def _refuse(entry: object) -> None:
    if isinstance(entry, dict) and entry.keys() == {"error"} and isinstance(entry["error"], str):
        raise WrongAnswerError(f"the adapter says: {entry['error']}"[:2000])
