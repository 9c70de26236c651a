"""Texts that take an engine far longer than ordinary text of the same length does.

A batch that took far too long runs again in slices, and a slow slice text by text. A slow text runs twice, because the
machine may have been busy. So the answer depends on no other text, and the command that runs one text shows it, too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tokparity.engines.results import Results
from tokparity.outcome import Failure
from tokparity.questions.json_text import is_utf8

_AT_LEAST = 0.1
"""Seconds that a text takes at least to be called slow, however quick the others are."""

_TIMES = 1000
"""How many times what ordinary text of its length takes."""

_GROWING_TIMES, _GROWING_AT_LEAST = 100, 1.0
"""How many times, and seconds, where the text's own quarter shows that the time grows faster than n log n."""

_EXPONENT = 1.5
"""Time that grows as n to the power of this, or faster, is more than n log n could look like."""

_GROWING_FROM = 1000
"""Bytes from which a text's halves are long enough to be timed."""

_MOST = 10
"""Slow texts after which no more are looked for in batches of many texts: each costs its time three times."""

_MANY = 100
"""Texts in a batch of many; the shrinker puts fewer."""

_SLICE = 32
"""Texts that are put together to see whether one of them is slow, before each of them is put by itself."""

_FRUITLESS, _SHARE = 2.0, 0.05
"""Seconds, and the part of the engine's time, that may go into batches in which no slow text is found."""

_TIMED = (1 << 4, 1 << 8, 1 << 11, 1 << 14, 1 << 17, 1 << 20)
"""Bytes of the ordinary texts that are timed; what texts of other lengths would take is worked out."""

_TOGETHER, _AT_MOST, _MORE, _OFTEN = 1 << 14, 64, 8, 4
"""How many bytes of ordinary text, and texts, are timed together at most, because a single one is too quick. Each step
has this many times more texts. It is timed this often, and the quickest time counts."""

_ALONE = 0.01
"""Seconds from which a batch is timed well, as one text of a server is: each costs a trip there and back."""

_QUICKEST = 1e-5
"""Seconds below which nothing is timed well."""

_PROSE = (
    b"Most of what people write is plain: a few words on the weather, what is for dinner, and who will be there. "
    b"In 1987 they met at 9 o'clock; now it's later. "
)
"""Ordinary text."""


class NoTimeLeftError(Exception):
    """Putting texts again is not begun, or given up, for the run is to end: nobody says whether one is slow."""


class Timed(Protocol):
    """Puts texts to the engine, and takes the time; raises NoTimeLeftError when the run is to end."""

    def each(self, texts: Sequence[bytes]) -> list[tuple[Results, float]]:
        """One after the other by itself: the results, and the seconds that it took."""

    def together(self, texts: Sequence[bytes]) -> float:
        """The seconds that all take as one batch."""


