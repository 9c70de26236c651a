"""A renderer in a process of its own: conversations go in; prompts, or why there is none, come out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import TracebackType
from typing import Any, Protocol

from tokparity.engines.buffers import Texts
from tokparity.engines.process.client import Client
from tokparity.engines.renderers import REFERENCE, unpacked
from tokparity.engines.renderers.jinja import CODE, FLIPS, REACH, WORDS
from tokparity.outcome import Failure, Rendering
from tokparity.questions.json_text import strict
from tokparity.questions.render import Conversation, Render, Template

SECONDS = 5.0
"""Seconds that a few conversations may take; a right template takes a thousandth of that for each."""

MEMORY = 256 << 20
"""Bytes that a renderer may take beyond what its libraries have."""

_BATCH = 1 << 19
"""Bytes of questions that are put at a time: how long a batch may take grows with its size."""

_REMEMBERED = 1 << 25
"""Bytes of prompts whose renderings are kept; then all are forgotten, and kept anew."""


@dataclass(frozen=True)
class Reach:
    """The lines of a template that have code, and those of them that conversations run."""

    lines: frozenset[int]
    reached: frozenset[int]


class Renders(Protocol):
    """What makes prompts: a `Renderer`, or an engine of a session."""

    def render(self, questions: Sequence[Render]) -> Sequence[Rendering | Failure]:
        """The answer to each question."""


class Renderer:
    """Answers `Render` until `close`, at the latest until this process ends; `path` is of a file that few need."""

    def __init__(self, name: str = REFERENCE, seconds: float | None = None, path: str = "") -> None:
        self._client = Client(name, path, {}, timeout=SECONDS if seconds is None else seconds, memory=MEMORY)
        self._known: dict[bytes, Rendering] = {}
        self._size = 0

    def version(self) -> str:
        """The library and its version; raises EngineError or MissingDependencyError where it cannot be used."""
        return self._client.wait_ready()

    def render(self, questions: Sequence[Render], flips: Sequence[str] = ()) -> list[Rendering | Failure]:
        """The rendering of each question, if need be of an earlier call; the reference takes flips (see `causes`)."""
        asked = [question.packed() for question in questions]
        if flips:
            asked = [json.dumps({FLIPS: list(flips), "question": one.decode()}).encode() for one in asked]
        keys = [blake2b(one, digest_size=16).digest() for one in asked]
        known = [self._known.get(key) for key in keys]
        new = self._answers([one for one, answer in zip(asked, known, strict=True) if answer is None])
        return [answer or self._kept(key, next(new)) for key, answer in zip(keys, known, strict=True)]

    def _kept(self, key: bytes, answer: bytes | Failure) -> Rendering | Failure:
        """The answer; a rendering is remembered, a failure is not, because it may be of the machine."""
        if isinstance(answer, Failure):
            return answer
        if self._size > _REMEMBERED:
            self._known, self._size = {}, 0
        self._size += len(key) + len(answer)
        self._known[key] = unpacked(answer)
        return self._known[key]

    def words(self, template: str) -> Mapping[str, Sequence[str]]:
        """The variables, fields and strings in a template, by these three names; none where it cannot be parsed."""
        return self._about(WORDS, template) or {}

    def are_one_program(self, one: str, other: str) -> bool:
        """Whether Jinja compiles two templates to the same program, so that their prompts are always equal."""
        return self._about(CODE, [one, other]) is True

    def reach(self, questions: Sequence[Render]) -> Reach | None:
        """The template's lines with code, and those that these questions run; None if the template fails."""
        found = self._about(REACH, [question.packed().decode() for question in questions])
        return Reach(*(frozenset(found[key]) for key in ("lines", "reached"))) if found else None

    def _about(self, key: str, value: object) -> Any:
        """The answer to a question about templates; None where it failed."""
        results = self._client.submit_render(Texts.from_list([json.dumps({key: value}).encode()])).result()
        answer = results.packed[0] if results.packed else b""
        return None if results.failures or not answer else strict(answer)

    def close(self) -> None:
        """End the process."""
        self._client.close()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _answers(self, packed: Sequence[bytes]) -> Iterator[bytes | Failure]:
        for batch in _batches(packed):
            results = self._client.submit_render(Texts.from_list(batch)).result()
            for i in range(len(batch)):
                yield results.failed.get(i) or (results.packed[i] if results.packed else b"")


def _batches(packed: Sequence[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for question in packed:
        if batch and size + len(question) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(question)
        size += len(question)
    if batch:
        yield batch


def unreadable(template: str) -> str:
    """Why Jinja cannot read a template; empty where it can, whatever the template then does."""
    conversation = Conversation.from_json([{"role": "user", "content": "Hi"}])
    with Renderer() as renderer:
        (answer,) = renderer.render([Render(Template(template), conversation)])
    is_syntax = isinstance(answer, Failure) and answer.message.startswith(("TemplateSyntax", "TemplateAssertion"))
    return answer.message if isinstance(answer, Failure) and is_syntax else ""
