"""llama.cpp through llama-cpp-python: its `llama_tokenize` and `llama_detokenize` themselves, on flat buffers.

`Llama.tokenize` and `Llama.detokenize` are not used: the latter joins pieces through a buffer of 32 bytes. Texts go in
with their length, so NUL and invalid UTF-8 arrive as they are.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokparity.engines.buffers import Ids, Int64s, Texts
from tokparity.engines.protocol import Capabilities, Options, installed_version
from tokparity.errors import EngineError
from tokparity.formats.gguf_openable import why_not

_ERROR_LEVEL = 4
"""GGML_LOG_LEVEL_ERROR."""

_OVERFLOW = -(1 << 31)

# Addresses instead of ctypes objects: a call then costs no conversion, and writes where the answer is to be.
_Tokenize = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_int32,
    ctypes.c_void_p,
    ctypes.c_int32,
    ctypes.c_bool,
    ctypes.c_bool,
)
_Call = Callable[[int, int, int, int], int]
"""(address of the input, its length, address for the output, room there) -> length of the output, or -(room needed)."""


class _Log:
    """Hears the errors of llama.cpp, which calls it as long as the process lives: there is one for each library."""

    def __init__(self, library: Any) -> None:
        self.errors: list[str] = []
        self._callback = library.llama_log_callback(self._hear)
        library.llama_log_set(self._callback, ctypes.c_void_p(0))

    @staticmethod
    @cache
    def of(library: Any) -> _Log:
        """The one of this library."""
        return _Log(library)

    def _hear(self, level: int, text: bytes, _data: object) -> None:
        if level >= _ERROR_LEVEL:
            self.errors.append(text.decode("utf-8", "replace").strip())
            del self.errors[:-4]


class LlamaCpp:
    """The engine `llama.cpp`."""

    NAME = "llama.cpp"
    IMPORTS = ("llama_cpp",)
    CAPABILITIES = Capabilities(formats=("gguf",), invalid_utf8=True, streams=True)

    def version(self) -> str:
        """The version of llama-cpp-python, which determines the version of llama.cpp."""
        return installed_version("llama-cpp-python", self.NAME, "llama-cpp")

    def open(self, path: str, options: Options) -> LlamaCppModel:
        """Load the vocabulary of a GGUF; EngineError says why not, at worst with the end of llama.cpp's log."""
        from llama_cpp import llama_cpp as library

        errors = _Log.of(library).errors
        errors.clear()
        library.llama_backend_init()
        params = library.llama_model_default_params()
        params.vocab_only = True
        model = library.llama_model_load_from_file(os.fsencode(path), params)
        if not model:
            if (why := why_not(Path(path))) is not None:
                raise EngineError(f"llama.cpp cannot load {path!r}: {why[0]}", why[1])
            raise EngineError(f"llama.cpp cannot load {path!r}", " | ".join(line for line in errors if line))
        return LlamaCppModel(library, model)


class LlamaCppModel:
    """A vocabulary that llama.cpp has loaded; lives as long as its process."""

    def __init__(self, library: Any, model: int) -> None:
        self._library = library
        self._vocab = library.llama_model_get_vocab(model)
        self._tokenize = _Tokenize(_address(library.llama_tokenize))
        self._detokenize = _Tokenize(_address(library.llama_detokenize))
        self._ids = np.empty(1 << 16, dtype=np.int32)
        self._bytes = np.empty(1 << 18, dtype=np.uint8)

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """One call of llama_tokenize per text, all into one buffer."""
        vocab, tokenize = self._vocab, self._tokenize

        def call(source: int, length: int, target: int, room: int) -> int:
            size: int = tokenize(vocab, source, length, target, room, add_special, parse_special)
            return size

        self._ids, offsets = _convert(call, texts.flat, texts.offsets, self._ids)
        return Ids(self._ids[: offsets[-1]].copy(), offsets)

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """One call of llama_detokenize per list; BOS and EOS stay unless special tokens are skipped."""
        vocab, detokenize = self._vocab, self._detokenize
        unparse_special = not skip_special

        def call(source: int, length: int, target: int, room: int) -> int:
            size: int = detokenize(vocab, source, length, target, room, False, unparse_special)
            return size

        self._bytes, offsets = _convert(call, np.ascontiguousarray(ids.data), ids.offsets, self._bytes)
        return Texts(self._bytes[: offsets[-1]].tobytes(), offsets)

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """llama_token_to_piece for each id, as llama.cpp's own programs do it; it looks at nothing before the id."""
        size = 64
        for i in ids:
            while True:
                buffer = ctypes.create_string_buffer(size)
                length = self._library.llama_token_to_piece(self._vocab, i, buffer, size, 0, not skip_special)
                if length >= 0:
                    break
                size = -length
            yield buffer.raw[:length]
        yield b""


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    if address is None:
        raise EngineError(
            "llama-cpp-python has no address for llama_tokenize", "install a version that tokparity supports"
        )
    return address


def _convert(call: _Call, source: NDArray[Any], offsets: Int64s, target: NDArray[Any]) -> tuple[NDArray[Any], Int64s]:
    """Call once per stretch of the source, the outputs one after another in `target`, which is replaced when too small.

    Returns the target and the offsets of the outputs in it.
    """
    ends = offsets.tolist()
    width, item = source.itemsize, target.itemsize
    address, base, capacity = source.ctypes.data, target.ctypes.data, len(target)
    position = 0
    positions = [0]
    start = ends[0]
    for end in ends[1:]:
        size = call(address + start * width, end - start, base + position * item, capacity - position)
        while size < 0:
            if size == _OVERFLOW:
                raise OverflowError("llama.cpp says that the result does not fit 31 bits")
            capacity = 2 * (position - size)
            grown = np.empty(capacity, dtype=target.dtype)
            grown[:position] = target[:position]
            target, base = grown, grown.ctypes.data
            size = call(address + start * width, end - start, base + position * item, capacity - position)
        position += size
        positions.append(position)
        start = end
    return target, np.array(positions, dtype=np.int64)


ENGINE = LlamaCpp()
