"""The chat templates of a GGUF and of its source: as texts, then by the prompts that they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokparity.chat import Renderer
from tokparity.chat.compare import Comparison, compare, side_by_side
from tokparity.chat.of_source import templates_to_convert, tokens_of
from tokparity.chat.place import told
from tokparity.chat.renderer import unreadable
from tokparity.doctor.change import KeyChange
from tokparity.doctor.weighing import EFFECTS
from tokparity.errors import TokparityError
from tokparity.formats import Source
from tokparity.formats.beside import (
    CHAT,
    CONFIGURATION,
    TEMPLATE,
    files_of_templates,
)
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.outcome import Failure, Rendering
from tokparity.questions.render import Render, Template

_NAMES = f"{CHAT}s"


def of_chat(path: Path, source: Source) -> list[KeyChange]:
    """The templates that differ, each with the smallest conversation that shows it, or why nobody can compare them."""
    fields = read_metadata(path).fields
    ours = {key: field.value for key, field in fields.items() if key == CHAT or key.startswith(f"{CHAT}.")}
    its = templates_to_convert(source)
    if not its:
        return [_unsaid(key, value, source) for key, value in ours.items() if key == CHAT]
    found = []
    with_files = _in_files(source)
    for key, right in its.items():
        text = _text(ours.get(key))
        if text == right:
            continue
        if text is None:
            phrase = f"is absent, and the source has one of {len(right.encode())} bytes"
            found.append(KeyChange(key, ours.get(key), right.encode(), phrase=phrase, effect=EFFECTS[_missing(key)]))
        else:
            found += _differing(key, text, right, source, text == with_files.get(key))
    if (names := _names(its)) and any(change.key not in (CHAT, *ours) for change in found):
        found.append(
            KeyChange(
                _NAMES, fields[_NAMES].value if _NAMES in fields else None, names, effect=EFFECTS[_missing(_NAMES)]
            )
        )
    return found


def of_both(left: Source, right: Source) -> list[KeyChange]:
    """The same of two sources that both have a template: of those of one name, by what the right one says."""
    ours, its, files = templates_to_convert(left), templates_to_convert(right), (_in_files(left), _in_files(right))
    found: list[KeyChange] = []
    for key, text in ours.items():
        if key in its and text != its[key]:
            is_disputed = its[key] == files[0].get(key) or text == files[1].get(key)
            found += _differing(key, text, its[key], right, is_disputed)
    return found


def _in_files(source: Source) -> Mapping[str, str]:
    return files_of_templates(source.path) if source.format != "gguf" else {}


def _differing(key: str, ours: str, its: str, source: Source, is_disputed: bool) -> Iterator[KeyChange]:
    """What is said of two templates of one name that are not the same text; nothing if they are one program."""
    change = _disputed(key, ours) if is_disputed else _compared(key, ours, its, source)
    if change is not None:
        yield change


def _missing(key: str) -> str:
    """Which effect it has that a file lacks this key."""
    return "template" if key == CHAT else "named template"


def _text(value: Any) -> str | None:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else None


def _names(its: Mapping[str, str]) -> Sequence[bytes]:
    return [key.removeprefix(f"{CHAT}.").encode() for key in its if key != CHAT]


def _unsaid(key: str, value: Any, source: Source) -> KeyChange:
    """That the file has a template, and the source none."""
    missing = f"the source has no chat template: add the {CONFIGURATION} or the {TEMPLATE} of the model beside it"
    why = unreadable(_text(value) or "")
    phrase = f"a template of {len(value)} bytes" + (f" that Jinja cannot read ({why})" if why else "")
    return KeyChange(key, value, value, phrase=phrase, unsaid=missing)


def _disputed(key: str, text: str) -> KeyChange:
    """That two files of the source have a template each, and the file has that of the less obeyed one."""
    obeyed = f"transformers obeys {TEMPLATE}, llama.cpp's converter {CONFIGURATION}, and the two differ"
    return KeyChange(
        key, text.encode(), text.encode(), phrase=f"the template of {TEMPLATE}", unsaid=obeyed, disputed=True
    )


def _compared(key: str, ours: str, its: str, source: Source) -> KeyChange | None:
    """The change with what shows it, or why nobody can say; None where the two are one program."""
    change = KeyChange(key, ours.encode(), its.encode())
    tokens = tokens_of(source)
    try:
        with Renderer() as renderer:
            found = compare(renderer, Template(ours), Template(its), tokens)
            phrase = _place(renderer, ours, its, found, tokens)
    except TokparityError as error:
        found, phrase = Comparison(0, failure=error.message), ""
    if found.failure:
        size = f"a template of {len(change.before)} bytes that is not the source's"
        return replace(change, phrase=size, unsaid=found.failure, effect=EFFECTS["prompts"])
    if found.is_one_program:
        return None
    if found.unreached:
        unsaid = f"none of {found.tried} conversations reaches line {found.unreached}; compare the two there"
        return replace(change, phrase=phrase, unsaid=unsaid, effect=EFFECTS["unreached"])
    change = replace(change, phrase=phrase, tried=found.tried)
    if found.conversation is None:
        return change
    left, right = side_by_side(found)
    return replace(change, text=found.conversation.literal, ours=left, its=right)


def _place(renderer: Renderer, ours: str, its: str, found: Comparison, tokens: Mapping[str, str]) -> str:
    """Where the two templates differ, such that it shows on the smallest conversation."""

    def shows(texts: Sequence[str]) -> list[bool]:
        if found.conversation is None:
            return [True] * len(texts)
        answers = renderer.render([Render(Template(text), found.conversation, tokens) for text in texts])
        mine = found.ours
        return [one == mine if isinstance(mine, Rendering) else isinstance(one, Failure) for one in answers]

    return told(ours, its, shows)
