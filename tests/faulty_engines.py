"""Engines with one fault that is in no catalogue, each around the reference; named "faulty_engines:Class"."""

from __future__ import annotations

import random
import re
import time
import unicodedata
from pathlib import Path

from tokparity import formats
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities, Options
from tokparity.reference.tokenizer import Tokenizer


class Faithful:
    """The reference, as if it were somebody else's engine."""

    CAPABILITIES = Capabilities(formats=("any",), invalid_utf8=True)

    @property
    def NAME(self) -> str:
        """The class's name."""
        return f"faulty_engines:{type(self).__name__}"

    def version(self) -> str:
        """Nothing changes here."""
        return "faults 1"

    def open(self, path: str, options: Options) -> Faithful:
        """Read the model as the reference does."""
        source = formats.read(Path(path))
        self.tokenizer = Tokenizer(source.vocabulary, source.behaviour)
        self.opened()
        return self

    def opened(self) -> None:
        """What a fault keeps from text to text begins here."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Text by text."""
        return Ids.from_list([self.ids(text, add_special, parse_special) for text in texts.to_list()])

    def right(self, text: bytes, add: bool = True, parse: bool = False) -> list[int]:
        """The right ids."""
        return list(self.tokenizer.encode(text, add, parse))

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The ids of one text."""
        return self.right(text, add, parse)

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Row by row."""
        return Texts.from_list([self.text(row, skip_special) for row in ids.to_list()])

    def text(self, row: list[int], skip: bool) -> bytes:
        """The bytes of one row."""
        return self.tokenizer.decode(row, skip)


