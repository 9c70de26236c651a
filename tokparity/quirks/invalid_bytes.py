"""Quirks of reading texts that are not UTF-8."""

from __future__ import annotations

import re

from tokparity.errors import AbortedError
from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_text import of_bytes
from tokparity.reference.text import keep_bytes, replace_each_byte, replace_maximal

_BEYOND = re.compile(rb"\xf4[\x90-\xbf][\x80-\xbf]{2}|[\xf5-\xf7][\x80-\xbf]{3}")


def drop_invalid(data: bytes) -> str:
    """Invalid bytes go."""
    return data.decode("utf-8", "ignore")


def survived(data: bytes) -> bytes:
    """The text as it is, unless an engine would die of it."""
    found = _BEYOND.search(data)
    if found:
        raise AbortedError(f"{found.group()!r} spells a number above U+10FFFF", "this quirk represents a crash")
    return data


QUIRKS = (
    Quirk(
        name="drops_invalid_bytes",
        title="Leaves invalid bytes out",
        symptom="Only texts that are not UTF-8 differ: their invalid bytes are missing.",
        cause="Input is decoded with errors ignored.",
        fix="Replace what is not UTF-8 by U+FFFD, or keep the bytes, as the model's tokenizer does.",
        field="decode_text",
        value=drop_invalid,
        links=github("abetlen/llama-cpp-python/pull/118"),
        witness=lambda: toys.spm("a b", byte_pieces=True).on(b"a\xe2\x96b"),
    ),
    Quirk(
        name="keeps_invalid_bytes",
        title="Keeps invalid bytes instead of replacing them",
        symptom="Only texts that are not UTF-8 differ: each invalid byte becomes a byte piece.",
        cause="Input is not checked for valid UTF-8.",
        fix="Replace what is not UTF-8 by U+FFFD where the model's tokenizer does.",
        field="decode_text",
        value=keep_bytes,
        witness=lambda: toys.spm("a b", byte_pieces=True, decode_text=replace_each_byte).on(b"a\xe2\x96b"),
    ),
    Quirk(
        name="replaces_each_invalid_byte",
        title="Replaces each invalid byte by U+FFFD",
        symptom="Only texts that are not UTF-8 differ: each invalid byte becomes one U+FFFD (or the three bytes of "
        "U+FFFD).",
        cause="Input is decoded with one U+FFFD for each byte that is not part of valid UTF-8.",
        fix="Follow the model's tokenizer: SentencePiece does this, Rust and Python replace whole maximal subparts.",
        field="decode_text",
        value=replace_each_byte,
        links=github("ggml-org/llama.cpp/issues/8691", "ggml-org/llama.cpp/pull/11729"),
        witness=lambda: toys.spm("a b", byte_pieces=True).on(b"a\xe2\x96b"),
    ),
    Quirk(
        name="replaces_maximal_subparts",
        title="Replaces each broken sequence by one U+FFFD",
        symptom="Only texts that are not UTF-8 differ: several invalid bytes together become one U+FFFD (or its "
        "three bytes).",
        cause="Input is decoded with one U+FFFD for each maximal subpart of an ill-formed sequence, as Rust and "
        "Python do it.",
        fix="Follow the model's tokenizer: SentencePiece replaces each byte.",
        field="decode_text",
        value=replace_maximal,
        witness=lambda: toys.spm("a b", byte_pieces=True, decode_text=replace_each_byte).on(b"a\xe2\x96b"),
    ),
    Quirk(
        name="aborts_beyond_unicode",
        title="Crashes on bytes that decode to more than U+10FFFF",
        symptom="The whole process ends when a text has such bytes, whoever sent the text.",
        cause="The engine decodes four bytes to a number that is not a code point. The next step throws an exception "
        "that nobody catches.",
        fix="Replace bytes that are not UTF-8 by U+FFFD before any other step.",
        field="decode_text",
        derive=of_bytes(10, survived),
        stands_for_crash=True,
        witness=lambda: toys.byte_bpe("").on(b"\xf4\x90\x80\x80"),
    ),
)
