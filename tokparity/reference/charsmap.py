"""SentencePiece's precompiled charsmap: a double-array trie from byte strings to their normalized form.

Layout (little endian): a uint32 with the size in bytes of the trie, the trie as uint32 units, then the replacements as
zero-terminated UTF-8. A unit holds a label (bits 0-7), whether a value hangs below it (bit 8), and an offset (bits
10-30). The offset counts 256 times if bit 9 is set. A value unit has bit 31 set. The child for byte c of unit i is i ^
offset(i) ^ c. Source: sentencepiece, `normalizer.cc` (DecodePrecompiledCharsMap) and darts-clone's `DoubleArrayUnit`.
"""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from tokparity.errors import FormatError
from tokparity.reference.literals import compile_literals
from tokparity.reference.text import INNER_SPACE, NOTHING, REPLACEMENT

_MAX_KEY_BYTES = 256
_MAX_PLACES = 1 << 20
_MAX_REPLACEMENT = 1 << 8  # bytes; U+FDFA has 33
_MAX_TOTAL = 1 << 24
"""Bytes of all replacements. The size of a trie does not limit what it spells, because its branches may share what is
below them. That of the tests has 225,000 keys, and 18 characters for one of them."""


@dataclass(frozen=True)
class Charsmap:
    """Replaces, from left to right, the longest prefix that the charsmap knows; all else stays.

    `blob` is the precompiled charsmap as in the model's file. `keep` are pieces that pass through untouched
    (SentencePiece protects user-defined symbols). An invalid byte (a lone surrogate) becomes U+FFFD here and is not
    looked up. So a charsmap with an entry for U+FFFD leaves it alone. `marks_nothing`: a blank text in which something
    was replaced by nothing begins with NOTHING, for a model that adds its space at the end.
    """

    blob: bytes
    keep: tuple[str, ...] = ()
    marks_nothing: bool = field(default=False, compare=False)

    def __repr__(self) -> str:
        kept = f" that keeps {len(self.keep)} pieces" if self.keep else ""
        return f"a precompiled charsmap of {self.units} units{kept}"

    @cached_property
    def table(self) -> dict[str, str]:
        """Every key of the trie with its replacement."""
        return table_of(self.blob)

    @property
    def units(self) -> int:
        """Number of entries of the double array."""
        return len(_trie(self.blob)[0])

    @cached_property
    def _single(self) -> dict[str, str]:
        """The keys of one character; lone surrogates with them."""
        invalid = dict.fromkeys(map(chr, range(0xDC00, 0xDD00)), REPLACEMENT)
        return invalid | {key: _spaced(replacement) for key, replacement in self.table.items() if len(key) == 1}

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
        """(a key of one character, the second character of a longer key, a kept piece or the first of a longer key)."""
        firsts = {key[0] for key in self.table if len(key) > 1}
        seconds = {key[1] for key in self.table if len(key) > 1}
        kept = [self._kept.pattern] if self._kept else []
        kept += [f"{_class(firsts)}(?={_class(seconds)})"] if firsts else []
        return (
            re.compile(_class(set(self._single))),
            re.compile(_class(seconds)),
            re.compile("|".join(kept) or _NOTHING),
        )

    @cached_property
    def longest(self) -> int:
        """Length in characters of the longest key."""
        return max(map(len, self.table), default=0)

    @cached_property
    def _kept(self) -> re.Pattern[str] | None:
        return compile_literals(self.keep)

    def __call__(self, text: str) -> str:
        # Hardly any text has a place where more than one character counts; all else goes character by character.
        single = self._single
        character, second, special = self._patterns
        any_kept = self._kept is not None and self._kept.search(text) is not None
        parts: list[str] = []
        done = 0
        # Second characters, being marks, are rarer than first ones and found sooner.
        found = special.search(text) if any_kept else second.search(text, 1)
        while found is not None:
            at = found.start() if any_kept else found.start() - 1
            parts.append(character.sub(lambda key: single.get(key[0], key[0]), text[done:at]))
            done, replacement = self._replacement_at(text, at)
            parts.append(replacement)
            found = special.search(text, done) if any_kept else second.search(text, done + 1)
        parts.append(character.sub(lambda key: single.get(key[0], key[0]), text[done:]))
        normalised = "".join(parts)
        if self.marks_nothing and normalised and not normalised.strip(" ") and self._loses_some(text):
            return NOTHING + normalised
        return normalised

    def _loses_some(self, text: str) -> bool:
        """Whether part of the text is replaced by nothing."""
        at = 0
        while at < len(text):
            at, replacement = self._replacement_at(text, at)
            if not replacement:
                return True
        return False

    def _replacement_at(self, text: str, start: int) -> tuple[int, str]:
        """(where to go on, what replaces the text up to there)."""
        kept = self._kept.match(text, start) if self._kept else None
        if kept:
            return kept.end(), _spaced(kept.group())
        for end in range(min(start + self.longest, len(text)), start, -1):
            replacement = self.table.get(text[start:end])
            if replacement is not None:
                return end, _spaced(replacement)
        return start + 1, self._single.get(text[start], text[start])


