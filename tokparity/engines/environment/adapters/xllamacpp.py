"""llama.cpp of another date: the library inside the wheel of xllamacpp or llama-cpp-python, opened by ctypes.

Their Python packages are not imported. `llama_model_params` changes its size from version to version, so the defaults
are written into a larger buffer. Its flags come after the pointers, all of which are null, and `vocab_only` is the
first flag. So it is at the start of the eight bytes that hold the first set flag.
"""

from __future__ import annotations

import ctypes
import os
from importlib.util import find_spec
from typing import Any

POINTERS = 40
"""From here on there are pointers until the flags come; before it are numbers, and gaps that hold anything."""
ROOM = 1 << 16


class Params(ctypes.Structure):
    """`llama_model_params`, with room for more."""

    _fields_ = [("raw", ctypes.c_ubyte * 512)]


WHEELS = (("xllamacpp", "", ".so"), ("llama_cpp", "lib", "libllama.so"))
"""The package of a wheel, where its library is, and how the library's name ends."""


def found_library() -> str:
    """The path of the library; the package is looked for, and not imported."""
    for package, below, ending in WHEELS:
        found = find_spec(package)
        for place in (found.submodule_search_locations or ()) if found else ():
            folder = os.path.join(place, below)
            for name in sorted(os.listdir(folder)):
                if name.endswith(ending):
                    return os.path.join(folder, name)
    raise ImportError("there is no library of llama.cpp in this environment")


def opened_library() -> Any:
    """The library with the types of what is called; older ones have other names for the same."""
    library: Any = ctypes.CDLL(found_library())
    if not hasattr(library, "llama_model_load_from_file"):
        library.llama_model_load_from_file = library.llama_load_model_from_file
    if not hasattr(library, "llama_model_get_vocab"):
        library.llama_model_get_vocab = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda model: model)
    texts: list[Any] = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32]
    rows: list[Any] = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p, ctypes.c_int32]
    piece: list[Any] = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_bool]
    library.llama_token_to_piece.argtypes = piece
    library.llama_tokenize.argtypes = [*texts, ctypes.c_bool, ctypes.c_bool]
    library.llama_detokenize.argtypes = [*rows, ctypes.c_bool, ctypes.c_bool]
    library.llama_model_default_params.restype = Params
    library.llama_model_load_from_file.argtypes = [ctypes.c_char_p, Params]
    library.llama_model_load_from_file.restype = ctypes.c_void_p
    library.llama_model_get_vocab.argtypes = [ctypes.c_void_p]
    library.llama_model_get_vocab.restype = ctypes.c_void_p
    return library


class Model:
    """A vocabulary that the library has loaded."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        self.library = opened_library()
        self.library.llama_backend_init()
        params = self.library.llama_model_default_params()
        first = next(i for i in range(POINTERS, len(params.raw)) if params.raw[i])
        params.raw[first // 8 * 8] = 1
        model = self.library.llama_model_load_from_file(os.fsencode(path), params)
        if not model:
            raise ValueError("llama.cpp cannot load this file; its log says why")
        self.vocabulary = self.library.llama_model_get_vocab(model)

    def capabilities(self) -> dict[str, Any]:
        """All of it."""
        both = [False, True]
        return {"invalid_utf8": True, "add_special": both, "parse_special": both, "skip_special": both, "streams": True}

    def encode(self, texts: list[bytes], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return [self.ids(text, add_special, parse_special) for text in texts]

    def ids(self, text: bytes, add_special: bool, parse_special: bool) -> list[int]:
        """The ids of one text; a buffer that is too small is made larger."""
        room = len(text) + 16
        while True:
            found = (ctypes.c_int32 * room)()
            size = self.library.llama_tokenize(
                self.vocabulary, text, len(text), found, room, add_special, parse_special
            )
            if size >= 0:
                return list(found[:size])
            room = -size

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The bytes of each row."""
        return [self.text(row, skip_special) for row in rows]

    def text(self, row: list[int], skip_special: bool) -> bytes:
        """The bytes of one row."""
        room = ROOM
        ids = (ctypes.c_int32 * len(row))(*row)
        while True:
            found = ctypes.create_string_buffer(room)
            size = self.library.llama_detokenize(self.vocabulary, ids, len(row), found, room, False, not skip_special)
            if size >= 0:
                return found.raw[:size]
            room = -size

    def stream(self, prefill: list[int], ids: list[int], skip_special: bool) -> Any:
        """The bytes of each id's piece; nothing is left at the end."""
        for i in ids:
            room = ROOM
            while True:
                found = ctypes.create_string_buffer(room)
                size = self.library.llama_token_to_piece(self.vocabulary, i, found, room, 0, not skip_special)
                if size >= 0:
                    break
                room = -size
            yield found.raw[:size]
        yield b""
