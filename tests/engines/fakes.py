"""Engines that misbehave on purpose, each in one way and at one text; they are named "fakes:Class"."""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities, Options
from tokparity.engines.reference import ENGINE, ReferenceModel
from tokparity.errors import EngineError, MissingDependencyError

GUILTY = b"guilty"
"""A text that holds this is the one at which an engine misbehaves."""


class Bytes:
    """A well-behaved engine: the ids of a text are its bytes. The others differ at the guilty text."""

    NAME = "fakes:Bytes"
    CAPABILITIES = Capabilities(formats=("any",), invalid_utf8=True)

    def version(self) -> str:
        """Nothing changes here."""
        return "fakes 1"

    def open(self, path: str, options: Options) -> Bytes:
        """There is nothing to open."""
        return self

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Each byte is an id."""
        if GUILTY in texts.data:
            for text in texts.to_list():
                if GUILTY in text:
                    self.misbehave()
        return Ids.from_list([list(text) for text in texts.to_list()])

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Each id is a byte."""
        return Texts.from_list([bytes(row) for row in ids.to_list()])

    def misbehave(self) -> None:
        """What this engine does at the guilty text: nothing."""


class Killed(Bytes):
    """Is killed in mid-batch, as the system does when memory runs out."""

    def misbehave(self) -> None:
        """The signal that cannot be caught."""
        os.kill(os.getpid(), signal.SIGKILL)


class Segfaults(Bytes):
    """Says something and dies of a segmentation fault."""

    def misbehave(self) -> None:
        """A library's last words."""
        os.write(2, b"last words\n")
        os.kill(os.getpid(), signal.SIGSEGV)


class DiesSlowly(Bytes):
    """Dies of every text that is guilty, a while after it was asked."""

    def misbehave(self) -> None:
        """As a program does that takes long to start."""
        time.sleep(0.02)
        os._exit(1)


class Exits(Bytes):
    """A library that calls exit."""

    def misbehave(self) -> None:
        """No signal, just an end."""
        os._exit(7)


class Hangs(Bytes):
    """Never comes back."""

    def misbehave(self) -> None:
        """Longer than any timeout of a test."""
        time.sleep(1000)


class Raises(Bytes):
    """Raises for one text."""

    def misbehave(self) -> None:
        """An error as a library raises it."""
        raise ValueError("it is the guilty text")


