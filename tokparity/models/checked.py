"""The entries of a tokparity.toml, checked value by value: an error says the line, the value and the next step."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokparity import engines, quirks
from tokparity.difference import ASPECTS
from tokparity.engines.environment.released import RELEASED
from tokparity.errors import FormatError, UsageError, nearest
from tokparity.models.record import AcceptedFinding, names
from tokparity.models.toml_lines import Place
from tokparity.models.toml_text import MAX_ITEMS
from tokparity.questions.json_text import parse
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.quirks.former_names import current

FILES = ("gguf", "tokenizer-json", "sentencepiece", "tiktoken", "tekken")
"""The keys that name a model's files, as the options of the command line are called."""

_OF_MODEL = (*FILES, "oracle", "engines", "notes", "accepted")
_TEXTS = ("engine", "key", "value", "text", "told", "kind", "cases", "reason", "link")
_LISTS = ("quirks", "origins", "gives", "damage")
_OF_ACCEPTED = (*_TEXTS, *_LISTS, "date")


@dataclass(frozen=True)
class Entry:
    """What a tokparity.toml says of one model."""

    files: Mapping[str, Path]
    oracle: str
    engines: tuple[str, ...] | None
    notes: str
    accepted: tuple[AcceptedFinding, ...]


@dataclass(frozen=True)
class Checker:
    """Checks the contents of one file; `lines` says where each value is."""

    path: Path
    lines: Mapping[Place, int]

    def entries(self, data: Mapping[str, Any]) -> dict[str, Entry]:
        """All models by name."""
        self._keys((), data, ("models",), "models are tables [models.NAME]")
        models = data.get("models", {})
        if not isinstance(models, dict) or not models:
            raise self.wrong(
                ("models",), "there is no model", "write a table [models.NAME], or let `tokparity init` do"
            )
        return {name: self._entry(name, entry) for name, entry in models.items()}

    def line(self, place: Place) -> int:
        """The line of a value, or where it has none of the first thing in it, or of the nearest table around it."""
        for end in range(len(place), 0, -1):
            if place[:end] in self.lines:
                return self.lines[place[:end]]
            if inside := [line for other, line in self.lines.items() if other[:end] == place[:end]]:
                return min(inside)
        return 1

    def wrong(self, place: Place, what: str, hint: str) -> UsageError:
        """The error about one value."""
        return UsageError(f"{self.path} line {self.line(place)}: {what}", hint)

    def _entry(self, name: str, entry: Any) -> Entry:
        place = ("models", name)
        if not isinstance(entry, dict):
            raise self.wrong(place, f"models.{name} is {entry!r:.40}, not a table", f"write [models.{name}]")
        if name in names():
            raise self.wrong(
                place, f"{name!r} is a model that tokparity knows itself", f"choose another name, such as my-{name}"
            )
        if not name or name.startswith("-") or "/" in name or not name.isprintable():
            raise self.wrong(
                place, f"{name!r} can't be named on a command line", "choose a name without slashes and a leading dash"
            )
        self._keys(place, entry, _OF_MODEL)
        files = {key: self.path.parent / self._text((*place, key), entry[key]) for key in FILES if key in entry}
        if not files:
            raise self.wrong(place, f"{name!r} has no file", f"name at least one: {', '.join(FILES)}")
        listed = self._texts((*place, "engines"), entry["engines"]) if "engines" in entry else None
        for engine in listed or ():
            self._engine((*place, "engines"), engine)
        oracle = self._text((*place, "oracle"), entry.get("oracle", ""))
        if oracle:
            self._engine((*place, "oracle"), oracle)
        accepted = entry.get("accepted", [])
        if not isinstance(accepted, list):
            raise self.wrong(
                (*place, "accepted"), "what is accepted is not a list", f"write tables [[models.{name}.accepted]]"
            )
        return Entry(
            files,
            oracle,
            listed,
            self._text((*place, "notes"), entry.get("notes", "")).strip(),
            tuple(self._accepted((*place, "accepted", i), one) for i, one in enumerate(accepted)),
        )

    def _accepted(self, place: Place, entry: Any) -> AcceptedFinding:
        if not isinstance(entry, dict):
            raise self.wrong(
                place, f"{entry!r:.40} is not an accepted finding", "write engine, text or quirks, and reason"
            )
        self._keys(place, entry, _OF_ACCEPTED)
        texts = {key: self._text((*place, key), entry[key]) for key in _TEXTS if key in entry}
        lists = {key: self._texts((*place, key), entry[key]) for key in _LISTS if key in entry}
        if "quirks" in lists:
            lists["quirks"] = tuple(map(current, lists["quirks"]))
        if not texts.get("reason", "").strip():
            raise self.wrong(place, "an accepted finding has no reason", 'say why it is accepted: reason = "..."')
        if bool(texts.get("engine")) == bool(texts.get("key")):
            raise self.wrong(
                place,
                "an accepted finding is about an engine or about a key of a GGUF",
                'give engine = "..." with quirks or text, or key = "..." with value',
            )
        if texts.get("engine") and not (lists.get("quirks") or texts.get("text") or lists.get("origins")):
            raise self.wrong(place, "an accepted finding says not which one", "give quirks, text or both")
        self._meanings(place, texts, lists)
        given: dict[str, Any] = {**texts, **lists, "date": self._date((*place, "date"), entry.get("date", ""))}
        if "engine" in texts:
            self._engine((*place, "engine"), texts["engine"])
        return AcceptedFinding(**given)

    def _meanings(self, place: Place, texts: Mapping[str, str], lists: Mapping[str, tuple[str, ...]]) -> None:
        """Raise for a quirk, a kind or a text that means nothing."""
        for quirk in lists.get("quirks", ()):
            self._one_of((*place, "quirks"), quirk, (*quirks.names(), SOURCE_DIFFERS), "a quirk")
        self._one_of((*place, "kind"), texts.get("kind", "ids"), ASPECTS, "a kind of difference")
        cases = re.fullmatch(r"[0-9]{1,12} of [0-9]{1,12}", texts.get("cases", "0 of 0"))
        if not cases:
            raise self.wrong((*place, "cases"), f"{texts['cases']!r:.80} is no number of cases", 'write "64 of 19503"')
        if "text" in texts:
            try:
                parse(texts["text"])
            except FormatError as error:
                raise self.wrong((*place, "text"), error.message, "write it as in '\"a text\"'") from error

    def _keys(self, place: Place, entry: Mapping[str, Any], known: Sequence[str], hint: str = "") -> None:
        for key in entry:
            if key not in known:
                meant = nearest(key, known, hint or f"known are {', '.join(known)}")
                raise self.wrong((*place, key), f"unknown key {key!r}", meant)

    def _text(self, place: Place, value: Any) -> str:
        if not isinstance(value, str):
            raise self.wrong(place, f"{place[-1]} is {value!r:.40}, not a text", "put it in quotes")
        return value

    def _texts(self, place: Place, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.wrong(place, f"{place[-1]} is {value!r:.40}, not a list of texts", 'write ["...", "..."]')
        if len(value) > MAX_ITEMS:
            raise self.wrong(place, f"{place[-1]} lists {len(value)} texts", f"at most {MAX_ITEMS} are read")
        return tuple(value)

    def _date(self, place: Place, value: Any) -> str:
        try:
            date = value if isinstance(value, datetime.date) else datetime.date.fromisoformat(value) if value else ""
        except (TypeError, ValueError) as error:
            raise self.wrong(place, f"{value!r:.40} is not a date", "write e.g. 2026-11-22") from error
        return str(date)[:10]

    def _engine(self, place: Place, name: str) -> None:
        """Versions, options and other people's modules are looked at when they are run."""
        base = re.split(r"[@\[+]", name, maxsplit=1)[0]
        if re.fullmatch(r"[\w.-]+", base, re.ASCII):
            self._one_of(place, base, (*engines.names(), *RELEASED), "an engine")

    def _one_of(self, place: Place, value: str, known: Collection[str], what: str) -> None:
        if value not in known:
            hint = nearest(value, known, f"known are {', '.join(sorted(known)[:12])}")
            raise self.wrong(place, f"{value!r:.80} is not {what}", hint)