def _spaced(replacement: str) -> str:
    """The replacement with those of its spaces marked that stand behind another."""
    return _INNER_SPACE.sub(INNER_SPACE, replacement) if "  " in replacement else replacement


_INNER_SPACE = re.compile("(?<= ) ")
_NOTHING = r"(?!)"


def _class(characters: set[str]) -> str:
    """A pattern that matches at least each of these characters.

    Beyond the Basic Multilingual Plane it matches all. `re` looks up a set below U+10000 in a table, but tries what is
    above one by one, a hundred times slower. What it matches in vain is then simply not in the table of keys.
    """
    plane = "".join(re.escape(c) for c in sorted(characters) if c < "\U00010000")
    beyond = "\U00010000-\U0010ffff" if any(c >= "\U00010000" for c in characters) else ""
    return f"[{plane}{beyond}]" if characters else _NOTHING


def _trie(blob: bytes) -> tuple[tuple[int, ...], bytes]:
    """The units and the block of replacements; sizes are checked against the blob itself."""
    size = int.from_bytes(blob[:4], "little")
    if len(blob) < 4 or size % 4 or 4 + size > len(blob):
        raise FormatError(
            f"precompiled charsmap of {len(blob)} bytes says that its trie takes {size}",
            "the model file is damaged: fetch the model again",
        )
    return struct.unpack_from(f"<{size // 4}I", blob, 4), blob[4 + size :]


def _entries(blob: bytes) -> Iterator[tuple[str, str]]:
    """All (key, replacement) of the trie.

    A unit with label c can only be reached from a unit whose index ^ offset is its own index ^ c. So one pass over the
    units finds the children of all, instead of trying 256 bytes at each.
    """
    units, replacements = _trie(blob)
    if not units:
        return
    children: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for index, unit in enumerate(units):
        if not unit >> 31 and unit & 0xFF:
            children[index ^ (unit & 0xFF)].append((unit & 0xFF, index))
    stack = [(_offset(units[0]), b"")]
    seen = total = 0
    while stack:
        base, key = stack.pop()
        for label, index in children[base]:
            below = index ^ _offset(units[index])
            longer = key + bytes((label,))
            if len(longer) > _MAX_KEY_BYTES:
                raise FormatError(
                    f"precompiled charsmap has a key of more than {_MAX_KEY_BYTES} bytes",
                    "the model file is damaged: fetch the model again",
                )
            seen += 1
            if units[index] >> 8 & 1:
                replacement = _replacement(units, below, replacements)
                total += len(replacement)
                yield longer.decode("utf-8", "surrogateescape"), replacement
            if seen > _MAX_PLACES or total > _MAX_TOTAL:
                raise FormatError(
                    f"precompiled charsmap has more than {seen - 1} entries, or they are too long",
                    "the model file is damaged: fetch the model again",
                )
            stack.append((below, longer))


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 1 << 9) >> 6)


def _replacement(units: tuple[int, ...], index: int, replacements: bytes) -> str:
    start = units[index] & 0x7FFFFFFF if index < len(units) else len(replacements)
    end = replacements.find(b"\0", start)
    if start >= len(replacements) or end < 0:
        raise FormatError(
            f"precompiled charsmap points to byte {start} of {len(replacements)} bytes of replacements",
            "the model file is damaged: fetch the model again",
        )
    if end - start > _MAX_REPLACEMENT:
        raise FormatError(
            f"precompiled charsmap has a replacement of {end - start} bytes, at most {_MAX_REPLACEMENT} are read",
            "the model file is damaged: fetch the model again",
        )
    return replacements[start:end].decode("utf-8", "surrogateescape")


@lru_cache(maxsize=4)
def table_of(blob: bytes) -> dict[str, str]:
    """Every key of a charsmap with its replacement; FormatError if it is damaged.

    It takes most of a second, and reading, writing and diagnosing meet the same charsmap again and again.
    """
    return dict(_entries(blob))
