"""Ids decoded one after another: each text is given as soon as it is complete, and none is taken back.

The right stream is `Streamer()`; each field is a fault that real streams have, and several go together.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokparity.laws import complete
from tokparity.reference.decode_stages import clean_up

Decode = Callable[[Sequence[int]], bytes]
Way = Callable[[Decode, Sequence[int], Sequence[int]], Iterator[bytes]]

_REPLACEMENT = "\ufffd".encode()
_BEFORE = 5
"""Ids of the prompt with which a window begins, in every server that has one."""


class StreamError(ValueError):
    """A stream with this fault ends here with an error."""


class InvalidPrefixError(StreamError):
    """The decoded text of some ids does not begin with the decoded text of fewer of them."""


@dataclass(frozen=True)
class Streamer:
    """(decode, ids of the prompt, ids, whether special tokens are left out) -> a delta for each id, and a last one."""

    ends: bool = True
    """The last delta is what is left; else that is lost."""
    alone: bool = False
    """Each id is decoded by itself."""
    inside: bool = False
    """Each id is decoded by itself, as if it did not begin the text, so that a space at its beginning stays."""
    spaces: bool = False
    """A word is given when the next space or line end comes."""
    unfinished: bool = False
    """What decoding all ids so far has more than before is given, be it complete or not."""
    words: bool = False
    """From a symbol on, nothing is given up to the next space, letters and digits alone excepted."""
    restarts: bool = False
    """After a line end the ids before it are forgotten."""
    trims: bool = False
    """A space at the beginning of a delta is left out, as long as nothing was given."""
    blank: bool = False
    """White space is left out, as long as nothing else was given."""
    cleans: bool = False
    """In each delta, spaces before punctuation are left out."""
    drops: bool = False
    """U+FFFD is left out of each delta."""
    raises: bool = False
    """It is an error where decoding takes text back."""
    lines: bool = False
    """It is an error where special tokens are left out and the text of the answer so far ends with a line end."""
    holds: bool = False
    """Nothing is given as long as the text ends with U+FFFD."""
    again: bool = False
    """A prompt that ends inside a character is given once more, with the first text."""
    forgets: bool = False
    """The ids of a character that the prompt does not end are forgotten."""
    resets: bool = False
    """An id that has no text (a special token) makes the ids before it forgotten."""
    units: bool = False
    """What was given is counted in UTF-16, and what is left is cut by characters."""
    window: bool = False
    """Only ids from two deltas back on are decoded; for the first delta, from five ids before the end of the prompt."""
    way: Way | None = None
    """The whole way of a library, to which all the above is done that concerns one delta."""
    piece: Callable[[int], bytes] | None = None
    """The text of an id within others, where decoding cleans it up; no fault."""
    awaited: Callable[[Sequence[int]], int] | None = None
    """Of ids, how many U+FFFD at the end of their text further ids may complete; None: up to three. Neither is a fault.

    Who decodes bytes knows at once that a byte begins no character; who sees only the text has to wait.
    """

    def __call__(
        self, decode: Decode, prefill: Sequence[int], ids: Sequence[int], skip_special: bool = False
    ) -> Iterator[bytes]:
        given = False
        for count, delta in enumerate(self._deltas(decode, prefill, ids), 1):
            if self.lines and skip_special and count <= len(ids) and decode(ids[:count]).endswith(b"\n"):
                raise StreamError("the last id of a line is decoded by itself, and is no list of ids")
            changed = self._changed(delta, given)
            given = given or bool(changed)
            yield changed

    def _changed(self, delta: bytes, given: bool) -> bytes:
        """What becomes of one delta by itself, after something was given or not."""
        if not given and self.trims:
            delta = delta.removeprefix(b" ")
        if not given and self.blank and not delta.strip():
            return b""
        if self.cleans:
            delta = clean_up(delta.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        return delta.replace(_REPLACEMENT, b"") if self.drops else delta

    def _complete(self, ids: Sequence[int], text: bytes) -> bytes:
        """The text of ids without what further ids may complete."""
        return complete(text) if self.awaited is None else complete(text, self.awaited(ids))

    def _deltas(self, decode: Decode, prefill: Sequence[int], ids: Sequence[int]) -> Iterator[bytes]:
        if self.way:
            yield from self.way(decode, prefill, ids)
            return
        if self.alone:
            yield from (decode([i]) for i in ids)
            yield b""
            return
        if self.inside:
            yield from (self.piece(i) if self.piece else within(decode, i) for i in ids)
            yield b""
            return
        every = [*prefill]
        if self.unfinished:
            texts = [decode(every) if every else b"", *(decode([*prefill, *ids[: i + 1]]) for i in range(len(ids)))]
            yield from (text[len(before) :] for before, text in pairwise(texts))
            yield b""
            return
        while self.forgets and every and (text := decode(every)) != self._complete(every, text):
            every.pop()
        start = max(len(prefill) - _BEFORE, 0) if self.window else 0
        given = decode(every[start:]) if every else b""
        known = self._complete(every, given)
        prompt = known if self.again and given != known else b""
        given = given if self.window else known
        for delta in self._by_id(decode, every, given, start, ids):
            yield prompt + delta if delta else delta
            prompt = b"" if delta else prompt

    def _by_id(self, decode: Decode, every: list[int], given: bytes, start: int, ids: Sequence[int]) -> Iterator[bytes]:
        """What comes after what was given of the text of `every`, of which a window begins at `start`."""
        read = len(every)
        if self.spaces:
            yield from self._by_word(decode, every, given, ids)
            return
        for i in ids:
            every.append(i)
            if self.resets and not decode([i, i]):
                every, start, read, given = [i], 0, 0, b""
            text = decode(every[start:])
            delta = self._delta(given, text, text if self.words else self._complete(every[start:], text))
            yield delta
            if self.restarts and delta.endswith(b"\n"):
                every, start, read, given = [], 0, 0, b""
            elif delta and self.window:
                start, read = read, len(every)
                given = decode(every[start:])
            else:
                given += delta
        yield self._rest(decode(every[start:]), given) if self.ends else b""

    def _by_word(self, decode: Decode, every: list[int], given: bytes, ids: Sequence[int]) -> Iterator[bytes]:
        """What is complete of the text so far, each time that an id begins the next word."""
        for i in ids:
            begins = bool(every) and within(decode, i).startswith((b" ", b"\n"))
            delta = self._rest(self._complete(every, decode(every)), given) if begins else b""
            yield delta
            given += delta
            every.append(i)
        yield self._rest(decode(every), given) if self.ends and every else b""

    def _delta(self, given: bytes, text: bytes, ready: bytes) -> bytes:
        """What can be given of a text of which some was, and of which this is complete."""
        if (self.holds or self.window) and (ready != text or text.endswith(_REPLACEMENT)):
            return b""
        if len(ready) <= len(given):
            return b""
        if not ready.startswith(given) and not self.window and not self.units:
            if self.raises:
                raise InvalidPrefixError("Invalid prefix encountered while decoding a stream")
            return b""
        return _printable(ready[len(given) :]) if self.words else self._rest(ready, given)

    def _rest(self, text: bytes, given: bytes) -> bytes:
        """What a text has beyond what was given, by its length."""
        if not self.units:
            return text[len(given) :]
        units = len(given.decode("utf-8", "replace").encode("utf-16-le")) // 2
        return text.decode("utf-8", "replace")[units:].encode()


def within(decode: Decode, i: int) -> bytes:
    """The text of an id that does not begin a text."""
    return decode([i, i])[len(decode([i])) :]


def _printable(text: bytes) -> bytes:
    """Letters, digits and spaces alone, a line or what ends with an ideograph; else what goes up to the last space."""
    shown = text.decode("utf-8", "replace")
    is_word = all(character.isspace() or unicodedata.category(character)[0] in "LMN" for character in shown)
    if is_word or shown.endswith("\n") or unicodedata.name(shown[-1], "").startswith("CJK "):
        return text
    return text[: text.rfind(b" ") + 1]


right = Streamer()
