"""The streams of two libraries as they are, whatever decoding does to text that it gave before."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from tokparity.reference.stream import Decode, InvalidPrefixError

_REPLACEMENT = "\ufffd".encode()
_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


def words_of_answer(decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[bytes]:
    """What transformers' TextStreamer gives that skips the prompt; what was given is counted in characters."""

    def text_of(row: Sequence[int]) -> str:
        return decode(row).decode("utf-8", "surrogateescape") if row else ""

    row: list[int] = []
    given = 0
    for i in ids:
        row.append(i)
        text = text_of(row)
        new = text[given : _end_of_words(text, given)]
        yield new.encode("utf-8", "surrogateescape")
        given += len(new)
        if text.endswith("\n"):
            row, given = [i], len(text_of([i]))
    yield text_of(row)[given:].encode("utf-8", "surrogateescape")


def since_two_deltas(decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[bytes]:
    """What the tokenizers library's DecodeStream gives, which keeps the ids of the last two deltas."""
    row, given, start = [*prefill], b"", 0
    for i in ids:
        if not given and row and not (text := decode(row)).endswith(_REPLACEMENT):
            given, start = text, len(row)
        row.append(i)
        text = decode(row)
        if len(text) <= len(given) or text.endswith(_REPLACEMENT):
            yield b""
            continue
        if not text.startswith(given):
            raise InvalidPrefixError("Invalid prefix encountered while decoding a stream")
        yield text[len(given) :]
        row, start = row[start:], len(row) - start
        given = decode(row) if row else b""
    yield b""


def _end_of_words(text: str, given: int) -> int:
    """Up to where a text is given: all of it if no symbol is new, or a line or an ideograph ends it."""
    is_plain = all(one.isspace() or unicodedata.category(one)[0] in "LMN" for one in text[given:])
    if is_plain or text.endswith("\n") or any(first <= ord(text[-1]) <= last for first, last in _IDEOGRAPHS):
        return len(text)
    return text.rfind(" ") + 1
