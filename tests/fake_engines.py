"""Deterministic engines for tests of the run and of the command line; named "fake_engines:Class"."""

from __future__ import annotations

import os
import signal
import time

from tokparity.engines import sentencepiece
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities, Options
from tokparity.engines.specials import refuse_spelled
from tokparity.errors import EngineError


class Right:
    """The ids of a text are its bytes, with 1 before them where special tokens are added."""

    NAME = "fake_engines:Right"
    CAPABILITIES = Capabilities(formats=("sentencepiece",), invalid_utf8=True)

    def version(self) -> str:
        """Nothing changes here."""
        return "fakes 1"

    def open(self, path: str, options: Options) -> Right:
        """There is nothing to open."""
        return self

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Each byte is an id."""
        return Ids.from_list([([1] if add_special else []) + self.ids(text) for text in texts.to_list()])

    def ids(self, text: bytes) -> list[int]:
        """The ids of one text without special tokens."""
        return [3 + byte for byte in text]

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Each id is a byte."""
        return Texts.from_list([self.text(row) for row in ids.to_list()])

    def text(self, row: list[int]) -> bytes:
        """The bytes of one row of ids."""
        return bytes(i - 3 for i in row if i >= 3)


class AlsoRight(Right):
    """The same under another name."""


class DropsMarks(Right):
    """Leaves out the combining acute accent."""

    def ids(self, text: bytes) -> list[int]:
        """As if the accent were not there."""
        return super().ids(text.replace("\u0301".encode(), b""))


class DecodesSpaces(Right):
    """Encodes well; decodes two spaces to one."""

    def text(self, row: list[int]) -> bytes:
        """As a clean-up does it."""
        return super().text(row).replace(b"  ", b" ")


class Crashes(Right):
    """Dies of the letter é."""

    def ids(self, text: bytes) -> list[int]:
        """An abort, as a C++ library makes it."""
        if "é".encode() in text:
            os.abort()
        return super().ids(text)


class KilledOnce(Right):
    """Is killed on its first text, as by somebody else; the text names the file that remembers it."""

    def ids(self, text: bytes) -> list[int]:
        """SIGKILL, once."""
        if text.startswith(b"/") and not os.path.exists(text):
            os.close(os.open(text, os.O_CREAT))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().ids(text)


class Utf8Only(Right):
    """Takes only UTF-8."""

    CAPABILITIES = Capabilities(formats=("sentencepiece",), invalid_utf8=False)


class Refuses(Right):
    """Can open no model."""

    def open(self, path: str, options: Options) -> Right:
        """As a library does that does not know the architecture."""
        raise EngineError("it knows no such model")


class RefusesSpm(Right):
    """Opens any file but that of small-spm."""

    def open(self, path: str, options: Options) -> Right:
        """Its file is the smallest."""
        if os.path.getsize(path) < 200_000:
            raise EngineError("this file is too small for it")
        return self


class AlwaysParses(Right):
    """Knows "<s>" in a text for a special token, and cannot be told not to."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Refuse what would make a difference."""
        if not parse_special:
            refuse_spelled(texts.to_strs(), frozenset({"<s>"}), "it")
        return super().encode(texts, add_special, parse_special)


class ParsesOtherwise(Right):
    """Gives 2 for each "<s>" that it is to parse."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The token's id beside those of the bytes."""
        rows = super().encode(texts, add_special, parse_special).to_list()
        spelled = [parse_special and b"<s>" in text for text in texts.to_list()]
        return Ids.from_list([[*row, 2] if has else row for row, has in zip(rows, spelled, strict=True)])


class HangsOpening(Right):
    """Never gets a model open, and notes its process where a test looks for it."""

    def open(self, path: str, options: Options) -> Right:
        """Sleeps over it."""
        with open(os.environ["FAKES_NOTE"], "a") as note:
            note.write(f"{os.getpid()}\n")
        time.sleep(3600)
        return self


class BusyOpening(Right):
    """Computes for 50 ms before a model is open."""

    def open(self, path: str, options: Options) -> Right:
        """Takes its time."""
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass
        return self


class Slow(Right):
    """Takes a tenth of a second for each batch."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Late, and right."""
        time.sleep(0.1)
        return super().encode(texts, add_special, parse_special)


class OtherFormat(Right):
    """Opens a format that nothing can be exported to."""

    CAPABILITIES = Capabilities(formats=("tiktoken",), invalid_utf8=True)


class Hangs(Right):
    """Never comes back from a text with an é in it."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Sleeps over it."""
        if any("é".encode() in text for text in texts.to_list()):
            time.sleep(3600)
        return super().encode(texts, add_special, parse_special)


class OneHangs:
    """SentencePiece itself, which never comes back from one text."""

    NAME = "fake_engines:OneHangs"
    CAPABILITIES = sentencepiece.ENGINE.CAPABILITIES

    def version(self) -> str:
        """As SentencePiece says."""
        return sentencepiece.ENGINE.version()

    def open(self, path: str, options: Options) -> OneHangs:
        """As SentencePiece does."""
        self.model = sentencepiece.ENGINE.open(path, options)
        return self

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Sleeps over it."""
        if b"hangs here" in texts.data:
            time.sleep(3600)
        return self.model.encode(texts, add_special, parse_special)

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """As SentencePiece does."""
        return self.model.decode(ids, skip_special)


class Lowers(Right):
    """Decodes capital letters to small ones, so that their ids do not come back, and then stay."""

    def text(self, row: list[int]) -> bytes:
        """In small letters."""
        return super().text(row).lower()


class LowersAndDropsB(Lowers):
    """Does not know the letter b, so that it is wrong where a B has gone through its text."""

    def ids(self, text: bytes) -> list[int]:
        """Without any b."""
        return super().ids(text.replace(b"b", b""))


class LowersAndDiesOfB(Lowers):
    """Dies of the letter b."""

    def ids(self, text: bytes) -> list[int]:
        """An abort, as a C++ library makes it."""
        if b"b" in text:
            os.abort()
        return super().ids(text)


class LowersAndGrows(Lowers):
    """Decodes each small letter with a space behind it, so that a second round gives other ids again."""

    def text(self, row: list[int]) -> bytes:
        """Only what was small before grows."""
        text = Right.text(self, row)
        return text + b" " if text.strip().islower() else text.lower()