def ordinary(size: int, number: int) -> list[bytes]:
    """This many different ordinary texts of this many bytes."""
    prose = _PROSE * (size // len(_PROSE) + 2)
    return [prose[at : at + size] for at in range(number)]


class Slowness:
    """Watches one engine. With a `patience` below 1 all limits are so much lower, as for a text known to be slow."""

    def __init__(self, patience: float = 1.0) -> None:
        self._patience = patience
        self._ordinary: dict[int, float] = {}
        self._found = 0
        self._taken = 0.0
        self._fruitless = 0.0
        self._harder = 1.0  # times the time of ordinary text, of batches that were put again and have no slow text

    def marked(self, texts: Sequence[bytes], results: Results, seconds: float, timed: Timed) -> Results:
        """The results of a batch that took this many seconds, with a Failure for each text that is slow."""
        try:
            return self._marked(texts, results, seconds, timed)
        except NoTimeLeftError:
            return results

    def _marked(self, texts: Sequence[bytes], results: Results, seconds: float, timed: Timed) -> Results:
        self._taken += seconds
        places = [place for place in range(len(texts)) if place not in results.failed]
        answered = [texts[place] for place in places]
        if not answered or not self._is_suspicious(answered, seconds, timed):
            return results
        if len(texts) == 1:
            why = self._why(texts[0], seconds, timed)
            slow = {0: why} if why else {}
        else:
            slow = self._sought(texts, places, timed)
        failures = {**results.failed, **{place: Failure("slow", why) for place, why in slow.items()}}
        return replace(results, failures=tuple(sorted(failures.items()))) if slow else results

    def _sought(self, texts: Sequence[bytes], places: Sequence[int], timed: Timed) -> dict[int, str]:
        """Why texts of a batch that took long are slow, by place: slices of it are put again, then their texts."""
        slow: dict[int, str] = {}
        spent = again = 0.0
        for start in range(0, len(places), _SLICE):
            part = places[start : start + _SLICE]
            sliced = [texts[place] for place in part]
            if len(places) > _SLICE:
                together = timed.together(sliced)
                spent, again = spent + together, again + together
                if not self._is_suspicious(sliced, together, timed):
                    continue
            for place, (_, seconds) in zip(part, timed.each(sliced), strict=True):
                spent += seconds
                if why := self._why(texts[place], seconds, timed):
                    slow[place] = why
            if len(places) >= _MANY and self._found + len(slow) >= _MOST:
                break
        self._found += len(slow)
        if not slow:
            self._fruitless += spent
            self._harder = max(self._harder, again / sum(self._usual(len(texts[place]), timed) for place in places))
        return slow

    def _is_suspicious(self, texts: Sequence[bytes], seconds: float, timed: Timed) -> bool:
        """Whether one text of a batch may be slow: what is beyond the time of ordinary text would be enough for it."""
        if seconds < self._patience * _AT_LEAST:
            return False
        if len(texts) > 1 and self._fruitless > _FRUITLESS + _SHARE * self._taken:
            return False
        if len(texts) >= _MANY and self._found >= _MOST:
            return False
        beyond, harder = seconds, self._harder if len(texts) > 1 else 1.0
        for size, many in sorted(Counter(map(len, texts)).items()):  # ordinary texts of the longer ones take time
            beyond -= harder * many * self._usual(size, timed)
            if beyond < self._patience * _AT_LEAST:
                return False
        return beyond > self._least(min(map(len, texts)), timed)

    def _least(self, size: int, timed: Timed) -> float:
        """Seconds from which a text of this many bytes is looked at."""
        return min(self._slow(size, timed), self._growing(size, timed))

    def _slow(self, size: int, timed: Timed) -> float:
        """Seconds from which it is slow."""
        return self._patience * max(_AT_LEAST, _TIMES * self._usual(size, timed))

    def _growing(self, size: int, timed: Timed) -> float:
        """Seconds from which it is slow if they grow too fast."""
        return self._patience * max(_GROWING_AT_LEAST, _GROWING_TIMES * self._usual(size, timed))

    def _why(self, text: bytes, seconds: float, timed: Timed) -> str:
        """Why a text is called slow, with figures; empty where it is not."""
        size = len(text)
        if seconds < self._least(size, timed):
            return ""
        seconds = min(seconds, self._again(text, timed))
        usual = self._usual(size, timed)
        told = f"it takes {_seconds(seconds)}, where ordinary text of its length takes {_seconds(usual)}"
        if seconds >= self._slow(size, timed):
            return told
        if size < _GROWING_FROM or seconds < self._growing(size, timed):
            return ""
        quarter = self._again(_quarter(text), timed)
        exponent = math.log(seconds / max(quarter, _QUICKEST), 4)
        if quarter == math.inf or exponent < _EXPONENT:
            return ""
        return f"{told}; the first quarter of it takes {_seconds(quarter)}, so time grows as n^{exponent:.1f}"

    def _usual(self, size: int, timed: Timed) -> float:
        """Seconds that ordinary text of this many bytes takes: between those of two lengths that are timed."""
        longer = next((one for one in _TIMED if one >= size), _TIMED[-1])
        shorter = max((one for one in _TIMED if one < longer), default=longer)
        most = self._timed(longer, timed)
        if shorter < size < longer:
            least = self._timed(shorter, timed)
            return least + (most - least) * (size - shorter) / (longer - shorter)
        return most * max(size / longer, 1.0)

    def _timed(self, size: int, timed: Timed) -> float:
        """Seconds that one ordinary text of this many bytes takes."""
        if size not in self._ordinary:
            number, most = 1, min(max(_TOGETHER // size, 1), _AT_MOST)
            while (taken := _quickest(timed, size, number)) < _ALONE and number < most:
                number = min(number * _MORE, most)
            self._ordinary[size] = max(taken / number, _QUICKEST)
        return self._ordinary[size]

    @staticmethod
    def _again(text: bytes, timed: Timed) -> float:
        """Seconds that a text takes; infinity where it is not answered."""
        ((results, seconds),) = timed.each([text])
        return math.inf if results.failed else seconds


def _quickest(timed: Timed, size: int, number: int) -> float:
    """The fewest seconds that this many ordinary texts took together, of a few times: the machine may be busy."""
    return min(timed.together(ordinary(size, number)) for _ in range(_OFTEN))


def _quarter(text: bytes) -> bytes:
    """The first quarter, up to the end of a character: to what is not UTF-8 many an engine says no at once."""
    start = text[: len(text) // 4]
    return start if is_utf8(start) or not is_utf8(text) else start.decode("utf-8", "ignore").encode()


def _seconds(seconds: float) -> str:
    if seconds >= 0.995:
        return f"{seconds:.3g} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.2g} ms"