class Allocates(Bytes):
    """Allocates without end."""

    def misbehave(self) -> None:
        """Memory is asked for, never touched: the test machine's stays as it is."""
        kept = []
        while True:
            kept.append(mmap.mmap(-1, 1 << 28, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """As a library does whose allocator aborts."""
        try:
            return super().encode(texts, add_special, parse_special)
        except OSError:
            os.write(2, b"memory allocation of 268435456 bytes failed\n")
            os.abort()


class WrongLength(Bytes):
    """Gives one answer too few."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The guilty text is left out."""
        return Ids.from_list([list(text) for text in texts.to_list() if GUILTY not in text])


class NoBuffer(Bytes):
    """Answers with something that is not a buffer."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """None, for the guilty text."""
        return None if GUILTY in texts.data else super().encode(texts, add_special, parse_special)  # type: ignore[return-value]


class Garbles(Bytes):
    """A library that writes into file descriptors that are not its own."""

    def misbehave(self) -> None:
        """Every pipe and file that this process has open."""
        for name in os.listdir("/proc/self/fd"):
            try:
                os.write(int(name), b"\xff" * 100)
            except OSError:
                continue


class Floods(Bytes):
    """Writes more to stdout and stderr than any pipe holds, and answers rightly."""

    def misbehave(self) -> None:
        """Sixteen megabytes."""
        for _ in range(256):
            sys.stdout.write("o" * 32768)
            os.write(2, b"e" * 32768)


class StrOnly(Bytes):
    """Takes text only, and cannot be asked to recognize special tokens, nor to keep them out of a decoded text."""

    CAPABILITIES = Capabilities(formats=("any",), parse_special=(False,), skip_special=(False,))


class Silent(Bytes):
    """Cannot decode."""

    CAPABILITIES = Capabilities(formats=("any",), invalid_utf8=True, decodes=False)


class Refuses(Bytes):
    """Cannot open any model."""

    def open(self, path: str, options: Options) -> Bytes:
        """As an engine says it."""
        raise EngineError(f"cannot load {path!r}", "the library said why")


class Reserves(Bytes):
    """Takes 64 GiB of address space for every batch, as V8 does for WebAssembly, and uses none of it."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """What is only reserved is nobody's memory."""
        with mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0):
            return super().encode(texts, add_special, parse_special)


class AllocatesOpening(Bytes):
    """Takes memory without end for every model."""

    def open(self, path: str, options: Options) -> Bytes:
        """As a library does that believes what a file says of its size; two GiB, where one is allowed."""
        kept = [bytearray(1 << 28) for _ in range(8)]
        raise EngineError(f"it could take {len(kept) >> 2} GiB")


class DiesOpening(Bytes):
    """Dies over every model."""

    def open(self, path: str, options: Options) -> Bytes:
        """As llama.cpp does on duplicate pieces."""
        os.write(2, b"duplicate piece\n")
        os.abort()


class HangsOpening(Bytes):
    """Never gets a model open."""

    def open(self, path: str, options: Options) -> Bytes:
        """Longer than any timeout of a test; where a test looks for it, its number is noted."""
        if note := os.environ.get("FAKES_NOTE"):
            with open(note, "a") as file:
                file.write(f"{os.getpid()}\n")
        time.sleep(1000)
        return self


def _leave_behind() -> None:
    """Fork a process that holds on to everything that is open, and notes its number where a test looks for it."""
    if child := os.fork():
        with open(os.environ["FAKES_NOTE"], "a") as note:
            note.write(f"{child}\n")
        return
    time.sleep(1000)


class ForksAndDies(Bytes):
    """Dies, and leaves behind a process that keeps its pipes open."""

    def misbehave(self) -> None:
        """A helper, and then a crash."""
        _leave_behind()
        os.abort()


class ForksAndHangs(Bytes):
    """Hangs, with a helper beside it."""

    def misbehave(self) -> None:
        """As a library does that waits for its helper."""
        _leave_behind()
        time.sleep(1000)


class ForksAndAnswers(Bytes):
    """Answers, and leaves a helper running."""

    def misbehave(self) -> None:
        """Nobody waits for it."""
        _leave_behind()


class FloodsOpening(Floods):
    """Writes more than any pipe holds while it opens the model."""

    def open(self, path: str, options: Options) -> Bytes:
        """Then all is well."""
        self.misbehave()
        return self


class NotInstalled(Bytes):
    """Its library is missing."""

    def version(self) -> str:
        """Says so."""
        raise MissingDependencyError(
            "engine 'fake' needs fakelib, which is not installed", "install it: pip install fakelib"
        )


class Streams(Bytes):
    """A well-behaved stream: each id is one byte, given at once. Others differ at the byte 255, which is not a text."""

    CAPABILITIES = Capabilities(formats=("any",), invalid_utf8=True, streams=True)

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """One byte after another."""
        for i in ids:
            if i == 255:
                self.misbehave()
            yield bytes([i])
        yield b""


class StreamRaises(Streams):
    """Raises in the middle of a stream."""

    def misbehave(self) -> None:
        """As a library does at an id that it does not have."""
        raise ValueError("no such id")


class StreamDies(Streams):
    """Dies in the middle of a stream."""

    def misbehave(self) -> None:
        """An abort, as a C++ library makes it."""
        os.abort()


class StreamNeverEnds(Streams):
    """Gives deltas without end."""

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """For ever."""
        while True:
            yield b"a"


class StreamStops(Streams):
    """Gives one delta, however many ids there are."""

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """Once."""
        yield b"a"


class StreamGivesNumbers(Streams):
    """Gives the ids back."""

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """As they are."""
        yield from ids  # type: ignore[misc]


class Spanned(Bytes):
    """Each id is one byte of ASCII, and its span that character. Others differ at the text "guilty"."""

    CAPABILITIES = Capabilities(formats=("any",), invalid_utf8=True, spans=True)

    def spans(self, text: str, add_special: bool, parse_special: bool) -> tuple[list[int], list[tuple[int, int]]]:
        """One character after another."""
        if text == "guilty":
            self.misbehave()
        return [*text.encode()], [(i, i + 1) for i in range(len(text))]


class SpansRaise(Spanned):
    """Raises at a text."""

    def misbehave(self) -> None:
        """As a library does."""
        raise ValueError("no offsets here")


class SpansDie(Spanned):
    """Dies at a text."""

    def misbehave(self) -> None:
        """An abort, as a C++ library makes it."""
        os.abort()


class SpansAreFewer(Spanned):
    """Forgets the last span."""

    def spans(self, text: str, add_special: bool, parse_special: bool) -> tuple[list[int], list[tuple[int, int]]]:
        """One too few."""
        return [*text.encode()], [(i, i + 1) for i in range(len(text) - 1)]


class SpansHaveNoEnd(Spanned):
    """Gives where ids begin alone."""

    def spans(self, text: str, add_special: bool, parse_special: bool) -> tuple[list[int], list[tuple[int, int]]]:
        """Not what is wanted."""
        return [*text.encode()], [*range(len(text))]  # type: ignore[list-item]


class SpansOfTheWhole(Spanned):
    """The reference's ids, each with the span of the whole text."""

    CAPABILITIES = Capabilities(formats=("tokenizer.json",), spans=True)

    def open(self, path: str, options: Options) -> SpansOfTheWhole:
        """Opened as the reference opens it."""
        self._inner: ReferenceModel = ENGINE.open(path, options)
        return self

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The reference's ids."""
        return self._inner.encode(texts, add_special, parse_special)

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """What the reference decodes."""
        return self._inner.decode(ids, skip_special)

    def spans(self, text: str, add_special: bool, parse_special: bool) -> tuple[list[int], list[tuple[int, int]]]:
        """All of the text for each."""
        ids = [*self._inner.spans(text, add_special, parse_special).ids]
        return ids, [(0, len(text)) for _ in ids]


class SpansOf16Bits(SpansOfTheWhole):
    """The reference's spans, of which the lower 16 bits are kept."""

    def spans(self, text: str, add_special: bool, parse_special: bool) -> tuple[list[int], list[tuple[int, int]]]:
        """As they are, up to 65,535."""
        right = self._inner.spans(text, add_special, parse_special)
        return [*right.ids], [(start % 65_536, end % 65_536) for start, end in right.spans]
