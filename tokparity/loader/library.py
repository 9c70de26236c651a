"""A library in an environment: one process imports it and opens one folder after the other, and copies of it answer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tokparity.case import AnyCase
from tokparity.engines.answers import WrongAnswerError, counted, rows_of, text_of
from tokparity.engines.buffers import Texts
from tokparity.engines.environment.python import WORKER
from tokparity.engines.hello import capabilities_from_json
from tokparity.engines.lines import AdapterEnded, AdapterSilent, Lines
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.engines.protocol import Capabilities
from tokparity.engines.results import Results
from tokparity.errors import EngineError
from tokparity.outcome import Failure
from tokparity.questions import Decode, Encode
from tokparity.questions.json_text import from_json

SECONDS = 120.0
"""Within which a folder is opened, or a batch answered; a vocabulary of 250,000 pieces takes 10 s to open."""

_MOST_DEATHS = 8
"""After this many deaths of one configuration it is asked no more."""


@dataclass
class _Opener:
    """The process that opens one folder after the other. It is asked nothing else: copies of it answer."""

    engine: str
    python: str
    opening: Mapping[str, Any] = field(default_factory=dict)
    """The request with which the folder was opened that is open."""
    copies: Iterator[int] = field(default_factory=count)
    _lines: Lines | None = None
    _folder: TemporaryFolder | None = None
    """A process that is killed while it opens a model leaves its temporary files here."""

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply; a process that ended is started anew, with the same folder open, when it is asked again."""
        try:
            if self._lines is None:
                self._folder = self._folder or TemporaryFolder()
                words = [self.python, "-I", str(WORKER), self.engine]
                self._lines = Lines(words, SECONDS, heard=False, temporary=self._folder.name)
                if self.opening and request is not self.opening:
                    self._lines.ask(self.opening)
            reply = self._lines.ask(request)
        except (AdapterEnded, WrongAnswerError):
            self.close()
            raise
        except OSError as error:
            raise EngineError(
                f"{self.python!r} cannot be started: {error.strerror}", "name the path of a Python"
            ) from error
        if isinstance(status := reply.get("ended"), int):
            raise AdapterEnded(status, self._lines.said())
        return reply

    def end(self, copy: int) -> None:
        """End a copy."""
        if self._lines is not None:
            with contextlib.suppress(AdapterEnded, WrongAnswerError, EngineError):
                self.ask({"op": "bye", "copy": copy})

    def close(self) -> None:
        """End the process, and its copies with it."""
        if self._lines is not None:
            self._lines.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._lines = self._folder = None


