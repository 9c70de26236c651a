"""Replaces escapes such as \\n in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokparity.behaviour import DecodeText
from tokparity.quirk import Quirk
from tokparity.quirks import toys

_CHARACTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b'"': b'"', b"'": b"'", b"\\": b"\\"}
_ESCAPE = re.compile(rb"\\([nrt\"'\\])")


@dataclass(frozen=True)
class Unescaped:
    """Turns backslash escapes into the characters that they stand for."""

    inner: DecodeText

    def __call__(self, data: bytes) -> str:
        return self.inner(_ESCAPE.sub(lambda found: _CHARACTERS[found.group(1)], data))


QUIRK = Quirk(
    name="processes_escapes",
    title="Replaces escapes such as \\n in the text",
    symptom="A backslash and an n in the text (source code, paths) become a newline.",
    cause="The command line, or the tool around the engine, processes escapes in its input.",
    fix="Switch the processing of escapes off when tokenizing text.",
    field="decode_text",
    derive=lambda behaviour: Unescaped(behaviour.decode_text),
    links=("https://github.com/ggml-org/llama.cpp/pull/5382",),
    witness=lambda: toys.spm("a b", byte_pieces=True).on(rb"a\nb"),
)
