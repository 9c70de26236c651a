"""Any program as an engine: "exec:COMMAND" speaks JSON Lines on stdin and stdout (docs/engines-exec.md).

A placeholder in the command ({gguf}, {tokenizer_json}, {sentencepiece}, {tiktoken} or {tekken}) says which format the
program opens, and is replaced by the path. Without one, it gets the model's own file. The worker starts the command
once to see whether it opens the model; each child of the worker then has a process of its own. Where that ends, the
child ends in the same way, so that crash, hang and bisection are those of every engine.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from tokparity.engines.answers import UnsupportedError, WrongAnswerError, counted
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.engine_name import EngineName
from tokparity.engines.hello import UNVERSIONED, Hello, capabilities_from_json
from tokparity.engines.lines import AdapterEnded, Lines, stretches_of
from tokparity.engines.opening import Opening
from tokparity.engines.protocol import ANY, Capabilities, Options, id_list
from tokparity.engines.renderers import check_length, packed
from tokparity.engines.reply import UNSAID, decoded_of, deltas_of, ids_of, rendering_of, spans_of
from tokparity.engines.spans import spanning, wrapped
from tokparity.engines.specials import refuse_spelled, spelled
from tokparity.errors import EngineError, UsageError
from tokparity.outcome import Spanning
from tokparity.questions.json_text import JsonText, to_json
from tokparity.questions.render import unpacked

PLACEHOLDERS = {
    "{gguf}": "gguf",
    "{tokenizer_json}": "tokenizer.json",
    "{sentencepiece}": "sentencepiece",
    "{tiktoken}": "tiktoken",
    "{tekken}": "tekken",
}

_PLACEHOLDER = re.compile(r"\{[a-z_]+\}")


@dataclass(frozen=True)
class Command:
    """An engine that is a command; its capabilities are known when it has opened a model."""

    NAME: str
    words: tuple[str, ...]
    CAPABILITIES: Capabilities

    def version(self) -> str:
        """Unknown until a model is opened: the command says it then."""
        return UNVERSIONED

    def open(self, path: str, options: Options) -> CommandModel:
        """Start the command once, to see whether it opens the model."""
        request = {"op": "open", "path": path, "format": self.CAPABILITIES.formats[0], "options": dict(options)}
        around = id_list(options, "prefix_ids"), id_list(options, "suffix_ids")
        opening = Opening(self.NAME, [_filled(word, path) for word in self.words], request)
        lines, said = opening.opened()
        lines.close(politely=True)
        return CommandModel(opening, said, self.CAPABILITIES.formats, around)


def command(name: EngineName) -> Command:
    """The engine of that name; UsageError where it cannot be read, EngineError where the program is not there."""
    try:
        words = tuple(shlex.split(name.place))
    except ValueError as error:
        raise UsageError(
            f"engine {str(name)!r} cannot be read as a command: {error}", "quote the command as in a shell"
        ) from error
    if not words:
        raise UsageError(f"engine {str(name)!r} names no program", "write exec:PROGRAM ARGUMENTS")
    formats = {format for mark, format in PLACEHOLDERS.items() if any(mark in word for word in words)}
    if len(formats) > 1:
        message = f"engine {str(name)!r} asks for several formats: {', '.join(sorted(formats))}"
        raise UsageError(message, "an engine opens one file; keep one placeholder")
    if unknown := sorted(
        {found for word in words for found in _PLACEHOLDER.findall(word) if found not in PLACEHOLDERS}
    ):
        message = f"engine {str(name)!r} has the placeholder {unknown[0]}, which is unknown"
        raise UsageError(message, f"write one of {', '.join(PLACEHOLDERS)}")
    if shutil.which(words[0]) is None:
        raise EngineError(
            f"engine {str(name)!r}: there is no program {words[0]!r}", "build the program, or correct its path"
        )
    return Command(str(name), words, Capabilities(tuple(formats) or ANY))


def _filled(word: str, path: str) -> str:
    return re.sub("|".join(map(re.escape, PLACEHOLDERS)), lambda mark: path, word)


class CommandModel:
    """A model that an adapter has opened; it is started again wherever it was ended."""

    def __init__(
        self,
        opening: Opening,
        said: Mapping[str, Any],
        formats: tuple[str, ...],
        around: tuple[tuple[int, ...], tuple[int, ...]],
    ) -> None:
        able = {**UNSAID, **said.get("capabilities", {})}
        self._renders = able.pop("renders")
        self._adds = able["add_special"] != [False]
        if not self._adds:
            able["add_special"] = [False, True]  # what the model adds is put around here
        self._specials = spelled(str(opening.request["path"])) if able["parse_special"] == [True] else frozenset()
        if self._specials:
            able["parse_special"] = [False, True]  # it makes no difference where none is spelled
        version = " ".join(said[key] for key in ("name", "version") if key in said) or UNVERSIONED
        self.hello = Hello(capabilities_from_json({**able, "formats": list(formats)}), version)
        self._size: int | None = said.get("vocabulary_size")
        self._opening = opening
        self._around = around
        self._lines: Lines | None = None

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """As many requests as the texts fill."""
        if self._specials and not parse_special:
            refuse_spelled(texts.to_strs(), self._specials, self._opening.name)
        flags = {"add_special": add_special and self._adds, "parse_special": parse_special or bool(self._specials)}
        stretches = stretches_of(texts.offsets.tolist())
        requests = ({"op": "encode", "texts": _spelled(texts.slice(*part)), **flags} for part in stretches)
        rows = self._asked("encode", requests, "ids", stretches)
        ids = ids_of(rows, self._size)
        return ids.wrapped(*self._around) if add_special and not self._adds else ids

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """As many requests as the ids fill."""
        stretches = stretches_of(ids.offsets.tolist())
        requests = (
            {"op": "decode", "ids": ids.slice(*part).to_list(), "skip_special": skip_special} for part in stretches
        )
        texts = self._asked("decode", requests, "texts", stretches)
        return Texts.from_list([decoded_of(text) for text in texts])

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """One request, which has all ids; what is asked is that each delta depends on none that comes later."""
        request = {"op": "stream", "prefill": [[*prefill]], "ids": [[*ids]], "skip_special": skip_special}
        (deltas,) = self._asked("stream", iter([request]), "deltas", [(0, 1)])
        return deltas_of(deltas)

    def render(self, questions: Texts) -> Texts:
        """As many requests as the questions fill; what has lone surrogates cannot be spelled in them."""
        if not self._renders:
            raise UnsupportedError(f"{self._opening.name} does not say that it renders chat templates")
        asked = [unpacked(question) for question in questions.to_list()]
        stretches = stretches_of(questions.offsets.tolist())
        requests = ({"op": "render", "questions": [one.to_json() for one in asked[slice(*part)]]} for part in stretches)
        try:
            answers = [rendering_of(entry) for entry in self._asked("render", requests, "prompts", stretches)]
        except UnicodeEncodeError as error:
            raise UnsupportedError(f"the exec protocol is UTF-8: {error.reason}") from error
        for question, answer in zip(asked, answers, strict=True):
            check_length(question, len(answer.prompt or ""))
        return Texts.from_list([packed(answer) for answer in answers])

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """One request for each text; the reply has its ids and their spans."""
        flags = {"add_special": add_special and self._adds, "parse_special": parse_special or bool(self._specials)}
        request = {"op": "spans", "texts": [text], **flags}
        reply = self._replies(iter([request]))[0]
        ids, spans = (self._of(reply, "spans", key, 1)[0] for key in ("ids", "spans"))
        given = spanning(ids_of([ids], self._size).to_list()[0], spans_of(spans))
        return wrapped(given, *self._around, len(text)) if add_special and not self._adds else given

    def _asked(
        self, op: str, requests: Iterable[dict[str, Any]], key: str, stretches: Sequence[tuple[int, int]]
    ) -> list[Any]:
        """The answers of all replies, one for each case; each request is about a stretch of the cases."""
        answers: list[Any] = []
        for reply, (start, stop) in zip(self._replies(requests), stretches, strict=True):
            answers += self._of(reply, op, key, stop - start)
        return answers

    def _replies(self, requests: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The reply to each request."""
        try:
            if self._lines is None:
                self._lines, _ = self._opening.opened()
            return list(self._lines.ask_all(requests))
        except AdapterEnded as ended:
            _end_alike(ended)
        except WrongAnswerError:
            if self._lines is not None:
                self._lines.close()
            self._lines = None
            raise

    @staticmethod
    def _of(reply: Mapping[str, Any], op: str, key: str, count: int) -> list[Any]:
        """What a reply has for each of its cases."""
        if "error" in reply:
            raise WrongAnswerError(f"the adapter says: {reply['error']}"[:2000])
        if key not in reply:
            raise WrongAnswerError(f"the adapter's reply to {op} has no {key!r}", f"put the answers under {key!r}")
        return list(counted(reply[key], count, f"{op} of the adapter", "entry"))


def _spelled(texts: Texts) -> list[JsonText]:
    """The texts as they travel; quickly where all are UTF-8."""
    try:
        return [*texts.to_strs()]
    except UnicodeDecodeError:
        return [to_json(text) for text in texts.to_list()]


def _end_alike(ended: AdapterEnded) -> NoReturn:
    """End this child as the adapter ended, so that its text is found and told of as that of any crash."""
    os.write(2, b"\nthe adapter ended before it answered; it is to end only after bye\n")
    if ended.status < 0:
        os.kill(os.getpid(), -ended.status)
    os._exit(max(ended.status, 0))
