"""Chat templates in a report: each is written once, however many questions are about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from tokparity.questions import Render
from tokparity.questions.json_text import literal

_MARK = f'"kind": "{Render.KIND}"'.encode()
"""Stands in each line that has such a question: a quote inside of a text has a backslash before it."""

_KEY, _HASH = "template", "sha256"


class SharedTemplates:
    """Puts the hash of a chat template into the lines of a report, and before the first of them the template."""

    def __init__(self) -> None:
        self._written: set[str] = set()

    def __call__(self, lines: bytes) -> bytes:
        """The lines, and more of them where a template is new."""
        return b"".join(map(self._one, lines.splitlines(keepends=True))) if _MARK in lines else lines

    def _one(self, line: bytes) -> bytes:
        new: dict[str, str] = {}

        def hashed(template: object) -> object:
            if not isinstance(template, str):
                return template
            key = sha256(template.encode("utf-8", "surrogatepass")).hexdigest()
            new[key] = template
            return {_HASH: key}

        shared = _changed(json.loads(line), hashed)
        told = [{"type": _KEY, _HASH: key, "text": text} for key, text in new.items() if key not in self._written]
        self._written |= new.keys()
        return b"".join(literal(record).encode() + b"\n" for record in (*told, shared))


def restored(records: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Records whose questions have their template again, where a record of the type `template` has it."""
    known = {record[_HASH]: record["text"] for record in records if record["type"] == _KEY}
    if not known:
        return records

    def whole(template: object) -> object:
        return known.get(template.get(_HASH), template) if isinstance(template, dict) else template

    return [_changed(record, whole) for record in records]


def _changed(record: Any, change: Callable[[Any], object]) -> Any:
    if isinstance(record, list):
        return [_changed(value, change) for value in record]
    if not isinstance(record, dict):
        return record
    is_asked = record.get("kind") == Render.KIND
    return {
        key: change(value) if is_asked and key == _KEY else _changed(value, change) for key, value in record.items()
    }
