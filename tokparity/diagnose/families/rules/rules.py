"""Rules about texts: a pattern of a few characters, or a measure with a limit. Texts can be made for each."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import prod

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.hypothesis import DIFFERS, Prediction
from tokparity.diagnose.limits.families import SPELLED_FROM
from tokparity.diagnose.separate.classes import IS_SPECIAL, CharacterClass
from tokparity.diagnose.separate.features import Feature
from tokparity.diagnose.separate.names import named
from tokparity.diagnose.separate.neighbors import Beside
from tokparity.diagnose.tokens import FIRST
from tokparity.questions import Encode, Question
from tokparity.questions.json_text import literal

_WORD = re.compile(r"[^\W_]+")
_SPACES = re.compile(" +")
_DIGITS = re.compile(r"\d+")
_NUMBERS = ("1234567890", "27182818284590", "0", "9", "10", "٠١٢٣٤٥٦٧٨٩", "2024", "7", "50", "31415926535")
_SAME = ("=", "b", "0", "x", ".", "-", "世", "A", "_", "\U0001f600", "\t", "(")
_IN_BETWEEN = ("b", "ab", "x1", ".", "世", "A", "(", "cat", "é,", "the ", "-")
_RUNS = tuple(word + " " * 200 for word in _IN_BETWEEN)
_LINES = tuple(word + "\n" for word in _IN_BETWEEN)
_SPACED = tuple(word + " " for word in _IN_BETWEEN)
_NO_SPACE = re.compile(r"\S+")
_TOKENS = tuple(chr(FIRST + i) + between for i in range(3) for between in ("", " ", "a"))


class Rule(ABC):
    """The hypothesis that answers are wrong where something is so; of how they are wrong it says nothing."""

    model = None
    probes: Sequence[str] = ()
    """Which texts are made for it depends on what the engine answers, so its test makes them."""

    @property
    @abstractmethod
    def sentence(self) -> str:
        """A clause about the text."""

    @abstractmethod
    def holds(self, seen: Observation) -> bool:
        """Whether it is so."""

    def predict(self, seen: Observation) -> Prediction:
        """That the answer is another one than the right one, where it holds; else the right one."""
        return DIFFERS if self.holds(seen) else seen.expected


@dataclass(frozen=True)
class Flags:
    """The flags that a text must be encoded with; None: either value."""

    add_special: bool | None = None
    parse_special: bool | None = None

    @property
    def says(self) -> str:
        """In words that follow a clause; empty where it may be asked with any."""
        parsed = {True: ", and special tokens are parsed", False: ", and special tokens are not parsed"}
        added = {True: ", and special tokens are added", False: ", and no special tokens are added"}
        return ("" if self.parse_special is None else parsed[self.parse_special]) + (
            "" if self.add_special is None else added[self.add_special]
        )

    def holds(self, question: Question) -> bool:
        """Whether a question is asked so; where ids are to be decoded, nothing is parsed or added."""
        if not isinstance(question, Encode):
            return True
        wanted = (("add_special", self.add_special), ("parse_special", self.parse_special))
        return all(value is None or getattr(question, name) is value for name, value in wanted)


@dataclass(frozen=True)
class Pattern(Rule):
    """Characters of these classes side by side; None: any character."""

    classes: tuple[CharacterClass | None, ...]
    examples: tuple[tuple[str, ...], ...]
    """For each place characters that were seen to fail."""
    at_start: bool = False
    at_end: bool = False
    of_line: bool = False
    """Whether it stands at the beginning or the end of any line, and not only of the text."""
    flags: Flags = Flags()
    """What a text that has it must be asked with."""
    beside: Feature[Beside] | None = None
    """What must stand beside it, or must not."""
    also: Feature[str] | None = None
    """What must be so of the rest of the text."""

    @property
    def sentence(self) -> str:
        """In words."""
        beside = f" {self.beside.says}" if self.beside is not None else ""
        also = f", and {self.also.says}" if self.also is not None else ""
        return self._says + beside + also + self.flags.says

    @property
    def _says(self) -> str:
        if (None,) == self.classes:
            return "the text is not empty"
        parts = list(self._parts())
        what = " followed by ".join(parts)
        if self.at_start and self.at_end:
            return f"{'a line of the text' if self.of_line else 'the text'} is {what or 'empty'}"
        if not what:
            return "the text may be any"
        edge = "beginning" if self.at_start else "end" if self.at_end else ""
        where = f" at the {edge} of a line" if self.of_line else f" at its {edge}"
        return f"the text contains {what}{where if edge else ''}"

    def _parts(self) -> Iterator[str]:
        """Each character in words; more than a few in a row that are themselves as they are spelled."""
        pairs = zip(self.classes, self.examples, strict=True)
        for is_spelled, some in groupby(pairs, lambda pair: pair[0] is not None and pair[0].is_one):
            places = list(some)
            if is_spelled and len(places) > SPELLED_FROM:
                yield literal("".join(examples[0] for _, examples in places))
            else:
                yield from ("any character" if one is None else one.says for one, _ in places)

    def holds(self, seen: Observation) -> bool:
        """Whether the text has it."""
        at = self.place(seen.text) if self.flags.holds(seen.question) else None
        return at is not None and (self.also is None or self.also.holds(self.rest(seen.text, at)))

    def rest(self, text: str, place: int) -> str:
        """A text without the pattern that stands in a place."""
        return text[:place] + text[place + len(self.classes) :]

    def place(self, text: str) -> int | None:
        """The index in the ids at which the pattern begins; None if the ids do not contain it."""
        return next((i for i in range(len(text) - len(self.classes) + 1) if self._at(text, i)), None)

    def _at(self, text: str, place: int) -> bool:
        end = place + len(self.classes)
        begins = place == 0 or (self.of_line and text[place - 1] == "\n")
        ends = end == len(text) or (self.of_line and text[end] == "\n")
        if (self.at_start and not begins) or (self.at_end and not ends):
            return False
        if self.beside is not None and not self.beside.holds((text[max(place - 1, 0) : place], text[end : end + 1])):
            return False
        return all(one is None or one.holds(text[place + i]) for i, one in enumerate(self.classes))

    @property
    def spells(self) -> int | None:
        """How many texts can be made that have it, where it is the text; None where others may stand beside it."""
        return prod(map(len, self.examples)) if self.at_start and self.at_end and not self.of_line else None

    def instance(self, rng: random.Random) -> str:
        """Characters that make the pattern."""
        return "".join(rng.choice(some) for some in self.examples)


ANY_TEXT = Pattern((None,), (("a", "B", "1", " ", ".", "é", "世"),))
"""What every text has that is not empty: for what fails with some flags only."""


def whole(seen: Observation) -> Pattern:
    """That a text contains this one whole, as it must where it spells an added token."""
    classes = tuple(CharacterClass(named(c), c.__eq__, is_one=True) for c in seen.text)
    return Pattern(classes, tuple((c,) for c in seen.text))


@dataclass(frozen=True)
class Measure:
    """A number that every question has, with its `unit`."""

    unit: str
    of: Callable[[Observation], int]
    of_ids: bool = False
    """Whether it takes an answer to know it."""
    units: tuple[str, ...] = ()
    """What reaches it when it is repeated, beside what every measure is tried with."""


def _longest(pattern: re.Pattern[str], text: str) -> int:
    return max((len(found) for found in pattern.findall(text)), default=0)


def _longest_bytes(pattern: re.Pattern[str], text: str) -> int:
    return max((len(found.encode("utf-8", "surrogateescape")) for found in pattern.findall(text)), default=0)


def _parsed(seen: Observation) -> int:
    parses = getattr(seen.question, "parse_special", False)
    return sum(map(IS_SPECIAL.holds, seen.text)) if parses else 0


def _run(text: str) -> int:
    return max((sum(1 for _ in group) for _, group in groupby(text)), default=0)


MEASURES = (
    Measure("the text has {} characters or more", lambda seen: len(seen.spelled)),
    Measure("the text has {} bytes or more", lambda seen: len(seen.spelled.encode("utf-8", "surrogateescape"))),
    Measure("{} ids or more are expected", lambda seen: len(seen.ids), of_ids=True),
    Measure("one character stands {} times or more in a row", lambda seen: _run(seen.spelled), units=_SAME),
    Measure("{} spaces or more stand in a row", lambda seen: _longest(_SPACES, seen.spelled), units=_RUNS),
    Measure("a word has {} letters and digits or more", lambda seen: _longest(_WORD, seen.spelled)),
    Measure("{} decimal digits or more stand in a row", lambda seen: _longest(_DIGITS, seen.spelled), units=_NUMBERS),
    Measure("{} characters or more stand without a space", lambda seen: _longest(_NO_SPACE, seen.spelled)),
    Measure("{} bytes or more stand without a space", lambda seen: _longest_bytes(_NO_SPACE, seen.spelled)),
    Measure("a word has {} bytes of letters and digits or more", lambda seen: _longest_bytes(_WORD, seen.spelled)),
    Measure("an id of {} or more is expected", lambda seen: max(seen.ids, default=0), of_ids=True),
    Measure("the text has {} line ends or more", lambda seen: seen.spelled.count("\n"), units=_LINES),
    Measure("white space parts {} words or more", lambda seen: len(seen.spelled.split()), units=_SPACED),
    Measure("the text has {} spaces or more", lambda seen: seen.spelled.count(" "), units=_SPACED),
    Measure("the text has {} special tokens or more, which are parsed", _parsed, units=_TOKENS),
)
"""What may have an edge, the plainest first."""


@dataclass(frozen=True)
class AtLeast(Rule):
    """A measure that reaches an edge, or is just that number."""

    measure: Measure
    edge: int
    exactly: bool = False

    @property
    def sentence(self) -> str:
        """In words."""
        if self.exactly:
            return self.measure.unit.replace(" or more", "").format(f"exactly {self.edge:,}")
        return self.measure.unit.format(f"{self.edge:,}")

    def holds(self, seen: Observation) -> bool:
        """Whether it is so."""
        return self.measure.of(seen) == self.edge if self.exactly else self.reaches(seen)

    def reaches(self, seen: Observation) -> bool:
        """Whether it reaches the edge."""
        return self.measure.of(seen) >= self.edge
