"""Pre-tokenizers: text to words. Each is what the class of the same name in Hugging Face's `tokenizers` does.

A stage takes pieces and gives pieces (Metaspace needs to know which of them begins where the input begins). A stage
called with a text gives its words. What a splitter removes is not in the result, nor is an empty word.
Source: tokenizers 0.23, `pre_tokenizers/*.rs`; each is compared with the library, the sets of characters on all code
points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

import regex

from tokparity.reference.byte_alphabet import from_alphabet, to_alphabet
from tokparity.reference.onig import Pattern, compile_onig
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.split_behaviours import SplitBehaviour, arranged, between
from tokparity.reference.unicode_ages import WHITESPACE
from tokparity.reference.unicode_versions import as_of_8, as_of_16, numbers_as_of_17

Piece = tuple[str, bool]
"""(text, does it begin where the input begins)."""


class SplitStage(Protocol):
    """What every stage here is: usable in a Sequence and, called with a text, as the pre-tokenizer of a `Behaviour`."""

    def split(self, pieces: Iterable[Piece]) -> Iterable[Piece]: ...

    def __call__(self, text: str, at_start: bool) -> Sequence[str]: ...


class Stage:
    """Calling a stage with a text."""

    def split(self, pieces: Iterable[Piece]) -> Iterable[Piece]:
        """The pieces that each piece is split into."""
        for text, at_start in pieces:
            for start, end in self.cut(text):
                if start < end:
                    yield text[start:end], at_start and start == 0

    def cut(self, text: str) -> Iterable[tuple[int, int]]:
        """Where the words of a text are."""
        raise TypeError(f"{type(self).__name__} has neither split nor cut")

    def __call__(self, text: str, at_start: bool) -> Sequence[str]:
        return [word for word, _ in self.split([(text, at_start)])]


@dataclass(frozen=True)
class Split(Stage):
    """Cuts at the matches of a pattern.

    `literal`: the pattern is not a regular expression. `invert`: what lies between the matches counts as the matches.
    What becomes of them says `behaviour`: they go, stand alone, join the text on one side, or stand alone together with
    those that touch them.
    """

    pattern: str
    behaviour: SplitBehaviour = "isolated"
    invert: bool = False
    literal: bool = False

    def cut(self, text: str) -> Iterator[tuple[int, int]]:
        return arranged(between(self._compiled().find(text), len(text), self.invert), self.behaviour)

    def __call__(self, text: str, at_start: bool) -> Sequence[str]:
        # The commonest case: the matches are the whole text, so they are the words.
        if self.behaviour == "isolated" or (self.behaviour == "removed" and self.invert):
            words = self._compiled().words(text)
            if words is not None:
                return words if "" not in words else [word for word in words if word]
        return super().__call__(text, at_start)

    def _compiled(self) -> Pattern:
        return compile_onig(regex.escape(self.pattern) if self.literal else self.pattern)


@dataclass(frozen=True)
class Chain(Stage):
    """Stages one after the other, each on the pieces of the one before."""

    stages: tuple[SplitStage, ...]

    def split(self, pieces: Iterable[Piece]) -> Iterable[Piece]:
        for stage in self.stages:
            pieces = stage.split(pieces)
        return pieces

    def __call__(self, text: str, at_start: bool) -> Sequence[str]:
        if len(self.stages) == 1:
            return self.stages[0](text, at_start)
        return super().__call__(text, at_start)


_compiled = cache(regex.compile)


@dataclass(frozen=True)
class Characters(Stage):
    """Cuts at every character of a set: a class of the `regex` package, of the Unicode of `seen_as`."""

    members: str
    seen_as: Callable[[str], str]
    behaviour: SplitBehaviour

    def cut(self, text: str) -> Iterable[tuple[int, int]]:
        seen, member = self.seen_as(text), _compiled(self.members)
        if member.search(seen) is None:  # most words
            return ((0, len(text)),)
        found = (match.span() for match in member.finditer(seen))
        return arranged(between(found, len(text), invert=False), self.behaviour)


_SPACE = f"[{WHITESPACE}]"
_PUNCTUATION = r"(?V1)[!-/:-@\[-`\{-\~\p{P}\u166d\U000111c9]"


def whitespace_split() -> Characters:
    """WhitespaceSplit: cuts at white space, and drops it."""
    return Characters(_SPACE, as_of_16, "removed")


def punctuation(behaviour: SplitBehaviour = "isolated") -> Characters:
    """Punctuation: ASCII's, and what was punctuation in Unicode 8."""
    return Characters(_PUNCTUATION, as_of_8, behaviour)


