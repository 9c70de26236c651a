"""Ids decoded one after another: each text is given as soon as it is complete, and none is taken back.

The right stream is `Streamer()`; each field is a fault that real streams have, and several go together.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokparity.laws import complete

Decode = Callable[[Sequence[int]], bytes]

_REPLACEMENT = "\ufffd".encode()
_BEFORE = 5
"""Ids of the prompt with which a window begins, in every server that has one."""


class InvalidPrefixError(ValueError):
    """The decoded text of some ids does not begin with the decoded text of fewer of them."""


@dataclass(frozen=True)
class Streamer:
    """(decode, ids of the prompt, ids) -> a delta for each id, and a last one."""

    ends: bool = True
    """The last delta is what is left; else that is lost."""
    alone: bool = False
    """Each id is decoded by itself."""
    inside: bool = False
    """Each id is decoded by itself, as if it did not begin the text, so that a space at its beginning stays."""
    unfinished: bool = False
    """What decoding all ids so far has more than before is given, be it complete or not."""
    words: bool = False
    """From a symbol on, nothing is given up to the next space, letters and digits alone excepted."""
    restarts: bool = False
    """After a line end the ids before it are forgotten."""
    trims: bool = False
    """A space at the beginning is left out."""
    raises: bool = False
    """It is an error where decoding takes text back."""
    holds: bool = False
    """Nothing is given as long as the text ends with U+FFFD."""
    again: bool = False
    """A prompt that ends with U+FFFD is given once more, with the first delta."""
    window: bool = False
    """Only ids from two deltas back on are decoded; for the first delta, from five ids before the end of the prompt."""

    def __call__(self, decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[bytes]:
        untrimmed = self.trims
        for delta in self._deltas(decode, prefill, ids):
            trimmed = delta.removeprefix(b" ") if untrimmed else delta
            untrimmed = untrimmed and not delta
            yield trimmed

    def _deltas(self, decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[bytes]:
        if self.alone:
            yield from (decode([i]) for i in ids)
            yield b""
            return
        if self.inside:
            yield from (decode([i, i])[len(decode([i])) :] for i in ids)
            yield b""
            return
        every, read = [*prefill], len(prefill)
        if self.unfinished:
            texts = [decode(every) if every else b"", *(decode([*prefill, *ids[: i + 1]]) for i in range(len(ids)))]
            yield from (text[len(before) :] for before, text in pairwise(texts))
            yield b""
            return
        start = max(read - _BEFORE, 0) if self.window else 0
        given = decode(every[start:]) if every else b""
        if self.again and given.endswith(_REPLACEMENT):
            given = b""
        given = given if self.window else complete(given)
        for i in ids:
            every.append(i)
            text = decode(every[start:])
            delta = self._delta(given, text)
            yield delta
            if self.restarts and delta.endswith(b"\n"):
                every, start, read, given = [], 0, 0, b""
            elif delta and self.window:
                start, read = read, len(every)
                given = decode(every[start:])
            else:
                given += delta
        yield decode(every[start:])[len(given) :] if self.ends else b""

    def _delta(self, given: bytes, text: bytes) -> bytes:
        """What can be given of a text of which some was."""
        ready = text if self.words else complete(text)
        if (self.holds or self.window) and (ready != text or text.endswith(_REPLACEMENT)):
            return b""
        if len(ready) <= len(given):
            return b""
        if not ready.startswith(given) and not self.window:
            if self.raises:
                raise InvalidPrefixError("Invalid prefix encountered while decoding a stream")
            return b""
        return _printable(ready[len(given) :]) if self.words else ready[len(given) :]


def _printable(text: bytes) -> bytes:
    """Letters, digits and spaces alone, a line or what ends with an ideograph; else what goes up to the last space."""
    shown = text.decode("utf-8", "replace")
    is_word = all(character.isspace() or unicodedata.category(character)[0] in "LMN" for character in shown)
    if is_word or shown.endswith("\n") or unicodedata.name(shown[-1], "").startswith("CJK "):
        return text
    return text[: text.rfind(b" ") + 1]


right = Streamer()