@dataclass
class Library:
    """The worker of an engine (`tokenizers`, `transformers`) at a Python; what it opened last answers."""

    engine: str
    python: str
    _opener: _Opener | None = None
    _is_borrowed: bool = False
    _able: Capabilities = field(default_factory=lambda: Capabilities(("any",)))
    _copy: int | None = None
    _deaths: int = 0

    def version(self) -> str:
        """The version that is installed there."""
        return str(self._process.ask({"op": "hello"}).get("version", ""))

    def open(self, path: str, options: Mapping[str, object]) -> None:
        """Open a file or folder; EngineError with the library's own words where it refuses, or ends."""
        self._deaths = 0
        self._end_copy()
        opening = {"op": "open", "path": path, "format": "", "options": dict(options)}
        self._process.opening = opening
        reply = _obeyed(self._process.ask, opening)
        self._able = capabilities_from_json({**reply["capabilities"], "formats": ["any"]})

    def save(self, path: str) -> None:
        """Write what is open as a tokenizer.json; EngineError where the library has no such file."""
        _obeyed(self._asked, {"op": "save", "path": path})

    def another(self) -> Library:
        """The same with what is open, in a process of its own that was asked nothing; to be closed before this one."""
        return Library(self.engine, self.python, self._process, _is_borrowed=True, _able=self._able)

    def close(self) -> None:
        """End the process."""
        self._end_copy()
        if self._opener is not None and not self._is_borrowed:
            self._opener.close()
            self._opener = None

    @property
    def _process(self) -> _Opener:
        self._opener = self._opener or _Opener(self.engine, self.python)
        return self._opener

    def _end_copy(self) -> None:
        if self._copy is not None:
            self._process.end(self._copy)
        self._copy = None

    def results(self, cases: Sequence[AnyCase]) -> Results:
        """The answers to cases with alike questions; ids are decoded again, as in a run."""
        first = cases[0].question
        if isinstance(first, Decode):
            rows = [list(case.question.ids) for case in cases if isinstance(case.question, Decode)]
            texts = self._decoded(rows, first.skip_special)
            return Results(None, Texts.from_list([_bytes(text) for text in texts]), _failures(texts))
        if not isinstance(first, Encode):
            raise TypeError(f"a loader cannot run cases of kind {first.KIND!r}")
        given = [_str(case.question.shown) for case in cases]
        refused = self._refusal(first)
        asked = [] if refused else [text for text in given if isinstance(text, str)]
        request = {"op": "encode", "add_special": first.add_special, "parse_special": first.parse_special}
        found = iter(self._each(request, "texts", "ids", asked))
        answers = [refused or text if refused or isinstance(text, Failure) else next(found) for text in given]
        ids = rows_of([[] if isinstance(row, Failure) else row for row in answers], "encode")
        texts = self._decoded(ids.to_list(), True)
        texts = [row if isinstance(row, Failure) else text for row, text in zip(answers, texts, strict=True)]
        return Results(ids, Texts.from_list([_bytes(text) for text in texts]), _failures(texts))

    def _refusal(self, question: Encode) -> Failure | None:
        """Why it cannot be asked with these flags: its library has no such switch."""
        if question.parse_special in self._able.parse_special and question.add_special in self._able.add_special:
            return None
        return Failure("unsupported", f"this version cannot be asked for parse_special={question.parse_special}")

    def _decoded(self, rows: Sequence[list[int]], skip_special: bool) -> list[Any]:
        return self._each({"op": "decode", "skip_special": skip_special}, "ids", "texts", rows)

    def _each(self, request: Mapping[str, Any], given: str, taken: str, items: Sequence[Any]) -> list[Any]:
        """One answer or Failure for each item; where a batch fails, its halves are asked, until it died too often."""
        if not items:
            return []
        if self._deaths >= _MOST_DEATHS:
            return [self._given_up] * len(items)
        try:
            reply = self._asked({**request, given: list(items)})
            if "error" not in reply:
                return counted(reply[taken], len(items), str(request["op"]), "entry")
            failure = Failure("error", " ".join(str(reply["error"]).split()))
        except WrongAnswerError as error:
            failure = Failure("error", str(error))
        except AdapterEnded as ended:
            self._deaths += 1
            failure = Failure("timeout" if isinstance(ended, AdapterSilent) else "crash", str(ended))
        if len(items) == 1:
            return [failure]
        half = len(items) // 2
        return [*self._each(request, given, taken, items[:half]), *self._each(request, given, taken, items[half:])]

    @property
    def _given_up(self) -> Failure:
        return Failure("unavailable", f"not asked: {self.engine} died {self._deaths} times of this model")

    def _asked(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply of this library's own copy; of a new one where that has ended."""
        if self._copy is None:
            self._copy = next(self._process.copies)
        try:
            return self._process.ask({**request, "copy": self._copy})
        except (AdapterEnded, WrongAnswerError):
            self._copy = None
            raise


def _obeyed(ask: Callable[[Mapping[str, Any]], dict[str, Any]], request: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        reply = ask(request)
    except AdapterEnded as ended:
        raise EngineError(str(ended)) from None
    if "error" in reply:
        raise EngineError(" ".join(str(reply["error"]).split()))
    return reply


def _str(text: bytes) -> str | Failure:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return Failure("unsupported", "the library takes only UTF-8")


def _bytes(text: object) -> bytes:
    return b"" if isinstance(text, Failure) else text_of(from_json(text), "decode")


def _failures(answers: Sequence[object]) -> tuple[tuple[int, Failure], ...]:
    return tuple((i, answer) for i, answer in enumerate(answers) if isinstance(answer, Failure))