def digits(individual: bool) -> Characters:
    """Digits: anything numeric (\\p{N}, as of Unicode 17), each alone or in runs."""
    return Characters(r"\p{N}", numbers_as_of_17, "isolated" if individual else "contiguous")


def delimiter(character: str) -> Split:
    """CharDelimiterSplit: cuts at one character, which goes."""
    return Split(character, "removed", literal=True)


@dataclass(frozen=True)
class Bert(Stage):
    """BertPreTokenizer: drops white space, and makes each punctuation character a word."""

    def split(self, pieces: Iterable[Piece]) -> Iterable[Piece]:
        return punctuation().split(whitespace_split().split(pieces))


_WORDS = regex.compile(r"\w+|[^\w\s]+")


@dataclass(frozen=True)
class Whitespace(Stage):
    """Whitespace: runs of word characters and runs of others that are not white space, found as Rust's `regex` does."""

    def cut(self, text: str) -> Iterator[tuple[int, int]]:
        return (found.span() for found in _WORDS.finditer(as_of_16(text)))


@dataclass(frozen=True)
class Metaspace(Stage):
    """Spaces become `replacement`, one goes before the text unless it has one, and each begins a word.

    Where it is the only stage, a reader puts it in the canonical fields of `Behaviour` instead.
    """

    replacement: str = "▁"
    prepend: Literal["always", "first", "never"] = "always"
    splits: bool = True

    def split(self, pieces: Iterable[Piece]) -> Iterable[Piece]:
        for text, at_start in pieces:
            marked = text.replace(" ", self.replacement)
            adds = self.prepend == "always" or (self.prepend == "first" and at_start)
            if adds and marked and not marked.startswith(self.replacement):
                marked = self.replacement + marked
            if self.splits:
                yield from metaspace_split(self.replacement).split([(marked, at_start)])
            elif marked:
                yield marked, at_start


def metaspace_split(replacement: str) -> Split:
    """The splitting half of Metaspace: every replacement begins a word."""
    return Split(replacement, "merged_with_next", literal=True)


@dataclass(frozen=True)
class ByteLevel(Stage):
    """ByteLevel where it can't be lifted: a space before each piece, GPT-2's pattern, then the byte alphabet."""

    add_prefix_space: bool = False
    use_regex: bool = True

    def split(self, pieces: Iterable[Piece]) -> Iterable[Piece]:
        for text, at_start in pieces:
            if self.add_prefix_space and text and not text.startswith(" "):
                text = " " + text
            inner = Split(GPT2).split([(text, at_start)]) if self.use_regex else [(text, at_start)]
            yield from ((to_alphabet(word), start) for word, start in inner if word)


@dataclass(frozen=True)
class OnAlphabet(Stage):
    """Stages that see the text spelled in the byte alphabet, because ByteLevel stands before them (Falcon).

    They may cut inside of a character, and take "¼" (the byte 0xBC) for a number. The words are given back as text, so
    that `Behaviour`'s byte level applies as ever; half a character is lone surrogates.
    """

    stages: tuple[SplitStage, ...]

    def split(self, pieces: Iterable[Piece]) -> Iterable[Piece]:
        spelled: Iterable[Piece] = ((to_alphabet(text), at_start) for text, at_start in pieces)
        for stage in self.stages:
            spelled = stage.split(spelled)
        return ((from_alphabet(word).decode("utf-8", "surrogateescape"), at_start) for word, at_start in spelled)


@dataclass(frozen=True)
class FixedLength(Stage):
    """FixedLength: words of this many characters; the last word may be shorter."""

    length: int

    def cut(self, text: str) -> Iterator[tuple[int, int]]:
        return ((start, start + self.length) for start in range(0, len(text), self.length))
