"""Adapters as users write them, right ones and wrong ones; named "adapters_at_hand:name"."""

from __future__ import annotations

import os
import sys


def plain(text: str) -> list[int]:
    """A function is enough."""
    return [3 + byte for byte in text.encode()]


def wrapping(text: str) -> list[int]:
    """It adds BOS and EOS itself."""
    return [1, *plain(text), 2]


def doubling(text: str) -> list[int]:
    """It adds BOS twice."""
    return [1, *wrapping(text)]


def of_bytes(text: bytes) -> tuple[int, ...]:
    """One that takes bytes, and so any text."""
    return tuple(3 + byte for byte in text)


def flagged(text: str, add_special: bool, parse_special: bool) -> list[int]:
    """One that wants the flags."""
    return [*([1] if add_special else []), *([2] if parse_special else []), *plain(text)]


class Head:
    """A class that needs the path of the model."""

    version = "head 7"

    def __init__(self, path: str) -> None:
        self.path = path

    def encode(self, text: str) -> list[int]:
        """The path says how many."""
        return [len(self.path), *plain(text)]

    def decode(self, ids: list[int], skip_special: bool) -> str:
        """Text as str."""
        return "".join(chr(i - 3) for i in ids)


class Greedy:
    """A class that needs too much."""

    def __init__(self, path: str, depth: int) -> None:
        self.path = path


class Unmakeable:
    """A class that cannot be made."""

    def __init__(self) -> None:
        raise ValueError("no luck")


class Lists:
    """A whole engine that answers with lists and has neither version nor capabilities."""

    def open(self, path: str, options: object) -> Lists:
        """Nothing to open."""
        return self

    def encode(self, texts: object, add_special: bool, parse_special: bool) -> list[list[int]]:
        """One list each."""
        return [list(text) for text in texts.to_list()]  # type: ignore[attr-defined]

    def decode(self, ids: object, skip_special: bool) -> list[bytes]:
        """One text each."""
        return [bytes(row) for row in ids.to_list()]  # type: ignore[attr-defined]


class OpensOne:
    """Opens its model, and encodes one text in a call."""

    def open(self, path: str) -> None:
        """Keeps the path."""
        self.path = path

    def encode(self, text):  # type: ignore[no-untyped-def]
        """The path says how many."""
        return [len(self.path), *plain(text)]


class Ajar:
    """Keeps something that is called open, and opens nothing."""

    open = True

    def encode(self, text: str) -> list[int]:
        """As a function."""
        return plain(text)


class GivesOne:
    """Opens something that encodes one text in a call."""

    def open(self, path: str, options: object) -> Head:
        """Another object."""
        return Head(path)


class TooFew(Lists):
    """Leaves the last one out."""

    def encode(self, texts: object, add_special: bool, parse_special: bool) -> list[list[int]]:
        """One fewer."""
        return super().encode(texts, add_special, parse_special)[:-1]


class BadVersion(Lists):
    """Does not know its own version."""

    def version(self) -> str:
        """As a broken installation does."""
        raise RuntimeError("version unknown")


def says_words(text: str) -> object:
    """No list."""
    return text


def says_floats(text: str) -> list[float]:
    """No whole numbers."""
    return [1, 2.5]  # type: ignore[list-item]


def says_none(text: str) -> None:
    """Nothing at all."""


def says_large(text: str) -> list[int]:
    """Beyond 32 bits."""
    return [1, 1 << 40]


number = 5

if os.environ.get("AT_HAND") == "raises":
    raise OSError("no such drive")
if os.environ.get("AT_HAND") == "exits":
    sys.exit("bye")
if os.environ.get("AT_HAND") == "dies":
    print("last words", file=sys.stderr, flush=True)
    os._exit(9)
if os.environ.get("AT_HAND") == "floods":
    print("x" * 1_000_000)
