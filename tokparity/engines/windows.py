"""How servers decode ids one after another, as engines: "stream:NAME" or "stream:NAME/ENGINE".

Each is written from its source, which is named, over the decoding of any ENGINE, or of tokenizers. A window is decoded
with and without the new ids, and the difference is given. The ids that are decoded are counted, so that a window that
grows is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities
from tokparity.errors import UsageError

if TYPE_CHECKING:
    from tokparity.engines.engine_name import EngineName
    from tokparity.engines.protocol import Engine, OpenModel, Options

Decode = Callable[[Sequence[int]], str]
Window = Callable[[Decode, Sequence[int], Sequence[int]], Iterator[str]]
"""(decode, ids of the prompt, ids) -> a delta for each id, and a last one."""

_UNFINISHED = "\ufffd"
_BEFORE = 5
"""Ids of the prompt with which all of them begin."""


def tgi(decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[str]:
    """huggingface/text-generation-inference, server/text_generation_server/models/model.py, decode_token."""
    return _windowed(decode, prefill, ids, len)


def vllm(decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[str]:
    """vllm-project/vllm, vllm/transformers_utils/detokenizer_utils.py, detokenize_incrementally (the slow path).

    It keeps 7 ids of the prompt, of which the last 5 are in the first window. Its tokens are ids here.
    """
    return _windowed(decode, prefill[-_BEFORE - 2 :], ids, len)


def dynamo(decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[str]:
    """ai-dynamo/dynamo, lib/llm/src/tokenizers.rs, DecodeStream::step: lengths are in bytes."""
    return _windowed(decode, prefill, ids, lambda text: len(text.encode()))


def _windowed(decode: Decode, prefill: Sequence[int], ids: Sequence[int], size: Callable[[str], int]) -> Iterator[str]:
    """From two steps back on: nothing while the text does not grow or ends with U+FFFD, and no way to tell the end."""
    every, start, read = [*prefill], max(len(prefill) - _BEFORE, 0), len(prefill)
    for i in ids:
        every.append(i)
        before, text = decode(every[start:read]), decode(every[start:])
        if size(text) > size(before) and not text.endswith(_UNFINISHED):
            # In Rust, cutting inside a character is a panic; here it is UnicodeDecodeError.
            yield text[len(before) :] if size is len else text.encode()[size(before) :].decode()
            start, read = read, len(every)
        else:
            yield ""
    yield ""


def sglang(decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[str]:
    """sgl-project/sglang, python/sglang/srt/managers/detokenizer_manager.py, handle_batch_token_id_out."""
    every, sent, text = [*prefill[-_BEFORE:]], 0, ""
    start, read, new = 0, len(every), ""
    for i in ids:
        every.append(i)
        new = decode(every[start:])[len(decode(every[start:read])) :]
        if new and not new.endswith(_UNFINISHED):
            text, start, read, new = text + new, read, len(every), ""
        shown = text + _printable(new)
        yield shown[sent:]
        sent = len(shown)
    yield (text + new)[sent:]


def _printable(text: str) -> str:
    """python/sglang/utils.py, find_printable_text: what no further id changes, by rule of thumb."""
    if text.endswith("\n") or (text and _is_ideograph(text[-1])):
        return text
    return text[:-1] if len(text) > 1 and _is_ideograph(text[-2]) else text[: text.rfind(" ") + 1]


def _is_ideograph(character: str) -> bool:
    blocks = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))
    return any(first <= ord(character) <= last for first, last in blocks)


WINDOWS: Mapping[str, Window] = {function.__name__: function for function in (dynamo, sglang, tgi, vllm)}


@dataclass(frozen=True)
class Windowed:
    """An engine of which only the decoding is used, by the way in which a server streams."""

    NAME: str
    window: Window
    engine: Engine

    @property
    def CAPABILITIES(self) -> Capabilities:
        """Those of the engine, and a stream; it takes no part unasked."""
        return replace(self.engine.CAPABILITIES, streams=True, general=False)

    def version(self) -> str:
        """That of the engine."""
        return self.engine.version()

    def open(self, path: str, options: Options) -> WindowedModel:
        """Open the engine's model."""
        return WindowedModel(self.engine.open(path, options), self.window)


class WindowedModel:
    """A model of another engine; `decoded` are the ids that the last stream had it decode, again and again."""

    def __init__(self, model: OpenModel, window: Window) -> None:
        self._model, self._window = model, window
        self.decoded = 0

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The engine's."""
        return self._model.encode(texts, add_special, parse_special)

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """The engine's."""
        return self._model.decode(ids, skip_special)

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """Yield the deltas that a reader of this window sees."""
        self.decoded = 0

        def decode(row: Sequence[int]) -> str:
            self.decoded += len(row)
            return self._model.decode(Ids.from_list([row]), skip_special)[0].decode("utf-8", "replace")

        return (delta.encode() for delta in self._window(decode, prefill, ids))


def windowed(name: EngineName) -> Windowed:
    """The engine of that name; UsageError where no server's way is called so."""
    from tokparity.engines import loaded

    window, _, engine = name.place.partition("/")
    if window not in WINDOWS:
        raise UsageError(f"engine {str(name)!r} names no known stream", f"the known streams: {', '.join(WINDOWS)}")
    return Windowed(str(name), WINDOWS[window], loaded(engine or "tokenizers"))
