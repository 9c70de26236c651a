"""Ids decoded one after another: each text is given as soon as it is complete, and none is taken back.

The right stream is `Streamer()`; each field is a fault that real streams have, and several go together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokparity.laws import complete

Decode = Callable[[Sequence[int]], bytes]

_REPLACEMENT = "\ufffd".encode()
_BEFORE = 5
"""Ids of the prompt with which a window begins, in every server that has one."""


class InvalidPrefixError(ValueError):
    """What ids decode to does not begin with what fewer of them decoded to."""


@dataclass(frozen=True)
class Streamer:
    """(decode, ids of the prompt, ids) -> a delta for each id, and a last one."""

    ends: bool = True
    """The last delta is what is left; else that is lost."""
    alone: bool = False
    """Each id is decoded by itself."""
    restarts: bool = False
    """After a line end the ids before it are forgotten."""
    trims: bool = False
    """A space at the beginning is left out."""
    raises: bool = False
    """It is an error where decoding takes text back."""
    holds: bool = False
    """Nothing is given as long as the text ends with U+FFFD."""
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
        every, read = [*prefill], len(prefill)
        start = max(read - _BEFORE, 0) if self.window else 0
        given = b"" if not prefill else decode(every[start:]) if self.window else complete(decode(every))
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
        ready = complete(text)
        if (self.holds or self.window) and (ready != text or text.endswith(_REPLACEMENT)):
            return b""
        if len(ready) <= len(given):
            return b""
        if not ready.startswith(given) and not self.window:
            if self.raises:
                raise InvalidPrefixError("Invalid prefix encountered while decoding a stream")
            return b""
        return ready[len(given) :]


right = Streamer()
