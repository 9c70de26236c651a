"""Corpora that are computed when they are read: emoji, CLDR strings, the Unicode code charts, very long runs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tokparity.errors import MissingDependencyError
from tokparity.sources.kept_texts import kept

_ROW = 32  # code points per line of the `unicode` corpus: short enough to show the guilty one at a glance
_PLANES = ((0x0, 0x34000), (0xE0000, 0xE0200), (0xF0000, 0xF0020), (0xFFFE0, 0x100020), (0x10FFE0, 0x110000))
_SURROGATES = range(0xD800, 0xE000)
_RUN_BYTES = (10_000, 1_000_000)
_RUN_UNITS = (
    *("a", "A", "1", " ", "\t", "\n", "\r\n", "!", ".", "'", "=", "▁", "\0", "é", "中", "ก", "한", "\u3000", "\u200d"),
    *("\u0301", "\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "ab", "a ", " a", "中文", "1a", "<s>", "Ġ"),
)
_MOMENT = datetime(2024, 3, 14, 15, 9, 26)
_AMOUNT = -1234567.891
_NAMES_PER_LINE = 12


def emoji() -> Iterator[str]:
    """Every sequence the installed `emoji` package knows, alone, doubled, within a word and between words.

    All qualification states and the lone components (skin tones, hair) are included.
    """
    known = _library("emoji").EMOJI_DATA
    return _unique(form for one in sorted(known) for form in (one, one + one, f"a{one}b", f"see {one} here"))


def cldr() -> Iterator[str]:
    """Names, dates and numbers as the installed `babel` package spells them in each of its locales.

    A line that a regional locale inherits from its parent comes once, in the first locale that has it.
    """
    babel = _library("babel")
    return _kept_cldr(babel.Locale.parse, babel.__version__)


def _kept_cldr(parse: Callable[[str], Any], version: str) -> Iterator[str]:
    """The lines, made with babel's `version` and this file's code, or read from the cache: making them takes 2 s."""
    made_by = version.encode() + b"\n" + Path(__file__).read_bytes()
    yield from kept("cldr", made_by, lambda: _unique(_every_locale(parse, _locales())))


def _every_locale(parse: Callable[[str], Any], identifiers: Iterable[str]) -> Iterator[str]:
    for identifier in identifiers:
        yield from _locale_lines(parse(identifier))
    # The library keeps every locale that it ever loaded; all of them take 200 MB.
    _library("babel.localedata")._cache.clear()


def cldr_tags() -> list[str]:
    """One "language-Script" tag per locale of `babel`; CLDR's likely subtags give a script that the locale lacks."""
    parse = _library("babel").Locale.parse
    likely: Mapping[str, str] = _library("babel.core").get_global("likely_subtags")
    tags = set()
    for locale in map(parse, _locales()):
        guess = likely.get(locale.language, "").split("_")
        script = locale.script or (guess[1] if len(guess) > 1 else "")
        tags.add(f"{locale.language}-{script}")
    return sorted(tags)


def unicode() -> Iterator[str]:
    """Every code point in rows of the code chart: as they stand, and each behind a letter of its own.

    Covers planes 0 to 3 up to the last assigned ideographs, tags and variation selectors, and the edges of the private
    planes. It takes them assigned or not, so that the corpus does not depend on a Unicode version. No surrogates.
    """
    for first in chain.from_iterable(range(*plane, _ROW) for plane in _PLANES):
        row = [chr(point) for point in range(first, first + _ROW) if point not in _SURROGATES]
        if row:
            yield "".join(row)
            yield " ".join(f"a{character}" for character in row)


def long() -> Iterator[str]:
    """Runs of one unit (a letter, spaces, ideographs, emoji, ...) that are 10 KB and 1 MB long in UTF-8."""
    for size in _RUN_BYTES:
        for unit in _RUN_UNITS:
            yield unit * (size // len(unit.encode()))


GENERATED: Mapping[str, Callable[[], Iterator[str]]] = MappingProxyType(
    {function.__name__: function for function in (cldr, emoji, long, unicode)}
)


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        message = f"the library {package!r}, which a generated corpus is made from, is not installed"
        raise MissingDependencyError(message, "pip install 'tokparity[corpora]'") from error


def _locales() -> list[str]:
    return sorted(_library("babel.localedata").locale_identifiers())


def _unique(lines: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for line in lines:
        if line not in seen:
            seen.add(line)
            yield line


def _locale_lines(locale: Any) -> Iterator[str]:
    for calendar in (locale.months, locale.days, locale.quarters):
        for widths in calendar.values():
            yield from (", ".join(names.values()) for names in widths.values())
    for names in (locale.languages, locale.territories, locale.scripts, locale.currencies):
        yield from _joined([names[key] for key in sorted(names)])
    yield from _dates(locale)
    yield from _numbers(locale)


def _joined(names: Sequence[str]) -> Iterator[str]:
    """The names in lines of a dozen: a name per line would be hundreds of thousands of cases."""
    remaining = iter(names)
    while line := list(islice(remaining, _NAMES_PER_LINE)):
        yield ", ".join(line)


def _dates(locale: Any) -> Iterator[str]:
    dates = _library("babel.dates")
    for width in ("full", "long", "medium", "short"):
        yield dates.format_date(_MOMENT, width, locale)
        yield dates.format_datetime(_MOMENT, width, locale=locale)


def _numbers(locale: Any) -> Iterator[str]:
    numbers = _library("babel.numbers")
    own = {"numbering_system": "default"}  # the locale's own digits, not 0 to 9 everywhere
    yield numbers.format_decimal(_AMOUNT, locale=locale, **own)
    yield numbers.format_percent(_AMOUNT, locale=locale, **own)
    yield numbers.format_scientific(_AMOUNT, locale=locale, **own)
    for currency in ("EUR", "USD", "JPY", "INR"):
        yield numbers.format_currency(_AMOUNT, currency, locale=locale, **own)