def _characters(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class Chunks(Faithful):
    """Texts are cut into pieces of 512 characters."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Piece after piece."""
        whole = _characters(text)
        row = self.right(_bytes(whole[:512]), add, parse)
        for start in range(512, len(whole), 512):
            row += self.right(_bytes(whole[start : start + 512]), False, parse)
        return row


class ByteChunks(Faithful):
    """Texts are cut into pieces of 4,096 bytes."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Piece after piece."""
        row = self.right(text[:4096], add, parse)
        for start in range(4096, len(text), 4096):
            row += self.right(text[start : start + 4096], False, parse)
        return row


class CutIds(Faithful):
    """Only 512 ids come."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The first of them."""
        return self.right(text, add, parse)[:512]


class SortsLong(Faithful):
    """From 201 ids on they come in ascending order."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As a broken parallel merge would do it."""
        row = self.right(text, add, parse)
        return sorted(row) if len(row) > 200 else row


class NarrowIds(Faithful):
    """Ids are kept in nine bits, as 16 are too few for large vocabularies."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The lowest bits."""
        return [i & 511 for i in self.right(text, add, parse)]


class DecodesBasicPlane(Faithful):
    """Decoding drops what is above U+FFFF."""

    def text(self, row: list[int], skip: bool) -> bytes:
        """As UTF-16 taken for UCS-2."""
        return _bytes("".join(c for c in _characters(super().text(row, skip)) if c <= "\uffff"))


class DropsVariationSelectors(Faithful):
    """U+FE00 to U+FE0F are dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if they were not there."""
        return self.right(_bytes(re.sub("[\ufe00-\ufe0f]", "", _characters(text))), add, parse)


class DropsTabs(Faithful):
    """U+0009 is dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if it were not there."""
        return self.right(text.replace(b"\t", b""), add, parse)


class Races(Faithful):
    """Of longer texts one in three has two ids exchanged, whichever thread was first."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """By chance."""
        row = self.right(text, add, parse)
        if len(row) > 8 and random.SystemRandom().random() < 0.3:
            row[3], row[4] = row[4], row[3]
        return row


class Memo(Faithful):
    """A memo by a hash of ten bits gives another text's ids."""

    def opened(self) -> None:
        """Nothing is known yet."""
        self.memo: dict[int, list[int]] = {}

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """What the memo says."""
        key = sum(byte * 31**i for i, byte in enumerate(text[:40])) % 1021 * 4 + 2 * add + parse
        return self.memo.setdefault(key, self.right(text, add, parse))


class AfterTrouble(Faithful):
    """After a text with U+200D the next text loses its first id."""

    def opened(self) -> None:
        """No trouble yet."""
        self.trouble = False

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """What is left over from the text before."""
        row = self.right(text, add, parse)
        row = row[1:] if self.trouble else row
        self.trouble = "\u200d".encode() in text
        return row


class Sleeps(Faithful):
    """Takes a second for a text with ten equal letters in a row."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Late, and right."""
        if re.search(rb"([a-z])\1{9}", text):
            time.sleep(1.0)
        return self.right(text, add, parse)


class Quadratic(Faithful):
    """Takes time that grows with the square of the text's length."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Late, and right."""
        time.sleep((len(text) / 30_000) ** 2)
        return self.right(text, add, parse)


class HalfComposes(Faithful):
    """Greek is not composed where NFC is to be done."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As with old tables."""
        return self.right(_bytes(_without_greek(_characters(text))), add, parse)


def _without_greek(text: str) -> str:
    return re.sub("[\u03ac-\u03ce\u1f00-\u1fff]", lambda m: unicodedata.normalize("NFD", m.group()), text)


class GreedyInLongWords(Faithful):
    """The longest piece is taken first, but only in words longer than 12 characters."""

    def opened(self) -> None:
        """The catalogue's quirk, under a condition."""
        from dataclasses import replace

        from tokparity import quirks

        vocabulary, plain = self.tokenizer.vocabulary, self.tokenizer.behaviour
        greedy = quirks.get("greedy_longest_match").flip(plain)

        def segment(vocabulary, behaviour):  # type: ignore[no-untyped-def]
            one, other = plain.segment(vocabulary, behaviour), greedy.segment(vocabulary, behaviour)
            return lambda word, trace=None: (other if len(word) > 12 else one)(word)

        self.tokenizer = Tokenizer(vocabulary, replace(plain, segment=segment))


class AlwaysParses(Faithful):
    """Special tokens in the text are always parsed, and it says so."""

    CAPABILITIES = Capabilities(formats=("any",), invalid_utf8=True, parse_special=(True,))


class StripsMark(Faithful):
    """A byte order mark at the beginning is dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Only there."""
        return self.right(text.removeprefix(b"\xef\xbb\xbf"), add, parse)


class LineEnds(Faithful):
    """A carriage return before a line feed is dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As a file opened as text is read."""
        return self.right(text.replace(b"\r\n", b"\n"), add, parse)


class LosesLastLineEnd(Faithful):
    """The last line end of a text is dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As reading line by line does it."""
        return self.right(text.removesuffix(b"\n"), add, parse)


class PlainSpaces(Faithful):
    """Any space separator becomes U+0020."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """By the general category."""
        return self.right(
            _bytes("".join(" " if unicodedata.category(c) == "Zs" else c for c in _characters(text))), add, parse
        )


class LongRuns(Faithful):
    """A run of more than 16 spaces becomes 16."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As a table of fixed size does it."""
        return self.right(re.sub(b" {17,}", b" " * 16, text), add, parse)


class NoSkinTones(Faithful):
    """Emoji modifiers are dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """U+1F3FB to U+1F3FF."""
        return self.right(_bytes(re.sub("[\U0001f3fb-\U0001f3ff]", "", _characters(text))), add, parse)


class DropsIdAtEnd(Faithful):
    """From 256 ids on the last one is lost."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """An error by one."""
        row = self.right(text, add, parse)
        return row[:-1] if len(row) >= 256 else row


class LowersFirst(Faithful):
    """The first letter of a text is put into lower case."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As for a search box."""
        whole = _characters(text)
        return self.right(_bytes(whole[:1].lower() + whole[1:]), add, parse)


class DecodesLineFeeds(Faithful):
    """A carriage return is not decoded."""

    def text(self, row: list[int], skip: bool) -> bytes:
        """It is lost."""
        return super().text(row, skip).replace(b"\r", b"")


class EveryHundredth(Faithful):
    """Every hundredth text has no ids."""

    def opened(self) -> None:
        """None yet."""
        self.calls = 0

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """By a counter."""
        self.calls += 1
        return [] if self.calls % 100 == 0 else self.right(text, add, parse)


class NoCombining(Faithful):
    """A combining mark behind a digit is dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Only there."""
        return self.right(_bytes(re.sub("(?<=[0-9])[\u0300-\u036f]", "", _characters(text))), add, parse)
